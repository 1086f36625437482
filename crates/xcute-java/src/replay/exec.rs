//! Instructions, one after the other.

use xcute_classfile::Kind;
use xcute_classfile::opcode::*;

use super::arith::holds;
use super::frames::Waiting;
use super::nodes::Node;
use super::refs::Leaf;
use super::value::Value;
use super::{Replay, Stop};
use crate::program::body::{Insn, Leads, Literal, MethodId, NO_SITE, TypeId};
use crate::program::follow::event_of;
use crate::program::names;
use crate::wire::event;

impl Replay<'_> {
    /// One instruction, or what a frame waits for.
    pub(super) fn step(&mut self) -> Result<(), Stop> {
        let Some(frame) = self.s.frames.top().copied() else { return self.begins() };
        let done = match frame.waiting {
            Waiting::Foreign(call, model) => self.wait(call, model),
            Waiting::Followed(_) => Err(self.lost("a method that was left")),
            Waiting::Nothing => self.next(frame.method, frame.at, frame.led),
        };
        match done {
            Err(Stop::Thrown) => {
                self.raised();
                self.throw()
            }
            other => other,
        }
    }

    /// There is no frame: a thread begins, or all is over.
    fn begins(&mut self) -> Result<(), Stop> {
        match self.events.peek() {
            Some(found) if found.kind == event::ENTER && self.run.directed.is_some() => {
                self.thread_begins(MethodId(found.value));
                self.called_from_outside(MethodId(found.value))
            }
            Some(_) if self.run.directed.is_some() => Err(self.lost("a thread")),
            _ => Err(Stop::End),
        }
    }

    /// Something else than expected came: an exception, or the replay is lost.
    pub(super) fn unexpected(&self, what: &str) -> Stop {
        match self.events.peek() {
            None => Stop::End,
            Some(found) if matches!(found.kind, event::CAUGHT | event::UNWIND) => Stop::Thrown,
            Some(_) => self.lost(what),
        }
    }

    fn next(&mut self, method: MethodId, at: u32, led: bool) -> Result<(), Stop> {
        let program = self.program;
        let insn = program.method(method).body.insns[at as usize];
        if insn.leads != Leads::Nothing && !led {
            let found = self.events.peek().ok_or(Stop::End)?;
            let fits = match insn.leads {
                Leads::Handler => found.kind == event::CAUGHT,
                _ => found.kind == event::BLOCK && found.value == method.0,
            };
            if !fits || found.pc != insn.pc {
                return Err(self.unexpected("a block"));
            }
            self.events.take(found);
        }
        if !led && (at == 0 || insn.leads != Leads::Nothing) {
            self.comes_to(method, at);
        }
        self.s.frames.top_mut().led = true;
        if self.events.peek().is_some_and(|found| found.kind == event::POINT && self.is_at(found.value)) {
            return Ok(());
        }
        let place = program.method(method).body.first + at as usize;
        if !self.s.ran[place] {
            self.s.ran[place] = true;
            self.s.reached.push(place as u64);
        }
        let threw = self.execute(insn, method)?;
        if threw { Err(Stop::Thrown) } else { Ok(()) }
    }

    /// A block or a method begins.
    pub(super) fn comes_to(&mut self, method: MethodId, at: u32) {
        if let Some(blocks) = &mut self.s.blocks
            && self.initialising == 0
        {
            blocks.push((self.strands.current(), method, at));
        }
    }

    /// The next instruction is the one after this.
    pub(super) fn advance(&mut self) {
        let frame = self.s.frames.top_mut();
        (frame.at, frame.led, frame.done) = (frame.at + 1, false, frame.done.wrapping_add(1));
    }

    fn jump(&mut self, target: u32) {
        let frame = self.s.frames.top_mut();
        (frame.at, frame.led, frame.done) = (target, false, frame.done.wrapping_add(1));
    }

    /// Whether the next event is that a class initialises itself because of an instruction; then its initialiser runs first.
    pub(super) fn initialises(&mut self, class: &str) -> Result<bool, Stop> {
        let Some(found) = self.events.peek().filter(|found| found.kind == event::ENTER) else { return Ok(false) };
        let id = MethodId(found.value);
        let Some(method) = self.program.methods.get(found.value as usize).filter(|m| m.name == "<clinit>") else { return Ok(false) };
        if method.class != class && !self.program.tables().hierarchy.is_subclass(class, &method.class) {
            return Ok(false);
        }
        self.called_from_outside(id)?;
        Ok(true)
    }

    /// Executes an instruction; whether it threw.
    #[allow(clippy::too_many_lines, reason = "one arm for each group of instructions")]
    fn execute(&mut self, insn: Insn, method: MethodId) -> Result<bool, Stop> {
        let program = self.program;
        let body = &program.method(method).body;
        match insn.op {
            NOP => {}
            ACONST_NULL => self.s.frames.push(Value::NOTHING),
            ICONST_M1..=ICONST_5 => self.s.frames.push(Value::int(i32::from(insn.op) - i32::from(ICONST_0))),
            LCONST_0 | LCONST_1 => self.s.frames.push2(Value::concrete(u64::from(insn.op - LCONST_0))),
            FCONST_0..=FCONST_2 => self.s.frames.push(Value::concrete(u64::from(f32::from(insn.op - FCONST_0).to_bits()))),
            DCONST_0 | DCONST_1 => self.s.frames.push2(Value::concrete(f64::from(insn.op - DCONST_0).to_bits())),
            BIPUSH | SIPUSH => self.s.frames.push(Value::concrete(u64::from(insn.arg))),
            LDC | LDC2_W => self.literal(insn, &body.constants[insn.arg as usize])?,
            ILOAD | FLOAD | ALOAD => {
                let value = self.s.frames.local(insn.arg);
                self.s.frames.push(value);
            }
            LLOAD | DLOAD => {
                let value = self.s.frames.local(insn.arg);
                self.s.frames.push2(value);
            }
            ISTORE | FSTORE | ASTORE => {
                let value = self.s.frames.pop();
                self.s.frames.set_local(insn.arg, value);
            }
            LSTORE | DSTORE => {
                let value = self.s.frames.pop2();
                self.s.frames.set_local(insn.arg, value);
            }
            IALOAD..=SALOAD => {
                if self.array_load(insn)? {
                    return Ok(true);
                }
            }
            IASTORE..=SASTORE => {
                if self.array_store(insn)? {
                    return Ok(true);
                }
            }
            POP => drop(self.s.frames.pop()),
            POP2 => self.s.frames.drop(2),
            DUP => self.s.frames.duplicate(1, 0),
            DUP_X1 => self.s.frames.duplicate(1, 1),
            DUP_X2 => self.s.frames.duplicate(1, 2),
            DUP2 => self.s.frames.duplicate(2, 0),
            DUP2_X1 => self.s.frames.duplicate(2, 1),
            DUP2_X2 => self.s.frames.duplicate(2, 2),
            SWAP => self.s.frames.swap(),
            IADD..=DREM | ISHL..=LXOR => {
                if self.arithmetic(insn) {
                    return Ok(true);
                }
            }
            INEG | FNEG => {
                let value = self.s.frames.pop();
                let value = self.s.nodes.negate(insn.op, value);
                self.s.frames.push(value);
            }
            LNEG | DNEG => {
                let value = self.s.frames.pop2();
                let value = self.s.nodes.negate(insn.op, value);
                self.s.frames.push2(value);
            }
            IINC => {
                let (local, by) = (insn.arg & 0xffff, i32::from(((insn.arg >> 16) as u16).cast_signed()));
                let value = self.s.frames.local(local);
                let value = self.s.nodes.binary(IADD, value, Value::int(by));
                self.s.frames.set_local(local, value);
            }
            I2L..=I2S => self.conversion(insn.op),
            LCMP | DCMPL | DCMPG => {
                let (b, a) = (self.s.frames.pop2(), self.s.frames.pop2());
                let value = self.s.nodes.three_way(insn.op, a, b);
                self.s.frames.push(value);
            }
            FCMPL | FCMPG => {
                let (b, a) = (self.s.frames.pop(), self.s.frames.pop());
                let value = self.s.nodes.three_way(insn.op, a, b);
                self.s.frames.push(value);
            }
            IFEQ..=IF_ACMPNE | IFNULL | IFNONNULL => return self.conditional(insn).map(|()| false),
            GOTO => {
                self.jump(insn.arg);
                return Ok(false);
            }
            JSR => {
                // A return address is the number of the next instruction.
                let next = self.s.frames.top_mut().at + 1;
                self.s.frames.push(Value::concrete(u64::from(next)));
                self.jump(insn.arg);
                return Ok(false);
            }
            RET => {
                let target = self.s.frames.local(insn.arg).bits as u32;
                self.jump(target);
                return Ok(false);
            }
            TABLESWITCH | LOOKUPSWITCH => {
                self.switch(insn, method);
                return Ok(false);
            }
            IRETURN => return self.give_back(Some(Kind::Int)).map(|()| false),
            LRETURN => return self.give_back(Some(Kind::Long)).map(|()| false),
            FRETURN => return self.give_back(Some(Kind::Float)).map(|()| false),
            DRETURN => return self.give_back(Some(Kind::Double)).map(|()| false),
            ARETURN => return self.give_back(Some(Kind::Reference)).map(|()| false),
            RETURN => return self.give_back(None).map(|()| false),
            GETSTATIC => {
                if self.initialises(&program.fields[insn.arg as usize].class)? {
                    return Ok(false);
                }
                self.get_static(insn)?;
            }
            PUTSTATIC => {
                if self.initialises(&program.fields[insn.arg as usize].class)? {
                    return Ok(false);
                }
                self.put_static(insn);
            }
            GETFIELD => {
                if self.get_field(insn)? {
                    return Ok(true);
                }
            }
            PUTFIELD => {
                if self.put_field(insn)? {
                    return Ok(true);
                }
            }
            INVOKEVIRTUAL..=INVOKEDYNAMIC => return self.invoke(insn),
            NEW => {
                let class = &program.types[insn.arg as usize];
                if self.initialises(class)? {
                    return Ok(false);
                }
                for finalizer in &program.finalizers {
                    if program.tables().hierarchy.is_subclass(class, finalizer) {
                        let what = format!("{}.finalize is called by the JVM: what it does is not followed", names::readable(finalizer));
                        self.story.limit("unsupported", what, true);
                    }
                }
                let class = self.s.classes.intern(class);
                let object = self.s.heap.add(class, 0, self.origin(), 0);
                self.bears(object);
                self.s.frames.push(Value::concrete(u64::from(object)));
            }
            NEWARRAY => {
                let kind = Kind::of_newarray(insn.arg.cast_signed()).ok_or_else(|| self.lost("an element type"))?;
                let class = self.s.classes.intern(&format!("[{}", kind.letter()));
                if self.new_array(insn, class)? {
                    return Ok(true);
                }
            }
            ANEWARRAY => {
                let class = self.s.classes.array_of(&program.types[insn.arg as usize]);
                if self.new_array(insn, class)? {
                    return Ok(true);
                }
            }
            MULTIANEWARRAY => {
                if self.new_arrays(insn)? {
                    return Ok(true);
                }
            }
            ARRAYLENGTH => {
                if self.array_length(insn)? {
                    return Ok(true);
                }
            }
            ATHROW => {
                self.check_null(self.s.frames.peek(0), insn.site)?;
                return Ok(true);
            }
            CHECKCAST => {
                if !self.cast(insn)? {
                    return Ok(true);
                }
            }
            INSTANCEOF => self.instance_of(insn)?,
            MONITORENTER | MONITOREXIT => {
                let (nonnull, leaf) = self.check_null(self.s.frames.peek(0), insn.site)?;
                if !nonnull {
                    return Ok(true);
                }
                let object = self.s.frames.pop().as_object();
                if let (Leaf::Variable(variable), true) = (leaf, self.program.threads) {
                    self.resolve(variable, object);
                }
            }
            _ => return Err(self.lost("an instruction")),
        }
        self.advance();
        Ok(false)
    }

    fn literal(&mut self, insn: Insn, literal: &Literal) -> Result<(), Stop> {
        match literal {
            Literal::Number(bits) if insn.op == LDC2_W => self.s.frames.push2(Value::concrete(*bits)),
            Literal::Number(bits) => self.s.frames.push(Value::concrete(*bits)),
            Literal::Text(_) => {
                let value = self.reported(Kind::Reference, event::REF, insn.pc)?;
                let method = self.s.frames.top_mut().method;
                self.knows_literal(value.as_object(), method, insn.arg);
                self.s.frames.push(value);
            }
            Literal::Reported(kind) => {
                let value = self.reported(*kind, event_of(*kind), insn.pc)?;
                self.push_kind(*kind, value);
            }
        }
        Ok(())
    }

    /// Arithmetic on two numbers; whether it divides by zero.
    fn arithmetic(&mut self, insn: Insn) -> bool {
        let op = insn.op;
        let long = matches!(op, LADD | LSUB | LMUL | LDIV | LREM | LAND | LOR | LXOR | DADD | DSUB | DMUL | DDIV | DREM);
        let shift = matches!(op, LSHL | LSHR | LUSHR);
        if matches!(op, IDIV | IREM | LDIV | LREM) {
            let divisor = self.s.frames.peek(usize::from(long));
            let fine = if long { divisor.bits != 0 } else { divisor.bits as u32 != 0 };
            if divisor.node != 0 {
                let zero = self.s.nodes.equals(divisor.node, if long { 64 } else { 32 }, 0);
                let condition = self.s.nodes.not(zero);
                self.branch(insn.site, condition, fine);
            }
            self.story.cover(insn.site, u32::from(fine));
            if !fine {
                return true;
            }
        }
        let b = if long { self.s.frames.pop2() } else { self.s.frames.pop() };
        let a = if long || shift { self.s.frames.pop2() } else { self.s.frames.pop() };
        let result = self.s.nodes.binary(op, a, b);
        if long || shift {
            self.s.frames.push2(result)
        } else {
            self.s.frames.push(result)
        }
        false
    }

    fn conversion(&mut self, op: u8) {
        let from_two = matches!(op, L2I | L2F | L2D | D2I | D2L | D2F);
        let to_two = matches!(op, I2L | I2D | L2D | F2L | F2D | D2L);
        let value = if from_two { self.s.frames.pop2() } else { self.s.frames.pop() };
        let value = self.s.nodes.convert(op, value);
        if to_two { self.s.frames.push2(value) } else { self.s.frames.push(value) }
    }

    /// A conditional jump.
    fn conditional(&mut self, insn: Insn) -> Result<(), Stop> {
        let (jumps, condition): (bool, Option<Node>) = match insn.op {
            IFEQ..=IFLE => {
                let value = self.s.frames.pop();
                let condition = (value.node != 0).then(|| self.s.nodes.against_zero(insn.op, value.node));
                (holds(insn.op - IFEQ, i64::from(value.as_int()), 0), condition)
            }
            IF_ICMPEQ..=IF_ICMPLE => {
                let (b, a) = (self.s.frames.pop(), self.s.frames.pop());
                let relation = insn.op - IF_ICMPEQ;
                let condition = (a.node != 0 || b.node != 0).then(|| {
                    let (x, y) = (self.s.nodes.of(a, 32), self.s.nodes.of(b, 32));
                    self.s.nodes.relation(relation, x, y, 32)
                });
                (holds(relation, i64::from(a.as_int()), i64::from(b.as_int())), condition)
            }
            IFNULL | IFNONNULL => {
                let value = self.s.frames.pop();
                let condition = self.is_null(value)?;
                let null = value.bits == 0;
                let positive = insn.op == IFNULL;
                (null == positive, condition.map(|c| if positive { c } else { self.s.nodes.not(c) }))
            }
            _ => {
                let (b, a) = (self.s.frames.pop(), self.s.frames.pop());
                let condition = self.is_same(a, b)?;
                let positive = insn.op == IF_ACMPEQ;
                let same = a.as_object() == b.as_object();
                (same == positive, condition.map(|c| if positive { c } else { self.s.nodes.not(c) }))
            }
        };
        if insn.site != NO_SITE {
            if let Some(condition) = condition {
                self.branch(insn.site, condition, jumps);
            }
            self.story.cover(insn.site, u32::from(jumps));
        }
        if jumps {
            self.jump(insn.arg)
        } else {
            self.advance()
        }
        Ok(())
    }

    /// The condition under which a reference is null, if an input decides it.
    pub(super) fn is_null(&mut self, value: Value) -> Result<Option<Node>, Stop> {
        if value.node == 0 {
            return Ok(None);
        }
        let (leaf, node) = self.leaf(value.node)?;
        Ok(matches!(leaf, Leaf::Variable(_)).then(|| self.s.nodes.equals(node, 32, 0)))
    }

    /// The condition under which two references are the same object, if an input decides it.
    fn is_same(&mut self, a: Value, b: Value) -> Result<Option<Node>, Stop> {
        if a.node == 0 && b.node == 0 {
            return Ok(None);
        }
        if let Some(condition) = self.same_box(a, b)? {
            return Ok(Some(condition));
        }
        let (x, y) = (self.address_node(a)?, self.address_node(b)?);
        Ok(Some(self.s.nodes.op2(xcute_term::Op::Eq, x, y)))
    }

    fn switch(&mut self, insn: Insn, method: MethodId) {
        let program = self.program;
        let arms = &program.method(method).body.switches[insn.arg as usize];
        let value = self.s.frames.pop();
        let found = arms.arms.iter().position(|arm| arm.0.contains(&value.as_int()));
        let taken = u32::try_from(found.unwrap_or(arms.arms.len())).expect("few arms");
        if value.node != 0 {
            let conditions = &mut |nodes: &mut super::nodes::Nodes| {
                let mut all = Vec::with_capacity(arms.arms.len() + 1);
                for (values, _) in &arms.arms {
                    let equal: Vec<Node> = values.iter().map(|v| nodes.equals(value.node, 32, u64::from(v.cast_unsigned()))).collect();
                    all.push(nodes.many(xcute_term::Op::Or, &equal));
                }
                let some = nodes.many(xcute_term::Op::Or, &all);
                all.push(nodes.not(some));
                all
            };
            let context = (&mut self.s.nodes, &mut *self.terms, self.known.terms.as_slice());
            let decision = (insn.site, xcute_trace::DecisionKind::Branch, taken);
            self.story.decide(context, self.run.promise, decision, conditions);
        }
        self.story.cover(insn.site, taken);
        self.jump(found.map_or(arms.default, |arm| arms.arms[arm].1));
    }

    /// `checkcast`; whether the cast is allowed.
    fn cast(&mut self, insn: Insn) -> Result<bool, Stop> {
        let (value, of) = (self.s.frames.peek(0), TypeId(insn.arg));
        let object = value.as_object();
        let class = self.s.heap.get(object).class;
        let fits = object == 0 || self.s.classes.is_subclass(self.program, class, of);
        if value.node != 0
            && let (Leaf::Variable(variable), node) = self.leaf(value.node)?
        {
            self.class_matters(variable);
            let all = self.choices(variable).to_vec();
            let same = all.iter().all(|c| self.s.classes.is_subclass(self.program, c.class, of));
            if !same {
                let (typed, null) = (self.has_type(variable, of), self.s.nodes.equals(node, 32, 0));
                let condition = self.s.nodes.many(xcute_term::Op::Or, &[typed, null]);
                self.branch(insn.site, condition, fits);
            }
        }
        self.story.cover(insn.site, u32::from(fits));
        Ok(fits)
    }

    fn instance_of(&mut self, insn: Insn) -> Result<(), Stop> {
        let value = self.s.frames.peek(0);
        let mut result = self.reported(Kind::Int, event::INT, insn.pc)?;
        if value.node != 0
            && let (Leaf::Variable(variable), _) = self.leaf(value.node)?
        {
            let typed = self.has_type(variable, TypeId(insn.arg));
            result.node = self.s.nodes.as_int(typed);
        }
        self.s.frames.pop();
        self.s.frames.push(result);
        Ok(())
    }
}

//! Functions of `erlang` on values that may depend on the input.

use num_bigint::BigInt;
use xcute_term::{Op, Rounding, TermId, Value};

use super::bitwise::REASON;
use super::look::Kind;
use super::number::Num;
use super::value::{FunVal, Val};
use super::{Ctx, Exception, Machine, Res, Stop};
use crate::calls::Bif;
use crate::etf::Atom;
use crate::universe::{FUN, is};

/// Products of integers with more bits are not computed.
const LONGEST: u64 = 1 << 22;

impl Machine<'_> {
    /// Computes a function.
    pub(crate) fn bif(&mut self, ctx: &mut Ctx, bif: Bif, args: &[Val]) -> Res<Val> {
        let arg = |i: usize| args[i];
        let badarg = Val::Atom(Atom::BADARG);
        Ok(match bif {
            Bif::IsAtom => self.test(arg(0), Kind::Atom),
            Bif::IsBinary => self.test(arg(0), Kind::Binary),
            Bif::IsBitstring => self.test(arg(0), Kind::Bitstring),
            Bif::IsBoolean => self.test(arg(0), Kind::Boolean),
            Bif::IsFloat => self.test(arg(0), Kind::Float),
            Bif::IsFunction => self.test(arg(0), Kind::Fun),
            Bif::IsInteger => self.test(arg(0), Kind::Integer),
            Bif::IsList => self.test(arg(0), Kind::List),
            Bif::IsMap => self.test(arg(0), Kind::Map),
            Bif::IsNumber => self.test(arg(0), Kind::Number),
            Bif::IsPid => self.test(arg(0), Kind::Pid),
            Bif::IsPort => self.test(arg(0), Kind::Port),
            Bif::IsReference => self.test(arg(0), Kind::Reference),
            Bif::IsTuple => self.test(arg(0), Kind::Tuple),
            Bif::IsFunction2 => self.is_function(ctx, arg(0), arg(1))?,
            Bif::IsRecord2 => self.is_record(ctx, arg(0), arg(1), None)?,
            Bif::IsRecord3 => self.is_record(ctx, arg(0), arg(1), Some(arg(2)))?,
            Bif::IsMapKey | Bif::MapSize | Bif::MapGet => self.map_bif(ctx, bif, args)?,
            Bif::Same | Bif::NotSame => {
                let same = match self.same(arg(0), arg(1))? {
                    Some(conditions) => self.and(&conditions),
                    None => self.no(),
                };
                self.truth_if(same, bif == Bif::Same)
            }
            Bif::Equal | Bif::NotEqual => {
                let equal = self.equal(ctx, arg(0), arg(1))?;
                self.truth_if(equal, bif == Bif::Equal)
            }
            Bif::Less | Bif::GreaterEqual => {
                let less = self.less(ctx, arg(0), arg(1))?;
                self.truth_if(less, bif == Bif::Less)
            }
            Bif::Greater | Bif::LessEqual => {
                let less = self.less(ctx, arg(1), arg(0))?;
                self.truth_if(less, bif == Bif::Greater)
            }
            Bif::Min | Bif::Max => {
                // Of equal values the first.
                let (x, y) = if bif == Bif::Min { (arg(1), arg(0)) } else { (arg(0), arg(1)) };
                let less = self.less(ctx, x, y)?;
                self.either_value(ctx, less, arg(1), arg(0))?
            }
            Bif::And | Bif::Or | Bif::Xor => {
                let (a, b) = (self.boolean(ctx, arg(0))?, self.boolean(ctx, arg(1))?);
                let result = match bif {
                    Bif::And => self.and(&[a, b]),
                    Bif::Or => self.or(&[a, b]),
                    _ => {
                        let same = self.mk(Op::Eq, &[a, b]);
                        self.not(same)
                    }
                };
                self.truth(result)
            }
            Bif::Not => {
                let condition = self.boolean(ctx, arg(0))?;
                self.truth_if(condition, false)
            }
            Bif::Hd => self.cell_part(ctx, arg(0), 0)?,
            Bif::Tl => self.cell_part(ctx, arg(0), 1)?,
            Bif::Length => Val::Int(i64::try_from(self.list_items(ctx, arg(0))?.len()).expect("a short list")),
            Bif::Element => self.element(ctx, arg(0), arg(1))?,
            Bif::SetElement => self.set_element(ctx, arg(0), arg(1), arg(2))?,
            Bif::TupleSize => Val::Int(i64::try_from(self.elements(ctx, arg(0))?.len()).expect("a small tuple")),
            Bif::TupleToList => {
                let items = self.elements(ctx, arg(0))?;
                self.heap.list(&items, Val::Nil)
            }
            Bif::ListToTuple => {
                let items = self.list_items(ctx, arg(0))?;
                self.heap.tuple(&items)
            }
            Bif::AppendElement => {
                let mut items = self.elements(ctx, arg(0))?;
                items.push(arg(1));
                self.heap.tuple(&items)
            }
            Bif::MakeTuple => {
                let size = self.integer(ctx, arg(0), Atom::BADARG)?;
                let size = self.fixed_integer(ctx, size, "the size of a tuple")?;
                match self.small(size).and_then(|size| usize::try_from(size).ok()).filter(|&size| size < 1 << 24) {
                    Some(size) => self.heap.tuple(&vec![arg(1); size]),
                    None => self.fail(ctx, badarg, Val::Nil)?,
                }
            }
            Bif::Size | Bif::BitSize | Bif::ByteSize => self.size(ctx, bif, arg(0))?,
            Bif::BinaryPart2 => {
                let pair = self.elements(ctx, arg(1))?;
                match pair[..] {
                    [start, length] => self.binary_part(ctx, arg(0), start, length)?,
                    _ => self.fail(ctx, badarg, Val::Nil)?,
                }
            }
            Bif::BinaryPart3 => self.binary_part(ctx, arg(0), arg(1), arg(2))?,
            Bif::AtomToList => self.atom_to_list(ctx, arg(0))?,
            Bif::MakeFun => self.make_fun(ctx, args)?,
            Bif::Error | Bif::Error2 | Bif::Error3 => return self.raise(ctx, Atom::ERROR, arg(0)),
            Bif::Exit => return self.raise(ctx, Atom::EXIT, arg(0)),
            Bif::Throw => return self.raise(ctx, Atom::THROW, arg(0)),
            Bif::Raise => return self.raise_again(ctx, args),
            _ => return self.arithmetic(ctx, bif, args),
        })
    }

    fn test(&mut self, value: Val, kind: Kind) -> Val {
        let condition = self.is_kind(value, kind);
        self.truth(condition)
    }

    fn truth_if(&mut self, condition: TermId, expected: bool) -> Val {
        let condition = if expected { condition } else { self.not(condition) };
        self.truth(condition)
    }

    /// A value that must be `true` or `false`, as a condition.
    pub(super) fn boolean(&mut self, ctx: &mut Ctx, value: Val) -> Res<TermId> {
        let boolean = self.is_kind(value, Kind::Boolean);
        self.require(ctx, boolean, Val::Atom(Atom::BADARG))?;
        Ok(match self.known(value) {
            Val::Cond(condition) => condition,
            Val::Atom(atom) => self.rec.terms.bool(atom == Atom::TRUE),
            Val::Sym(term) => self.is_atom(term, Atom::TRUE),
            _ => self.no(),
        })
    }

    /// One of two values. Numbers of one kind stay a term; otherwise it is decided.
    fn either_value(&mut self, ctx: &mut Ctx, condition: TermId, yes: Val, no: Val) -> Res<Val> {
        match self.rec.facts.holds(self.rec.terms, condition) {
            Some(true) => return Ok(yes),
            Some(false) => return Ok(no),
            None => {}
        }
        let (yes, no) = (self.known(yes), self.known(no));
        if let (Some(x), Some(y)) = (self.integer_term(yes), self.integer_term(no)) {
            let chosen = self.mk(Op::Ite, &[condition, x, y]);
            return Ok(self.integer_value(chosen));
        }
        let other = self.not(condition);
        Ok(if self.choose(ctx, &[condition, other])? == 0 { yes } else { no })
    }

    fn raise(&mut self, ctx: &mut Ctx, class: Atom, reason: Val) -> Res<Val> {
        match ctx.mode {
            super::Mode::Body(place) => Err(Stop::Raise(Exception { class, reason, place: Some(place) })),
            super::Mode::Guard => Err(Stop::Raise(Exception { class, reason, place: None })),
            super::Mode::Pure => self.fail(ctx, reason, Val::Nil),
        }
    }

    /// `erlang:raise/3`: with a class that is none it returns.
    fn raise_again(&mut self, ctx: &mut Ctx, args: &[Val]) -> Res<Val> {
        let class = self.fixed(ctx, args[0], "the class of an exception")?;
        match (class, self.known(args[2])) {
            // A list that is not a stack is not told from one: the run goes on elsewhere then, which is noticed.
            (Val::Atom(class @ (Atom::ERROR | Atom::EXIT | Atom::THROW)), Val::Stack(_) | Val::Nil | Val::Cons(_)) => {
                self.raise(ctx, class, args[1])
            }
            _ => Ok(Val::Atom(Atom::BADARG)),
        }
    }

    fn is_function(&mut self, ctx: &mut Ctx, fun: Val, arity: Val) -> Res<Val> {
        let arity = self.integer(ctx, arity, Atom::BADARG)?;
        let arity = self.fixed_integer(ctx, arity, "the arity of a function")?;
        if self.small(arity).is_some_and(|arity| arity < 0) {
            return self.fail(ctx, Val::Atom(Atom::BADARG), Val::Atom(Atom::FALSE));
        }
        let wanted = self.small(arity).and_then(|arity| u32::try_from(arity).ok());
        let condition = match self.known(fun) {
            Val::Fun(fun) => {
                let has = match self.heap.function(fun) {
                    FunVal::Closure(fun, ..) => self.program.code.function(fun).arity,
                    FunVal::External(_, _, arity) => arity,
                };
                self.rec.terms.bool(wanted == Some(has))
            }
            Val::Sym(term) => {
                let test = is(self.rec.terms, FUN, term);
                let own = self.domain.look_at_arity(&mut self.rec, term);
                let wanted = self.rec.terms.value(Value::Int(wanted.map_or(BigInt::from(-1), BigInt::from)));
                let same = self.mk(Op::Eq, &[own, wanted]);
                self.and(&[test, same])
            }
            Val::Other(other) => {
                // A fun from outside tells its arity in its first bytes.
                let bytes = self.heap.other(other);
                let has = if bytes.first() == Some(&112) { bytes.get(5).map(|&arity| u32::from(arity)) } else { None };
                self.rec.terms.bool(has.is_some() && has == wanted)
            }
            _ => self.no(),
        };
        Ok(self.truth(condition))
    }

    fn is_record(&mut self, ctx: &mut Ctx, value: Val, tag: Val, size: Option<Val>) -> Res<Val> {
        let atom = self.is_kind(tag, Kind::Atom);
        self.require(ctx, atom, Val::Atom(Atom::BADARG))?;
        let size = match size {
            Some(size) => {
                let size = self.integer(ctx, size, Atom::BADARG)?;
                let size = self.fixed_integer(ctx, size, "the size of a record")?;
                match self.small(size).and_then(|size| usize::try_from(size).ok()) {
                    Some(size) => Some(size),
                    None => return self.fail(ctx, Val::Atom(Atom::BADARG), Val::Atom(Atom::FALSE)),
                }
            }
            None => None,
        };
        let mut conditions = Vec::new();
        let first = match (self.known(value), size) {
            (Val::Tuple(tuple), size) => {
                let items = self.heap.elements(tuple);
                if items.is_empty() || size.is_some_and(|size| size != items.len()) {
                    return Ok(Val::Atom(Atom::FALSE));
                }
                items[0]
            }
            (Val::Sym(_), Some(0)) => return Ok(Val::Atom(Atom::FALSE)),
            (Val::Sym(term), Some(size)) => self.tuple_parts(term, size, &mut conditions)[0],
            (Val::Sym(term), None) => {
                let elements = crate::universe::select(self.rec.terms, crate::universe::TUPLE, 0, term);
                conditions.push(crate::universe::is(self.rec.terms, crate::universe::TUPLE, term));
                conditions.push(crate::universe::is(self.rec.terms, crate::universe::MORE, elements));
                Val::Sym(crate::universe::select(self.rec.terms, crate::universe::MORE, 0, elements))
            }
            _ => return Ok(Val::Atom(Atom::FALSE)),
        };
        match self.same(first, tag)? {
            Some(same) => conditions.extend(same),
            None => return Ok(Val::Atom(Atom::FALSE)),
        }
        let condition = self.and(&conditions);
        Ok(self.truth(condition))
    }

    fn size(&mut self, ctx: &mut Ctx, bif: Bif, value: Val) -> Res<Val> {
        if bif == Bif::Size {
            let ways = [self.is_kind(value, Kind::Tuple), self.is_kind(value, Kind::Bitstring)];
            let either = self.or(&ways);
            self.require(ctx, either, Val::Atom(Atom::BADARG))?;
            if self.choose(ctx, &ways)? == 0 {
                return Ok(Val::Int(i64::try_from(self.elements(ctx, value)?.len()).expect("a small tuple")));
            }
        }
        let value = self.require_bits(ctx, value, Kind::Bitstring)?;
        let fields = self.fields(ctx, value)?;
        let bits = super::value::length(&fields);
        let size = match bif {
            Bif::BitSize => bits,
            Bif::ByteSize => bits.div_ceil(8),
            // Rounds down.
            _ => bits / 8,
        };
        Ok(Val::Int(i64::try_from(size).expect("a short bitstring")))
    }

    fn atom_to_list(&mut self, ctx: &mut Ctx, value: Val) -> Res<Val> {
        let atom = self.is_kind(value, Kind::Atom);
        self.require(ctx, atom, Val::Atom(Atom::BADARG))?;
        let atom = match self.known(value) {
            Val::Atom(atom) => atom,
            Val::Cond(condition) => {
                let other = self.not(condition);
                if self.choose(ctx, &[condition, other])? == 0 { Atom::TRUE } else { Atom::FALSE }
            }
            Val::Sym(term) => self.spelled(ctx, term)?,
            _ => return Ok(Val::Nil),
        };
        let codes: Vec<Val> = self.atoms.name(atom).chars().map(|c| Val::Int(i64::from(u32::from(c)))).collect();
        Ok(self.heap.list(&codes, Val::Nil))
    }

    /// An atom whose characters matter: one of those that the program writes, as atoms or as strings, is a way of its own; others are fixed.
    fn spelled(&mut self, ctx: &Ctx, term: TermId) -> Res<Atom> {
        if matches!(ctx.mode, super::Mode::Pure) {
            return Err(Stop::Split);
        }
        let known = self.program.spellings.clone();
        let Value::Data(now) = self.rec.value(term) else { return Err(Stop::Lost("an atom is none".to_owned())) };
        for atom in known {
            let is = self.is_atom(term, atom);
            let not = self.not(is);
            if self.choose(ctx, &[not, is])? == 1 {
                return Ok(atom);
            }
        }
        drop(now);
        match self.fixed(ctx, Val::Sym(term), "the characters of an atom")? {
            Val::Atom(atom) => Ok(atom),
            _ => Err(Stop::Lost("an atom is none".to_owned())),
        }
    }

    fn make_fun(&mut self, ctx: &mut Ctx, args: &[Val]) -> Res<Val> {
        let mut fixed = [Val::Nil; 3];
        for (to, &arg) in fixed.iter_mut().zip(args) {
            *to = self.fixed(ctx, arg, "the name of a function")?;
        }
        match fixed {
            [Val::Atom(module), Val::Atom(name), Val::Int(arity)] if (0..=255).contains(&arity) => {
                Ok(self.heap.fun(FunVal::External(module, name, u32::try_from(arity).expect("few parameters"))))
            }
            _ => self.fail(ctx, Val::Atom(Atom::BADARG), Val::Nil),
        }
    }

    fn arithmetic(&mut self, ctx: &mut Ctx, bif: Bif, args: &[Val]) -> Res<Val> {
        match bif {
            Bif::Add | Bif::Subtract | Bif::Multiply => {
                let (a, b) = (self.number(ctx, args[0])?, self.number(ctx, args[1])?);
                match (a, b) {
                    (Num::Integer(a), Num::Integer(b)) => self.integers(ctx, bif, a, b),
                    (Num::Integer(a) | Num::Float(a), Num::Integer(b) | Num::Float(b)) => self.floats(ctx, bif, a, b),
                }
            }
            Bif::Divide => {
                let (Num::Integer(a) | Num::Float(a), Num::Integer(b) | Num::Float(b)) =
                    (self.number(ctx, args[0])?, self.number(ctx, args[1])?);
                self.floats(ctx, bif, a, b)
            }
            Bif::Div | Bif::Rem => {
                let (a, b) = (self.integer(ctx, args[0], REASON)?, self.integer(ctx, args[1], REASON)?);
                self.quotient(ctx, bif, a, b)
            }
            Bif::Plus => match self.number(ctx, args[0])? {
                Num::Integer(value) | Num::Float(value) => Ok(value),
            },
            Bif::Negate => match self.number(ctx, args[0])? {
                Num::Integer(value) => self.integers(ctx, Bif::Subtract, Val::Int(0), value),
                Num::Float(value) => {
                    let float = self.float_term(value).expect("a float");
                    let negated = self.mk(Op::FpNeg, &[float]);
                    self.finite(ctx, negated)
                }
            },
            Bif::Band | Bif::Bor | Bif::Bxor => {
                let (a, b) = (self.integer(ctx, args[0], REASON)?, self.integer(ctx, args[1], REASON)?);
                self.bitwise(ctx, bif, a, b)
            }
            Bif::Bnot => {
                let value = self.integer(ctx, args[0], REASON)?;
                self.integers(ctx, Bif::Subtract, Val::Int(-1), value)
            }
            Bif::Bsl | Bif::Bsr => {
                let (value, distance) = (self.integer(ctx, args[0], REASON)?, self.integer(ctx, args[1], REASON)?);
                self.shifted(ctx, value, distance, bif == Bif::Bsl)
            }
            _ => self.conversion(ctx, bif, args[0]),
        }
    }

    /// `abs`, `float`, and the ways to round.
    fn conversion(&mut self, ctx: &mut Ctx, bif: Bif, value: Val) -> Res<Val> {
        // Unlike operators, these say badarg.
        let number = self.is_kind(value, Kind::Number);
        self.require(ctx, number, Val::Atom(Atom::BADARG))?;
        match (bif, self.number(ctx, value)?) {
            (Bif::Abs, Num::Integer(value)) => {
                let negated = self.integers(ctx, Bif::Subtract, Val::Int(0), value)?;
                let less = self.numbers_less(ctx, value, Val::Int(0))?;
                self.either_value(ctx, less, negated, value)
            }
            (Bif::Abs, Num::Float(value)) => {
                let float = self.float_term(value).expect("a float");
                let size = self.mk(Op::FpAbs, &[float]);
                Ok(self.float_value(size))
            }
            (Bif::Float, Num::Integer(value) | Num::Float(value)) => {
                // An integer that is too large is a bad argument here.
                if let (Val::Big(_), super::Mode::Body(_)) = (value, ctx.mode)
                    && self.float_of_big(value).is_none()
                {
                    return self.fail(ctx, Val::Atom(Atom::BADARG), Val::Float(0.0));
                }
                self.float_of(ctx, value)
            }
            (_, Num::Integer(value)) => Ok(value),
            (bif, Num::Float(value)) => {
                let rounding = match bif {
                    Bif::Trunc => Rounding::Zero,
                    Bif::Round => Rounding::NearestAway,
                    Bif::Floor => Rounding::Down,
                    _ => Rounding::Up,
                };
                self.integer_of(ctx, value, rounding)
            }
        }
    }

    fn float_of_big(&self, value: Val) -> Option<f64> {
        use num_traits::ToPrimitive;
        self.heap.to_big(value).to_f64().filter(|float| float.is_finite())
    }

    /// `+`, `-` or `*` of integers.
    fn integers(&mut self, ctx: &mut Ctx, bif: Bif, a: Val, b: Val) -> Res<Val> {
        if let (Val::Int(x), Val::Int(y)) = (a, b) {
            let result = match bif {
                Bif::Add => x.checked_add(y),
                Bif::Subtract => x.checked_sub(y),
                _ => x.checked_mul(y),
            };
            if let Some(result) = result {
                return Ok(Val::Int(result));
            }
        }
        if let (Val::SymInt(_), _) | (_, Val::SymInt(_)) = (a, b) {
            let (x, y) = (self.integer_term(a).expect("an integer"), self.integer_term(b).expect("an integer"));
            let op = match bif {
                Bif::Add => Op::Add,
                Bif::Subtract => Op::Sub,
                _ => Op::Mul,
            };
            let result = self.mk(op, &[x, y]);
            return Ok(self.integer_value(result));
        }
        let (x, y) = (self.heap.to_big(a), self.heap.to_big(b));
        if bif == Bif::Multiply && x.bits() + y.bits() > LONGEST {
            return Err(Stop::Lost(format!("an integer of more than {LONGEST} bits at {}", self.at(ctx))));
        }
        Ok(self.heap.integer(match bif {
            Bif::Add => x + y,
            Bif::Subtract => x - y,
            _ => x * y,
        }))
    }

    /// `+`, `-`, `*` or `/` where a float takes part.
    fn floats(&mut self, ctx: &mut Ctx, bif: Bif, a: Val, b: Val) -> Res<Val> {
        let (a, b) = (self.float_of(ctx, a)?, self.float_of(ctx, b)?);
        let (x, y) = (self.float_term(a).expect("a float"), self.float_term(b).expect("a float"));
        let nearest = Rounding::NearestEven;
        let op = match bif {
            Bif::Add => Op::FpAdd(nearest),
            Bif::Subtract => Op::FpSub(nearest),
            Bif::Multiply => Op::FpMul(nearest),
            _ => {
                let zero = self.mk(Op::FpIsZero, &[y]);
                let fine = self.not(zero);
                self.require(ctx, fine, Val::Atom(Atom::BADARITH))?;
                Op::FpDiv(nearest)
            }
        };
        let result = self.mk(op, &[x, y]);
        self.finite(ctx, result)
    }

    /// `div` or `rem`, which round towards zero.
    fn quotient(&mut self, ctx: &mut Ctx, bif: Bif, a: Val, b: Val) -> Res<Val> {
        let (x, y) = (self.integer_term(a).expect("an integer"), self.integer_term(b).expect("an integer"));
        let zero = self.rec.terms.value(Value::Int(0.into()));
        let by_zero = self.mk(Op::Eq, &[y, zero]);
        let fine = self.not(by_zero);
        self.require(ctx, fine, Val::Atom(Atom::BADARITH))?;
        if let (Val::Int(_) | Val::Big(_), Val::Int(_) | Val::Big(_)) = (a, b) {
            let (x, y) = (self.heap.to_big(a), self.heap.to_big(b));
            if y == 0.into() {
                return Ok(Val::Int(0));
            }
            return Ok(self.heap.integer(if bif == Bif::Div { x / y } else { x % y }));
        }
        // For a dividend that is not negative, SMT-LIB's quotient rounds to zero as well.
        let negative = self.mk(Op::Lt, &[x, zero]);
        let (size, minus) = (self.mk(Op::Neg, &[x]), negative);
        let positive = self.mk(Op::Ite, &[minus, size, x]);
        let op = if bif == Bif::Div { Op::IntDiv } else { Op::IntMod };
        let result = self.mk(op, &[positive, y]);
        let turned = self.mk(Op::Neg, &[result]);
        let result = self.mk(Op::Ite, &[negative, turned, result]);
        Ok(self.integer_value(result))
    }
}

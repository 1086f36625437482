//! Calls: arguments and results carry their handles through the control block (the protocol is in `runtimes/c/rt.h`).
//!
//! Functions that are not instrumented are the business of [`super::foreign`]; functions of the runtime itself are not foreign.

use super::assembly::Assembly;
use super::exceptions;
use super::followed;
use super::hooks;
use super::intrinsic_calls;
use super::landings;
use super::lasting;
use super::llvm::Value;
use super::ops;
use super::ours;
use super::runtime::{ALLOCATORS, is_runtime};
use super::synchronise;
use super::uninitialised;
use super::walk::Walker;

/// Handles of arguments that a call can pass (`XC_ARGS`).
const ARGUMENTS: u32 = 512;
/// Handles of results (`XC_RETS` and the first).
pub(super) const RESULTS: u32 = 16;
/// Structs by value in memory (`XC_BYVALS`).
const BYVALS: u32 = 16;
/// Variadic arguments (`XC_VAS`), and the words a callee keeps of them: a count and 24 bytes for each.
const VARIADIC: u32 = 32;
const VARIADIC_WORDS: u32 = 1 + 3 * VARIADIC;

/// Functions of the C library that are one node, by name without the `f` of `float`.
const MATH: &[(&str, u32)] = &[
    ("sqrt", ops::FSQRT),
    ("fmod", ops::FREM),
    ("fabs", ops::FABS),
    ("floor", ops::FFLOOR),
    ("ceil", ops::FCEIL),
    ("trunc", ops::FTRUNC),
    ("rint", ops::FRINT),
    ("nearbyint", ops::FRINT),
    ("roundeven", ops::FRINT),
    ("round", ops::FROUND),
    ("copysign", ops::FCOPYSIGN),
    ("fmin", ops::FMIN),
    ("fmax", ops::FMAX),
    ("fma", ops::FMA),
];

/// The operator of a function of `math.h` on `double` or `float`.
pub(super) fn math(name: &str) -> Option<u32> {
    let row = MATH.iter().find(|(n, _)| *n == name || name.strip_suffix('f') == Some(n));
    row.map(|r| r.1)
}

impl Walker<'_> {
    pub(super) fn call(&mut self, i: Value) {
        let callee = i.callee();
        if let Some(assembly) = Assembly::of(i) {
            return self.assembly(i, &assembly);
        }
        if !callee.is_function() {
            return self.call_pointer(i, callee);
        }
        if uninitialised::is_source(callee) {
            let node = |width: Option<u32>| width.and_then(uninitialised::handle).map_or_else(|| self.emit.zero(), |n| self.emit.int(n));
            let handles = self.leaves(i.ty()).iter().map(|leaf| node(leaf.ty.width())).collect();
            return self.set_all(i, handles);
        }
        if callee.is_intrinsic() {
            return self.intrinsic(i, &callee.name());
        }
        if self.program.instrumented.contains(&callee) {
            if callee.name() == ours::own_name("fork") {
                self.shares(i, "fork", &[]);
            }
            self.pass(i, callee.value_type().is_variadic());
            let ours = self.emit.int(1);
            self.emit.after(i);
            return self.receive(i, ours);
        }
        let name = callee.name();
        if name == hooks::EXPLORED.again {
            return self.holds(i, "xch_assume");
        }
        // A hook that was there before the walk.
        if !name.starts_with("xch_") {
            self.call_foreign(i, &name);
        }
    }

    fn call_pointer(&mut self, i: Value, callee: Value) {
        if let Some(&site) = self.sites.get(&i) {
            self.emit.before(i);
            let to = self.emit.word(callee);
            self.emit.hook("xch_target", &[self.one(callee), to, self.emit.int(site.0)]);
        }
        // It may be foreign code.
        self.emit.before(i);
        self.follow_address(callee);
        self.emit.hook("xch_leaving", &[]);
        let arguments = i.arguments();
        let to = self.emit.word(callee);
        let ours = self.emit.hook("xch_is_ours", &[to]);
        self.pointed(i, &arguments, ours);
        self.pass(i, i.called_type().is_variadic() || i.called_type().param_count() as usize != arguments.len());
        if i.is_must_tail() {
            return;
        }
        self.emit.after(i);
        let to = self.emit.word(callee);
        let ours = self.emit.hook("xch_returned_by", &[to]);
        self.untold_unless(ours);
        self.receive(i, ours);
    }

    /// Hands over the handles of the arguments. If all are concrete there is nothing to hand over: the callee finds no tag.
    pub(super) fn pass(&mut self, i: Value, variadic: bool) {
        let arguments = i.arguments();
        let fixed = if variadic { i.called_type().param_count() as usize } else { arguments.len() };
        let byval = |n: usize| i.call_type_attribute(u32::try_from(n).expect("few arguments") + 1, "byval");
        let has_byval = (0..arguments.len()).any(|n| byval(n).is_some());
        if !variadic && !has_byval && !self.any_symbolic(&arguments) {
            return;
        }
        self.emit.before(i);
        let (mut next, mut next_byval) = (0, 0);
        for (n, &argument) in arguments.iter().take(fixed).enumerate() {
            if byval(n).is_some() && next_byval < BYVALS {
                let from = self.emit.word(argument);
                self.emit.hook("xch_byval_arg", &[self.emit.int(next_byval), from]);
                next_byval += 1;
                continue;
            }
            for handle in self.all(argument) {
                if next < ARGUMENTS {
                    self.emit.hook("xch_arg", &[self.emit.int(next), handle]);
                }
                next += 1;
            }
        }
        if next > ARGUMENTS {
            self.lost(i, "more than 512 scalar arguments");
            self.emit.before(i);
        }
        if variadic {
            self.pass_variadic(i, fixed);
        }
        let to = self.emit.word(i.callee());
        self.emit.hook("xch_call", &[to]);
    }

    fn pass_variadic(&mut self, i: Value, fixed: usize) {
        let mut count = 0;
        for (n, argument) in i.arguments().into_iter().enumerate().skip(fixed) {
            if count == VARIADIC {
                self.lost(i, "more than 32 variadic arguments");
                self.emit.before(i);
                break;
            }
            let position = u32::try_from(n).expect("few arguments") + 1;
            let none = self.emit.long(0);
            let at = self.emit.int(count);
            if let Some(ty) = i.call_type_attribute(position, "byval") {
                let from = self.emit.word(argument);
                let size = self.emit.layout.size(ty);
                // The alignment, 8 or 16, goes in the handle's place.
                let align = self.emit.int(i.argument_alignment(position).max(8));
                self.emit.hook("xch_va_arg", &[at, align, self.emit.int(2), self.emit.long(size), from]);
            } else if argument.ty().width().is_some_and(|w| w <= 64) {
                let kind = u32::from(argument.ty().is_float());
                self.emit.hook("xch_va_arg", &[at, self.one(argument), self.emit.int(kind), none, none]);
            } else {
                // long double and 128-bit integers: 16 bytes of concrete memory.
                let (align, size) = (self.emit.int(16), self.emit.long(self.emit.layout.size(argument.ty())));
                self.emit.hook("xch_va_arg", &[at, align, self.emit.int(2), size, none]);
            }
            count += 1;
        }
        self.emit.hook("xch_va_count", &[self.emit.long(u64::from(count))]);
    }

    /// Takes the handles of the result, if `ours`: an instrumented function returned. The builder stands after the call.
    pub(super) fn receive(&mut self, i: Value, ours: Value) {
        let leaves = self.leaves(i.ty());
        if i.is_must_tail() || leaves.is_empty() {
            return;
        }
        let mut handles = Vec::new();
        for (n, leaf) in (0..).zip(&leaves) {
            let tracked = n < RESULTS && leaf.ty.width().is_some();
            handles.push(if tracked { self.emit.hook("xch_result", &[ours, self.emit.int(n)]) } else { self.emit.zero() });
        }
        self.set_all(i, handles);
    }

    fn call_foreign(&mut self, i: Value, name: &str) {
        let arguments = i.arguments();
        match name {
            "__xcute_input" => return self.input(i, &arguments),
            "__xcute_bound" => {
                self.emit.before(i);
                self.emit.hook("xch_bound", &[self.one(arguments[0]), self.one(arguments[1])]);
                return;
            }
            "__xcute_assume" => return self.holds(i, "xch_assume"),
            "__xcute_assert" => return self.holds(i, "xch_assert"),
            "__xcute_choose" | "__xcute_block" | "__xcute_text" => self.beyond(i, name),
            "memcpy" | "memmove" | "mempcpy" => return self.copy(i),
            "memset" => return self.fill(i),
            // The runtime has one for all.
            "_Fork" | "__fork" => return self.emit.redirect(i, "fork"),
            _ => {}
        }
        if self.program.threads && synchronise::is_served(i, name) {
            return self.synchronise(i, name);
        }
        if followed::is_untold(name) {
            self.emit.before(i);
            self.untold_call(name);
        }
        if let Some(op) = math(name).filter(|_| i.ty().is_float() && arguments.iter().all(|a| a.ty() == i.ty())) {
            return self.math_node(i, op);
        }
        if ALLOCATORS.contains(&name) {
            let Some(&site) = self.sites.get(&i) else { return };
            self.emit.before(i);
            let sizes: Vec<Value> = arguments.iter().filter(|a| !a.ty().is_pointer()).copied().collect();
            let (none, one) = (self.emit.zero(), self.emit.long(1));
            let size = |v: Value| (self.one(v), self.emit.word(v));
            let ((ha, a), (hb, b)) = match (name, sizes.as_slice()) {
                ("malloc" | "realloc", &[bytes]) => (size(bytes), (none, one)),
                ("calloc", &[count, bytes]) => (size(count), size(bytes)),
                _ => {
                    for size in sizes {
                        self.emit.hook("xch_pin", &[self.one(size), self.emit.int(site.0)]);
                    }
                    return;
                }
            };
            self.emit.hook("xch_size", &[ha, a, hb, b, self.emit.int(site.0)]);
            return;
        }
        if landings::is_jump(name) {
            return self.jump(i, name);
        }
        if i.has_call_attribute("returns_twice") {
            self.emit.before(i);
            let frame = self.emit.hook("xch_frame", &[]);
            if landings::is_landing(i) {
                self.landing(i);
            }
            self.emit.after(i);
            self.emit.hook("xch_unframe", &[frame]);
            // Whoever comes here a second time left the foreign code that was under way.
            self.emit.hook("xch_inside", &[self.emit.zero(), self.emit.zero()]);
        }
        // Models say themselves what they share.
        if !ours::knows_files(&self.function.name()) {
            self.shares(i, name, &arguments);
        }
        if lasting::contains(name) {
            self.emit.before(i);
            self.emit.hook("xch_lasting", &[]);
        }
        if exceptions::is_not_followed(name) {
            self.not_followed(i, name, &arguments);
        } else if !is_runtime(name) {
            self.foreign(i, name, &arguments);
        }
    }

    /// `__xcute_input(at, size, name, N)`: N becomes the key.
    fn input(&mut self, i: Value, arguments: &[Value]) {
        let number = arguments.get(3).and_then(|n| n.constant()).and_then(|n| u32::try_from(n).ok());
        let key = {
            let name = arguments.get(2).and_then(|n| n.string()).unwrap_or_else(|| "input".to_owned());
            self.program.input_key(i, &self.function.name(), number.unwrap_or(u32::MAX), name)
        };
        self.emit.set_operand(i, 3, self.emit.int(key));
        self.emit.redirect(i, "__xcute_input_typed");
    }

    fn holds(&mut self, i: Value, hook: &'static str) {
        let Some(&site) = self.sites.get(&i) else { return };
        let condition = i.operand(0);
        self.emit.before(i);
        self.emit.hook(hook, &[self.one(condition), condition, self.emit.int(site.0)]);
    }

    pub(super) fn math_node(&mut self, i: Value, op: u32) {
        let arguments = i.arguments();
        match op {
            ops::FMIN => return intrinsic_calls::nodes(self, i, 24, &arguments),
            ops::FMAX => return intrinsic_calls::nodes(self, i, 25, &arguments),
            _ => {}
        }
        if !self.any_symbolic(&arguments) || i.ty().width().is_none() {
            return self.lost(i, "mathematical function on long double or vectors");
        }
        self.emit.after(i);
        let handle = match arguments.as_slice() {
            [a] => self.unary_node(op, *a, i),
            [a, b] => self.binary_node(op, *a, *b, i),
            [a, b, c] => {
                let [ha, hb, hc] = [*a, *b, *c].map(|v| self.one(v));
                let [va, vb, vc, r] = [*a, *b, *c, i].map(|v| self.emit.word(v));
                let code = self.code(op, i.ty().width().unwrap_or(64));
                self.emit.hook("xch_fma", &[code, ha, hb, hc, va, vb, vc, r])
            }
            _ => self.emit.zero(),
        };
        self.set(i, handle);
    }

    /// The start of a function: whose arguments are these, and the handles they came with.
    pub(super) fn prologue(&mut self) {
        let Some(&entry) = self.function.blocks().first() else { return };
        let variadic = self.function.value_type().is_variadic();
        let first = entry.instructions().first().copied();
        if variadic {
            self.variadic = Some(self.emit.buffer(entry, VARIADIC_WORDS));
        }
        // The first instruction, before all allocas, which are registered where they stand.
        let Some(first) = first else { return };
        self.emit.before(first);
        if self.program.follow {
            let own = self.emit.word(self.function);
            self.emit.hook("xch_follow_enter", &[own]);
        }
        if self.has_locals() || self.has_byval() {
            self.frame = Some(self.emit.hook("xch_frame", &[]));
        }
        self.emit.hook("xch_fuel", &[]);
        self.called_back();
        let params = self.function.params();
        if params.is_empty() && !variadic {
            return;
        }
        let own = self.emit.word(self.function);
        let ours = self.emit.hook("xch_enter", &[own]);
        let (mut next, mut next_byval) = (0, 0);
        for (n, &param) in (1..).zip(&params) {
            if let Some(ty) = self.function.type_attribute(n, "byval").filter(|_| next_byval < BYVALS) {
                let at = self.emit.word(param);
                let size = self.emit.long(self.emit.layout.size(ty));
                let name = self.program.local(&param.name(), &self.function.name());
                self.emit.hook("xch_local", &[at, size, self.emit.int(name), self.emit.zero()]);
                self.emit.hook("xch_byval_param", &[ours, self.emit.int(next_byval), at, size]);
                if self.program.follow {
                    self.emit.hook("xch_follow_byval", &[ours, self.emit.int(next_byval), at, size]);
                }
                next_byval += 1;
                continue;
            }
            let mut handles = Vec::new();
            for leaf in self.leaves(param.ty()) {
                let tracked = next < ARGUMENTS && leaf.ty.width().is_some();
                handles.push(if tracked { self.emit.hook("xch_param", &[ours, self.emit.int(next)]) } else { self.emit.zero() });
                next += 1;
            }
            self.set_all(param, handles);
        }
        if let Some(buffer) = self.variadic {
            self.emit.hook("xch_va_save", &[ours, buffer]);
        }
    }

    fn has_byval(&self) -> bool {
        (1..).zip(self.function.params()).any(|(n, _)| self.function.type_attribute(n, "byval").is_some())
    }

    fn has_locals(&self) -> bool {
        let blocks = self.function.blocks();
        blocks.iter().any(|b| b.instructions().iter().any(|i| i.opcode() == inkwell::llvm_sys::LLVMOpcode::LLVMAlloca))
    }

    fn intrinsic(&mut self, i: Value, name: &str) {
        intrinsic_calls::walk(self, i, name);
    }
}

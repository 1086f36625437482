//! Calls that leave what is followed, or may: their values come with the events, unless it turns out at run time that they go to a copy.

use super::{Pass, take};
use crate::core::ast::{Anno, Clause, EventId, Expr, SILENT};
use crate::etf::Atom;

impl Pass<'_> {
    /// Tells that a call begins of which nobody knows what it starts, and then its value or its exception.
    pub(super) fn leaving(&mut self, id: EventId, expr: &mut Expr) {
        self.told(self.names.left, id, expr);
    }

    /// Tells that a computation begins, and then its value or its exception.
    pub(super) fn opaque(&mut self, id: EventId, expr: &mut Expr) {
        self.told(self.names.event, id, expr);
    }

    fn told(&mut self, begins: Atom, id: EventId, expr: &mut Expr) {
        let tell = Expr::call(Atom::XCUTE_RT, begins, vec![self.number(id)]);
        *expr = Expr::Seq(Anno::generated(), Box::new(tell), Box::new(take(expr)));
        let [value, class, reason, raw] = std::array::from_fn(|_| self.fresh());
        let told = Expr::call(Atom::XCUTE_RT, self.names.value, vec![self.number(id + 1), value.clone()]);
        let raised = Expr::call(Atom::XCUTE_RT, self.names.raised, vec![self.number(id + 2), class.clone(), reason.clone()]);
        let again = Expr::Primop { anno: Anno::generated(), name: Atom::RAISE, args: vec![raw.clone(), reason.clone()], id: SILENT };
        *expr = Expr::Try {
            anno: Anno::generated(),
            arg: Box::new(take(expr)),
            vars: vec![value],
            body: Box::new(told),
            evars: vec![class, reason, raw],
            handler: Box::new(Expr::Seq(Anno::generated(), Box::new(raised), Box::new(again))),
            id: SILENT,
        };
    }

    /// A choice at run time: `opaque`, or what `answer` then is. It matches everything: the compiler shares the failure of cases that do not,
    /// also between inside and outside of a `try`, which the loader refuses.
    fn choice(&mut self, id: EventId, ask: Expr, mut original: Expr, answer: Expr, followed: Expr) -> Expr {
        self.leaving(id, &mut original);
        let clause = |pattern, body| Clause { anno: Anno::generated(), patterns: vec![pattern], guard: Expr::atom(Atom::TRUE), body };
        let clauses = vec![clause(Expr::atom(Atom::OPAQUE), original), clause(answer, followed)];
        Expr::Case { anno: Anno::generated(), arg: Box::new(ask), clauses, id: SILENT }
    }

    /// A value is applied.
    pub(super) fn applied(&mut self, expr: &mut Expr) {
        let Expr::Apply { anno, op, args, id } = take(expr) else { unreachable!("only called for apply") };
        let arity = Expr::int(i64::try_from(args.len()).expect("few arguments"));
        let ask = Expr::call(Atom::XCUTE_RT, self.names.callee, vec![(*op).clone(), arity]);
        let callee = self.fresh();
        let followed = Expr::Apply { anno: anno.clone(), op: Box::new(callee.clone()), args: args.clone(), id: SILENT };
        let original = Expr::Apply { anno, op, args, id: SILENT };
        *expr = self.choice(id, ask, original, callee, followed);
    }

    /// A function is called whose module or name is computed.
    pub(super) fn dispatched(&mut self, expr: &mut Expr, id: EventId) {
        let Expr::Call { anno, module, name, args, .. } = take(expr) else { unreachable!("only called for calls") };
        let arity = Expr::int(i64::try_from(args.len()).expect("few arguments"));
        let ask = Expr::call(Atom::XCUTE_RT, self.names.target, vec![(*module).clone(), (*name).clone(), arity]);
        let target = self.fresh();
        let followed = self.parts(&target, |copy, function| Expr::Call {
            anno: anno.clone(),
            module: Box::new(copy),
            name: Box::new(function),
            args: args.clone(),
            id: SILENT,
        });
        let original = Expr::Call { anno, module, name, args, id: SILENT };
        *expr = self.choice(id, ask, original, target, followed);
    }

    /// What is made of the two elements of a pair.
    fn parts(&mut self, pair: &Expr, make: impl FnOnce(Expr, Expr) -> Expr) -> Expr {
        let vars: [Expr; 2] = std::array::from_fn(|_| self.fresh());
        let element = self.atoms.intern("element");
        let made = make(vars[0].clone(), vars[1].clone());
        (1..).zip(vars).fold(made, |body, (n, var)| {
            let arg = Box::new(Expr::call(Atom::ERLANG, element, vec![Expr::int(n), pair.clone()]));
            Expr::Let { anno: Anno::generated(), vars: vec![var], arg, body: Box::new(body) }
        })
    }

    /// `erlang:apply` with a list of arguments.
    pub(super) fn applied_list(&mut self, expr: &mut Expr, id: EventId) {
        let original = take(expr);
        let Expr::Call { anno, args, .. } = &original else { unreachable!("only called for calls") };
        let (anno, args) = (anno.clone(), args.clone());
        let ask = Expr::call(Atom::XCUTE_RT, self.names.applied, args.clone());
        let list = args.last().expect("a list of arguments").clone();
        let call = |args| {
            let (module, name) = (Box::new(Expr::atom(Atom::ERLANG)), Box::new(Expr::atom(Atom::APPLY)));
            Expr::Call { anno: anno.clone(), module, name, args, id: SILENT }
        };
        let callee = self.fresh();
        let followed = if args.len() == 2 {
            call(vec![callee.clone(), list])
        } else {
            self.parts(&callee, |copy, function| call(vec![copy, function, list]))
        };
        *expr = self.choice(id, ask, original, callee, followed);
    }
}

//! Queries: a scope per constraint of the path, kept between queries, so that sibling queries share their common prefix.

use xcute_solver::{Answer, Count, Effort, Query, Solver, Why};
use xcute_term::{Model, TermId, Terms};

use crate::ffi::{Ast, Engine, SolverId, Verdict, Whole};
use crate::interrupt::Interrupt;
use crate::read;
use crate::translate::{FLOATS, Theories, Translation, UNBOUNDED};

/// Z3's resource units per unit of effort.
const UNITS: u64 = 1000;
/// Terms translated before the context is dropped and everything begins anew.
const DEFAULT_LIMIT: usize = 1 << 20;

/// Which of Z3's solvers a query goes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Lane {
    /// Booleans and bit-vectors.
    Words,
    /// The same and floats.
    Floats,
    /// Everything.
    General,
}

impl Lane {
    fn of(theories: Theories) -> Lane {
        if theories & UNBOUNDED != 0 {
            Lane::General
        } else if theories & FLOATS != 0 {
            Lane::Floats
        } else {
            Lane::Words
        }
    }

    fn engine(self) -> Engine {
        match self {
            Lane::Words => Engine::Logic(c"QF_AUFBV"),
            Lane::Floats => Engine::Logic(c"QF_FPBV"),
            Lane::General => Engine::General,
        }
    }
}

/// A solver with the constraints that are asserted in it, one scope each.
struct Stack {
    solver: SolverId,
    asserted: Vec<TermId>,
    effort: Effort,
}

/// Z3 as a solver for every sort. What it has no operator for (`FpFmod`) is `Unknown(Unsupported)`, as is every error of Z3.
///
/// A model is a patch of the hint: it holds the variables of the query whose value differs from the hint's. A unit of effort is
/// 1000 of Z3's resource units, so an answer does not depend on the machine.
///
/// All queries must be over one arena, since terms are remembered by their number. An arena never shrinks, so one with fewer terms
/// than the last is seen to be another, and everything is dropped; one with more terms is not noticed.
pub struct Z3 {
    session: Option<Whole<Session>>,
    limit: usize,
    /// The number of terms at the last query.
    arena: usize,
    count: Count,
    restarts: u64,
    interrupt: Interrupt,
}

/// A context and what was built in it.
struct Session {
    translation: Translation,
    stacks: [Option<Stack>; 3],
}

impl Default for Z3 {
    fn default() -> Z3 {
        Z3::new()
    }
}

impl Z3 {
    /// A solver that starts afresh after a million terms.
    #[must_use]
    pub fn new() -> Z3 {
        Z3::with_limit(DEFAULT_LIMIT)
    }

    /// A solver that drops everything and starts afresh after so many terms.
    #[must_use]
    pub fn with_limit(terms: usize) -> Z3 {
        Z3 {
            session: None,
            limit: terms,
            arena: 0,
            count: Count { layer: "z3", ..Count::default() },
            restarts: 0,
            interrupt: Interrupt::default(),
        }
    }

    /// The same, and its queries are ended by this.
    #[must_use]
    pub fn interruptible(self, interrupt: &Interrupt) -> Z3 {
        Z3 { interrupt: interrupt.clone(), ..self }
    }

    /// How often everything was dropped because the limit was reached, Z3 reported an error, or the arena was another.
    #[must_use]
    pub fn restarts(&self) -> u64 {
        self.restarts
    }

    fn answer(&mut self, terms: &Terms, query: &Query<'_>) -> Answer {
        let full = self.session.as_ref().is_some_and(|s| s.0.translation.size() > self.limit);
        if full || terms.len() < self.arena {
            self.drop_session();
        }
        self.arena = terms.len();
        if self.session.is_none() {
            self.session = Session::new(&self.interrupt).map(Whole);
        }
        let Some(Whole(session)) = &mut self.session else { return Answer::Unknown(Why::Unsupported) };
        let Some(constraints) = session.translate(terms, query) else { return Answer::Unknown(Why::Unsupported) };
        match session.answer(terms, query, &constraints) {
            Some(answer) => answer,
            None => {
                // Z3 reported an error in the middle of things: what its solvers hold is no longer known.
                self.drop_session();
                Answer::Unknown(Why::Unsupported)
            }
        }
    }

    fn drop_session(&mut self) {
        self.session = None;
        self.restarts += 1;
    }
}

/// The constraints of a query in Z3's terms, the goal last, and the lane they need.
struct Constraints {
    lane: Lane,
    asts: Vec<Ast>,
}

impl Session {
    fn new(interrupt: &Interrupt) -> Option<Session> {
        Some(Session { translation: Translation::new(interrupt)?, stacks: [None, None, None] })
    }

    fn translate(&mut self, terms: &Terms, query: &Query<'_>) -> Option<Constraints> {
        let mut theories = 0;
        let mut asts = Vec::with_capacity(query.path.len() + 1);
        for t in query.path.iter().copied().chain([query.goal]) {
            let (ast, needs) = self.translation.term(terms, t)?;
            theories |= needs;
            asts.push(ast);
        }
        Some(Constraints { lane: Lane::of(theories), asts })
    }

    /// `None` on an error of Z3.
    fn answer(&mut self, terms: &Terms, query: &Query<'_>, constraints: &Constraints) -> Option<Answer> {
        let lane = constraints.lane;
        let mut stack = match self.stacks[lane as usize].take() {
            Some(stack) => stack,
            None => Stack { solver: self.translation.context.new_solver(lane.engine())?, asserted: Vec::new(), effort: Effort(0) },
        };
        let context = &self.translation.context;
        if stack.effort != query.effort {
            let units = query.effort.0.saturating_mul(UNITS).clamp(1, u64::from(u32::MAX));
            context.limit(stack.solver, u32::try_from(units).unwrap_or(u32::MAX))?;
            stack.effort = query.effort;
        }
        let answer = if lane == Lane::Floats {
            self.at_once(terms, query, constraints, stack.solver)
        } else {
            self.scoped(terms, query, constraints, &mut stack)
        };
        self.stacks[lane as usize] = Some(stack);
        answer
    }

    /// All constraints at once and without names: Z3 then uses its tactic for floats, which is no solver of scopes and cores.
    fn at_once(&mut self, terms: &Terms, query: &Query<'_>, constraints: &Constraints, solver: SolverId) -> Option<Answer> {
        let context = &self.translation.context;
        context.reset(solver);
        for &ast in &constraints.asts {
            context.assert(solver, ast)?;
        }
        Some(match context.check(solver) {
            Verdict::Sat => self.sat(terms, query, solver)?,
            Verdict::Unsat => Answer::Unsat(query.path.iter().copied().chain([query.goal]).collect()),
            Verdict::Unknown(effort) => Answer::Unknown(if effort { Why::Effort } else { Why::Unsupported }),
        })
    }

    /// Scope by scope, keeping what the last query left as far as it is the same.
    fn scoped(&mut self, terms: &Terms, query: &Query<'_>, constraints: &Constraints, stack: &mut Stack) -> Option<Answer> {
        let common = stack.asserted.iter().zip(query.path).take_while(|(a, b)| a == b).count();
        let leaving = u32::try_from(stack.asserted.len() - common).ok()?;
        if leaving > 0 {
            self.translation.context.pop(stack.solver, leaving)?;
            stack.asserted.truncate(common);
        }
        for (t, &ast) in query.path.iter().copied().chain([query.goal]).zip(&constraints.asts).skip(common) {
            let name = self.translation.name(t)?;
            self.translation.context.push(stack.solver)?;
            if !stack.asserted.contains(&t) {
                self.translation.context.assert_named(stack.solver, ast, name)?;
            }
            stack.asserted.push(t);
        }
        Some(match self.translation.context.check(stack.solver) {
            Verdict::Sat => self.sat(terms, query, stack.solver)?,
            Verdict::Unsat => Answer::Unsat(self.core(query, stack.solver)?),
            Verdict::Unknown(effort) => Answer::Unknown(if effort { Why::Effort } else { Why::Unsupported }),
        })
    }

    fn core(&mut self, query: &Query<'_>, solver: SolverId) -> Option<Vec<TermId>> {
        let core = self.translation.context.core(solver)?;
        let mut out = Vec::with_capacity(core.len());
        for t in query.path.iter().copied().chain([query.goal]) {
            if core.contains(&self.translation.name(t)?) && !out.contains(&t) {
                out.push(t);
            }
        }
        Some(out)
    }

    fn sat(&mut self, terms: &Terms, query: &Query<'_>, solver: SolverId) -> Option<Answer> {
        let model = self.translation.context.model(solver)?;
        let mut vars: Vec<_> = query.path.iter().chain([&query.goal]).flat_map(|&t| terms.vars(t)).copied().collect();
        vars.sort_unstable();
        vars.dedup();
        let mut patch = Model::new();
        let mut readable = true;
        for var in vars {
            // A variable that rewriting made irrelevant is not translated and keeps its value.
            if self.translation.variable(var).is_none() {
                continue;
            }
            match read::variable(&self.translation, terms, model, var) {
                Some(value) if value != query.hint.value(terms, var) => patch.set(var, value),
                Some(_) => {}
                None => readable = false,
            }
        }
        self.translation.context.drop_model(model);
        Some(if readable { Answer::Sat(patch) } else { Answer::Unknown(Why::Unsupported) })
    }
}

impl Solver for Z3 {
    fn solve(&mut self, terms: &mut Terms, query: &Query<'_>) -> Answer {
        self.count.seen += 1;
        let answer = self.answer(terms, query);
        match answer {
            Answer::Sat(_) => self.count.sat += 1,
            Answer::Unsat(_) => self.count.unsat += 1,
            Answer::Unknown(_) => self.count.unknown += 1,
        }
        answer
    }

    fn count(&self, visit: &mut dyn FnMut(&Count)) {
        visit(&self.count);
    }
}

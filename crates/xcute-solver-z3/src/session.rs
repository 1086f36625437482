//! A session: a context of Z3, what was translated in it, and a stack of asserted constraints for each kind of query.
//!
//! A query takes three steps: [`Session::prepare`] translates it, [`Session::check`] asks Z3 and needs nothing but the session, [`Session::read`] makes an answer of what was
//! found. A scope per constraint of the path is kept between queries, so that sibling queries share their common prefix.
//!
//! **Invariant.** A stack holds exactly the constraints that it lists, one scope each.

use rustc_hash::{FxHashMap, FxHashSet};
use xcute_solver::{Answer, Effort, Query, Why};
use xcute_term::{Model, TermId, Terms, VarId, VarWalk};

use crate::ffi::{Ast, Engine, Handle, ModelId, SolverId, Verdict};
use crate::read;
use crate::translate::{FLOATS, Theories, Translation, UNBOUNDED};

/// Z3's resource units per unit of effort.
const UNITS: u64 = 1000;

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
    /// How often each of them is there.
    times: FxHashMap<TermId, u32>,
    effort: Effort,
}

/// A context and what was built in it.
pub(crate) struct Session {
    translation: Translation,
    stacks: [Option<Stack>; 3],
}

/// A constraint of a query: its own term, Z3's, and the name that it is asserted under.
#[derive(Clone, Copy)]
struct Constraint {
    term: TermId,
    ast: Ast,
    name: Ast,
}

/// A query in Z3's terms, the goal last, and the lane it needs.
pub(crate) struct Asked {
    lane: Lane,
    constraints: Vec<Constraint>,
    effort: Effort,
}

/// What Z3 found.
pub(crate) enum Found {
    /// A model.
    Sat(ModelId),
    /// These contradict each other.
    Unsat(Vec<TermId>),
    /// Out of resources (`true`), or beyond what Z3 can decide.
    Unknown(bool),
}

impl Session {
    pub(crate) fn new() -> Option<Session> {
        Some(Session { translation: Translation::new()?, stacks: [None, None, None] })
    }

    /// How many terms were translated: what grows.
    pub(crate) fn size(&self) -> usize {
        self.translation.size()
    }

    /// What other threads may interrupt.
    pub(crate) fn handle(&self) -> Handle {
        self.translation.context.handle()
    }

    /// Translates a query; `None` where that is not possible, or was broken off.
    pub(crate) fn prepare(&mut self, terms: &Terms, query: &Query<'_>) -> Option<Asked> {
        let mut theories = 0;
        let mut constraints = Vec::with_capacity(query.path.len() + 1);
        for term in query.path.iter().copied().chain([query.goal]) {
            if query.interrupt.raised() {
                return None;
            }
            let (ast, needs) = self.translation.term(terms, term)?;
            theories |= needs;
            constraints.push(Constraint { term, ast, name: self.translation.name(term)? });
        }
        Some(Asked { lane: Lane::of(theories), constraints, effort: query.effort })
    }

    /// Whether Z3 may crash on a query: its solver of strings takes part.
    pub(crate) fn is_risky(&self, asked: &Asked) -> bool {
        asked.lane == Lane::General && self.translation.has_strings()
    }

    /// Asks Z3. `None` on an error of it.
    pub(crate) fn check(&mut self, asked: &Asked) -> Option<Found> {
        let lane = asked.lane;
        let mut stack = match self.stacks[lane as usize].take() {
            Some(stack) => stack,
            None => Stack {
                solver: self.translation.context.new_solver(lane.engine())?,
                asserted: Vec::new(),
                times: FxHashMap::default(),
                effort: Effort(0),
            },
        };
        if stack.effort != asked.effort {
            let units = asked.effort.0.saturating_mul(UNITS).clamp(1, u64::from(u32::MAX));
            self.translation.context.limit(stack.solver, u32::try_from(units).unwrap_or(u32::MAX))?;
            stack.effort = asked.effort;
        }
        let found =
            if lane == Lane::Floats { self.at_once(&asked.constraints, stack.solver) } else { self.scoped(&asked.constraints, &mut stack) };
        self.stacks[lane as usize] = Some(stack);
        found
    }

    /// All constraints at once and without names: Z3 then uses its tactic for floats, which is not a solver of scopes and cores.
    fn at_once(&mut self, constraints: &[Constraint], solver: SolverId) -> Option<Found> {
        let context = &self.translation.context;
        context.reset(solver);
        for constraint in constraints {
            context.assert(solver, constraint.ast)?;
        }
        Some(match context.check(solver) {
            Verdict::Sat => Found::Sat(context.model(solver)?),
            Verdict::Unsat => Found::Unsat(constraints.iter().map(|constraint| constraint.term).collect()),
            Verdict::Unknown(effort) => Found::Unknown(effort),
        })
    }

    /// Scope by scope, keeping what the last query left as far as it is the same.
    fn scoped(&mut self, constraints: &[Constraint], stack: &mut Stack) -> Option<Found> {
        let context = &self.translation.context;
        // The goal is never kept: most often the next query has another one.
        let path = &constraints[..constraints.len() - 1];
        let common = stack.asserted.iter().zip(path).take_while(|(a, b)| **a == b.term).count();
        let leaving = u32::try_from(stack.asserted.len() - common).ok()?;
        if leaving > 0 {
            context.pop(stack.solver, leaving)?;
            for term in stack.asserted.drain(common..) {
                *stack.times.entry(term).or_default() -= 1;
            }
        }
        for constraint in &constraints[common..] {
            context.push(stack.solver)?;
            let times = stack.times.entry(constraint.term).or_default();
            if *times == 0 {
                context.assert_named(stack.solver, constraint.ast, constraint.name)?;
            }
            *times += 1;
            stack.asserted.push(constraint.term);
        }
        Some(match context.check(stack.solver) {
            Verdict::Sat => Found::Sat(context.model(stack.solver)?),
            Verdict::Unsat => {
                let core: FxHashSet<Ast> = context.core(stack.solver)?.into_iter().collect();
                let mut met = FxHashSet::default();
                let members = constraints.iter().filter(|constraint| core.contains(&constraint.name) && met.insert(constraint.term));
                Found::Unsat(members.map(|constraint| constraint.term).collect())
            }
            Verdict::Unknown(effort) => Found::Unknown(effort),
        })
    }

    /// The answer that was found; `None` on an error of Z3.
    pub(crate) fn read(&mut self, terms: &Terms, query: &Query<'_>, found: Found) -> Option<Answer> {
        let model = match found {
            Found::Sat(model) => model,
            Found::Unsat(core) => return Some(Answer::Unsat(core)),
            Found::Unknown(_) if query.interrupt.raised() => return Some(Answer::Unknown(Why::Interrupted)),
            Found::Unknown(effort) => return Some(Answer::Unknown(if effort { Why::Effort } else { Why::Unsupported })),
        };
        let (mut vars, mut walk): (Vec<VarId>, _) = (Vec::new(), VarWalk::default());
        query.path.iter().chain([&query.goal]).for_each(|&t| walk.visit(terms, t, |var| vars.push(var)));
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

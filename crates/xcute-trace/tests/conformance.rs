//! The conformance suite accepts a subject that keeps the laws, and names the law that a liar breaks.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicU32, Ordering};

use xcute_term::eval::Evaluator;
use xcute_term::{Model, Op, Sort, TermId, Terms};
use xcute_trace::conformance::{ends, explore, recognised};
use xcute_trace::{
    Budget, Decision, DecisionKind, Failure, FailureKind, Known, Outcome, Site, SiteId, SiteKind, Sites, Subject, SubjectError, TestCase,
    Trace,
};

/// What a subject lies about.
#[derive(Clone, Copy, PartialEq)]
enum Lie {
    Nothing,
    /// Every third run goes another way.
    Moods,
    /// The conditions of the arms are exchanged.
    Arms,
    /// A promise is believed without looking.
    Credulous,
    /// Coverage is reported again.
    Coverage,
    /// Imported inputs are others.
    Import,
    /// An arm has a condition that says too little.
    Vague,
    /// A run that is cut is said to pass.
    Endless,
    /// After a failure there is no answer.
    Dead,
    /// After a failure every other input is taken for zero.
    Shaken,
    /// The sites are somewhere else.
    Sites,
    /// Another identity for every subject.
    Restless,
    /// The same identity for every program.
    Blind,
}

/// `if (x < limit) { if (x == 3) fail }`, over four bits.
struct Toy {
    lie: Lie,
    limit: u64,
    /// The input that failed.
    failed: Option<u64>,
    runs: u32,
    made: u32,
    sites: Sites,
    covered: BTreeSet<(SiteId, u32)>,
}

fn toy(lie: Lie) -> Toy {
    program(lie, 10)
}

/// How many there are, for the restless one.
static MADE: AtomicU32 = AtomicU32::new(0);

fn program(lie: Lie, limit: u64) -> Toy {
    let made = MADE.fetch_add(1, Ordering::Relaxed);
    let site = |ordinal| Site {
        kind: SiteKind::Branch,
        file: "toy".into(),
        line: if lie == Lie::Sites { made } else { ordinal + 1 },
        column: 1,
        function: "toy".into(),
        ordinal,
        arms: 2,
        next: vec![Vec::new(); 2],
    };
    Toy { lie, limit, failed: None, made, runs: 0, sites: Sites { sites: vec![site(0), site(1)] }, covered: BTreeSet::new() }
}

impl Subject for Toy {
    fn sites(&self) -> &Sites {
        &self.sites
    }

    fn identity(&self) -> String {
        match self.lie {
            Lie::Restless => format!("{} of {}", self.limit, self.made),
            Lie::Blind => "a toy".to_owned(),
            _ => self.limit.to_string(),
        }
    }

    fn run(&mut self, case: &TestCase, promise: &[Known], terms: &mut Terms) -> Result<Trace, SubjectError> {
        self.runs += 1;
        let x = terms.var("x", Sort::BitVec(4));
        let var = terms.find_var("x").expect("declared above");
        let mut input = Model::new();
        input.set(var, case.input.value(terms, var));
        if let Some(failed) = self.failed.filter(|failed| input.word(var) != Some(*failed)) {
            match self.lie {
                Lie::Dead => return Err(SubjectError::Protocol(format!("{failed} was too much"))),
                Lie::Shaken => input.set_word(var, 12),
                _ => {}
            }
        }
        let mut eval = Evaluator::new();
        eval.load(&input);
        let (ten, three) = (terms.bv(4, self.limit), terms.bv(4, 3));
        let conditions = [terms.mk(Op::BvUlt, &[x, ten]), terms.mk(Op::Eq, &[x, three])];
        let (mut decisions, mut known, mut astray, mut covered) = (Vec::new(), 0, false, Vec::new());
        for (number, condition) in (0..).zip(conditions) {
            let mut taken = u32::from(eval.eval_bool(terms, condition));
            if self.lie == Lie::Moods && self.runs.is_multiple_of(3) {
                taken = 1 - taken;
            }
            let here = Known { site: SiteId(number), taken };
            if self.covered.insert((here.site, taken)) || self.lie == Lie::Coverage {
                covered.push((here.site, taken));
            }
            if !astray && promise.get(known).is_some_and(|next| *next == here || self.lie == Lie::Credulous) {
                known += 1;
            } else {
                astray = true;
                let not = terms.not(condition);
                let arms = match self.lie {
                    Lie::Arms => vec![condition, not],
                    Lie::Vague => vec![terms.bool(true), condition],
                    _ => vec![not, condition],
                };
                decisions.push(Decision { site: here.site, kind: DecisionKind::Branch, taken, arms });
            }
            if taken == 0 {
                break;
            }
        }
        let fails = input.word(var) == Some(3);
        let outcome = match self.lie {
            Lie::Endless => Outcome::Passed,
            _ if fails => Outcome::Failed(Failure {
                kind: FailureKind::Abort,
                message: "three".to_owned(),
                stack: Vec::new(),
                notes: Vec::new(),
                interleaving: Vec::new(),
                values: Vec::new(),
            }),
            _ => Outcome::OutOfBudget(Budget::Steps),
        };
        self.failed = self.failed.or(fails.then_some(3));
        Ok(Trace { decisions, known, outcome, covered, reached: Vec::new(), limits: Vec::new(), input, concurrent: None, segments: None })
    }

    fn import(&mut self, model: &Model, terms: &mut Terms) -> Model {
        terms.var("x", Sort::BitVec(4));
        let mut own = model.clone();
        if self.lie == Lie::Import {
            own.set_word(terms.find_var("x").expect("declared above"), 7);
        }
        own
    }
}

/// Tries all values.
fn solve(terms: &mut Terms, conditions: &[TermId], _: &Model) -> Option<Model> {
    let var = terms.find_var("x")?;
    (0..16).find_map(|word| {
        let mut model = Model::new();
        model.set_word(var, word);
        let mut eval = Evaluator::new();
        eval.load(&model);
        conditions.iter().all(|condition| eval.eval_bool(terms, *condition)).then_some(model)
    })
}

mod honest {
    use super::{Lie, program, solve, toy};

    xcute_trace::subject_conformance!(
        (toy(Lie::Nothing), toy(Lie::Nothing)),
        3,
        solve,
        toy(Lie::Nothing),
        (program(Lie::Nothing, 10), program(Lie::Nothing, 10), program(Lie::Nothing, 9))
    );
}

#[test]
fn liars_are_found() {
    let lies = [
        (Lie::Moods, "repeatable|promises|predictions|exact"),
        (Lie::Arms, "exact"),
        (Lie::Credulous, "promises"),
        (Lie::Coverage, "repeatable: the second run covers"),
        (Lie::Import, "shared names"),
        (Lie::Vague, "exact"),
        (Lie::Dead, "crash-safe: a run is an error"),
        (Lie::Shaken, "crash-safe: the first run"),
        (Lie::Sites, "stable sites: another subject"),
    ];
    for (lie, law) in lies {
        let broken = explore((toy(lie), toy(lie)), &mut solve).expect_err("a lie");
        assert!(law.split('|').any(|law| broken.starts_with(law)), "{law}: {broken}");
    }
    let changed = |lie| recognised((program(lie, 10), program(lie, 10), program(lie, 9)));
    assert_eq!(changed(Lie::Sites), Err("stable sites: the program made ready again has others".to_owned()));
    assert_eq!(changed(Lie::Restless), Err("identity: the program made ready again is another one".to_owned()));
    assert_eq!(changed(Lie::Blind), Err("identity: a changed program is the same one".to_owned()));
    assert!(ends(toy(Lie::Endless)).is_err_and(|law| law.starts_with("budgets")));
}

#[test]
fn a_subject_without_segments_says_so() {
    let error = toy(Lie::Nothing).follow(true).unwrap_err();
    assert_eq!(error.to_string(), "no segments: the language has none");
}

//! Random circuits against brute force: verdicts, models, cores, with a different cone each time.

use batsat::SolverInterface as _;
use fastrand::Rng;

use xcute_term::Interrupt;

use super::{Sat, Verdict, luby};
use crate::lit::Lit;

const INPUTS: usize = 7;

/// A circuit of random and-gates and their truth tables (a bit per assignment of the inputs).
struct Toy {
    sat: Sat,
    gates: Vec<(Lit, u128, Inputs)>,
}

/// The positions of a gate's inputs; `None` for an input of the circuit.
type Inputs = Option<(usize, usize)>;

impl Toy {
    fn new() -> Toy {
        let mut sat = Sat::new();
        let table = |i: usize| (0..1u32 << INPUTS).filter(|row| row >> i & 1 == 1).fold(0, |t, row| t | 1u128 << row);
        let gates = (0..INPUTS).map(|i| (sat.new_var(), table(i), None)).collect();
        Toy { sat, gates }
    }

    fn grow(&mut self, random: &mut Rng) {
        let (i, j) = (random.usize(..self.gates.len()), random.usize(..self.gates.len()));
        let (flip_i, flip_j) = (random.bool(), random.bool());
        let flipped = |t: u128, flip: bool| if flip { !t } else { t };
        let table = flipped(self.gates[i].1, flip_i) & flipped(self.gates[j].1, flip_j);
        let (a, b, g) = (self.gates[i].0 ^ flip_i, self.gates[j].0 ^ flip_j, self.sat.new_var());
        self.sat.clause(&[!g, a]);
        self.sat.clause(&[!g, b]);
        self.sat.clause(&[g, !a, !b]);
        self.gates.push((g, table, Some((i, j))));
    }

    fn include(&mut self, gate: usize, done: &mut Vec<usize>) {
        if done.contains(&gate) {
            return;
        }
        done.push(gate);
        let (lit, _, below) = self.gates[gate];
        self.sat.include(lit.var());
        if let Some((i, j)) = below {
            self.include(i, done);
            self.include(j, done);
        }
    }
}

#[test]
fn agrees_with_brute_force() {
    let mut random = Rng::with_seed(11);
    let (mut sat, mut unsat) = (0, 0);
    for _ in 0..30 {
        let mut toy = Toy::new();
        for _ in 0..120 {
            toy.sat.begin();
            toy.grow(&mut random);
            let picked: Vec<(usize, bool)> =
                (0..random.usize(1..7)).map(|_| (toy.gates.len() - 1 - random.usize(..toy.gates.len().min(30)), random.bool())).collect();
            let mut done = Vec::new();
            if random.u8(..4) == 0 {
                toy.sat.exclude_all();
            }
            picked.iter().for_each(|&(gate, _)| toy.include(gate, &mut done));
            let inputs: Vec<u32> = done.iter().filter(|&&gate| gate < INPUTS).map(|&gate| toy.gates[gate].0.var()).collect();
            let assumptions: Vec<Lit> = picked.iter().map(|&(gate, flip)| toy.gates[gate].0 ^ flip).collect();
            let table = |&(gate, flip): &(usize, bool)| if flip { !toy.gates[gate].1 } else { toy.gates[gate].1 };
            let rows = picked.iter().fold(u128::MAX, |rows, p| rows & table(p));
            match toy.sat.solve(&assumptions, &inputs, 1_000_000, Interrupt::never()) {
                Verdict::Sat => {
                    sat += 1;
                    // Inputs outside the cone are free: any completion must do.
                    let row = (0..INPUTS).fold(0, |row, i| row | u32::from(toy.sat.value(toy.gates[i].0) == Some(true)) << i);
                    assert!(rows >> row & 1 == 1, "row {row} is not a model");
                }
                Verdict::Unsat => {
                    unsat += 1;
                    assert_eq!(rows, 0);
                    let core = picked.iter().zip(&assumptions).filter(|(_, a)| toy.sat.in_core(**a));
                    assert_eq!(core.fold(u128::MAX, |rows, (p, _)| rows & table(p)), 0, "the core alone contradicts");
                }
                Verdict::OutOfBudget | Verdict::Interrupted => panic!("a million conflicts on {INPUTS} inputs"),
            }
        }
    }
    assert!(sat > 100 && unsat > 100, "{sat} and {unsat}");
}

/// A number from the environment, by which `./x fuzz sat` asks for more.
fn number(name: &str, default: u64) -> u64 {
    std::env::var(name).map_or(default, |text| text.parse().expect("a number"))
}

/// Random formulas of three literals to a clause, near the point where half of them have a model, against BatSat. Each clause is a gate, which
/// is assumed to be true; all but a few of them, then all.
#[test]
fn agrees_with_another_solver() {
    let mut random = Rng::with_seed(number("XCUTE_SAT_SEED", 1));
    let (mut sat, mut unsat) = (0, 0);
    for _ in 0..number("XCUTE_SAT_FORMULAS", 60) {
        let (mut ours, mut theirs) = (Sat::new(), batsat::BasicSolver::default());
        let vars: Vec<Lit> = (0..random.usize(20..80)).map(|_| ours.new_var()).collect();
        let clauses: Vec<[Lit; 3]> = (0..vars.len() * random.usize(38..48) / 10)
            .map(|_| std::array::from_fn(|_| vars[random.usize(..vars.len())] ^ random.bool()))
            .collect();
        let gates: Vec<Lit> = clauses
            .iter()
            .map(|[a, b, c]| {
                let gate = ours.new_var();
                ours.clause(&[!gate, *a, *b, *c]);
                [a, b, c].iter().for_each(|lit| ours.clause(&[gate, !**lit]));
                gate
            })
            .collect();
        let their = |lit: Lit| batsat::Lit::new(batsat::Var::unsafe_from_idx(lit.var() - 1), !lit.negated());
        for _ in 0..vars.len() + gates.len() {
            theirs.new_var_default();
        }
        for ([a, b, c], gate) in clauses.iter().zip(&gates) {
            theirs.add_clause_reuse(&mut [!*gate, *a, *b, *c].map(their).to_vec());
        }
        (1..u32::try_from(ours.var_count()).expect("few")).for_each(|var| ours.include(var));
        let inputs: Vec<u32> = vars.iter().map(|var| var.var()).collect();
        for some in [gates.len() - gates.len() / 20, gates.len()] {
            ours.begin();
            let verdict = ours.solve(&gates[..some], &inputs, u64::MAX, Interrupt::never());
            let expected = theirs.solve_limited(&gates[..some].iter().map(|gate| their(*gate)).collect::<Vec<_>>());
            assert_eq!(verdict == Verdict::Sat, expected == batsat::lbool::TRUE, "{clauses:?}");
            if verdict == Verdict::Sat {
                sat += 1;
                let holds = |clause: &[Lit; 3]| clause.iter().any(|lit| ours.value(*lit) == Some(true));
                assert!(clauses[..some].iter().all(holds), "not a model of {clauses:?}");
            } else {
                unsat += 1;
            }
        }
    }
    assert!(sat > 0 && unsat > 0, "{sat} and {unsat}");
}

#[test]
fn forgets_and_goes_on() {
    // Pigeons as a circuit: 7 pigeons in 6 holes, hard enough for many reductions when few clauses are allowed.
    let mut sat = Sat::new();
    sat.allowed = 20;
    let (pigeons, holes) = (7, 6);
    let place: Vec<Vec<Lit>> = (0..pigeons).map(|_| (0..holes).map(|_| sat.new_var()).collect()).collect();
    let mut assumptions = Vec::new();
    for row in &place {
        let g = sat.new_var();
        let clause: Vec<Lit> = row.iter().copied().chain([!g]).collect();
        sat.clause(&clause);
        row.iter().for_each(|&l| sat.clause(&[g, !l]));
        assumptions.push(g);
    }
    for hole in 0..holes {
        for (i, a) in place.iter().enumerate() {
            for b in &place[i + 1..] {
                let g = sat.new_var();
                sat.clause(&[!g, a[hole]]);
                sat.clause(&[!g, b[hole]]);
                sat.clause(&[g, !a[hole], !b[hole]]);
                assumptions.push(!g);
            }
        }
    }
    let inputs: Vec<u32> = place.iter().flatten().map(|l| l.var()).collect();
    let all: Vec<u32> = (1..u32::try_from(sat.var_count()).expect("few")).collect();
    all.iter().for_each(|&var| sat.include(var));
    assert_eq!(sat.solve(&assumptions, &inputs, 10, Interrupt::never()), Verdict::OutOfBudget);
    sat.begin();
    let interrupt = Interrupt::new();
    interrupt.raise();
    assert_eq!(sat.solve(&assumptions, &inputs, 1_000_000, &interrupt), Verdict::Interrupted);
    sat.begin();
    assert_eq!(sat.solve(&assumptions, &inputs, 1_000_000, Interrupt::never()), Verdict::Unsat);
    // What was learnt comes back with the clauses, and without one pigeon they fit.
    sat.begin();
    sat.exclude_all();
    all.iter().for_each(|&var| sat.include(var));
    assert_eq!(sat.solve(&assumptions[1..], &inputs, 1_000_000, Interrupt::never()), Verdict::Sat);
}

#[test]
fn luby_sequence() {
    assert_eq!((1..16).map(luby).collect::<Vec<_>>(), [1, 1, 2, 1, 1, 2, 4, 1, 1, 2, 1, 1, 2, 4, 8]);
}

#[path = "../tests/support/mod.rs"]
mod support;
use std::time::Instant;
use support::*;
use xcute_engine::*;
use xcute_erl::program::Source;
use xcute_strategy::StrategyName;
struct Timed<'a>(&'a Log, Instant);
impl Observer for Timed<'_> {
    fn elapsed(&self) -> std::time::Duration {
        self.1.elapsed()
    }
    fn confirm(&self, t: &xcute_term::Terms, f: &xcute_trace::Failure, c: &xcute_trace::TestCase) -> Confirmation {
        self.0.confirm(t, f, c)
    }
    fn ran(&self, t: &xcute_term::Terms, e: &RunEvent<'_>) {
        self.0.ran(t, e)
    }
}
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let t = Instant::now();
    let m = load(&[Source::File(a[1].clone().into(), vec![])]);
    println!("load {:?}", t.elapsed());
    let mut s = subject(&m, &a[2], &a[3], a[4].parse().unwrap(), a[5].parse().ok());
    let log = Log::new(&s);
    let mut printer = s.another();
    let strategy = StrategyName::Bfs.build(xcute_trace::Subject::sites(&s), 0);
    let options = Options { runs: a[6].parse().unwrap(), ..Options::default() };
    let timed = Timed(&log, Instant::now());
    let mut c = Campaign::new(&mut s, solver(), strategy, options);
    c.run(&timed).unwrap();
    let r = c.results();
    println!(
        "runs {} paths {} arms {:?} queries {:?} subject {:?} solver {:?} total {:?} complete {} terms {}",
        r.runs,
        r.paths,
        r.arms,
        r.queries,
        r.subject_time,
        r.solver_time,
        r.total_time,
        r.complete,
        c.terms().len()
    );
    for l in &r.limits {
        println!("{:?}", l);
    }
    for f in &r.failures {
        println!("{} {} {:?} {:?}", f.confirmed, f.failure.message, f.failure.stack.first(), f.doubt);
    }
    for l in &r.layers {
        println!("{:?}", l);
    }
    let n: usize = a.get(7).map_or(20, |t| t.parse().unwrap());
    for p in log.paths.lock().unwrap().iter().take(n) {
        let args = printer.arguments(c.terms(), &p.input);
        let text: Vec<String> = args.iter().map(|t| xcute_erl::universe::shown(t, printer.atoms())).collect();
        println!(
            "  {} {}",
            text.join(", "),
            match &p.outcome {
                xcute_trace::Outcome::Failed(f) => f.message.clone(),
                o => format!("{o:?}"),
            }
        );
    }
}

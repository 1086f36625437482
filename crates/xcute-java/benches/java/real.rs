//! `./x bench java real`: public methods of commons-lang3 and guava. How many cases, how much of each method is covered, and which exceptions leave it that
//! its documentation does not name.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

use xcute_engine::{Campaign, Confirmation, Observer, Options, Results, RunEvent};
use xcute_java::{Confirmer, JavaSubject, Jdk, Opened, Program, Recipe, Variables, Wanted, choose, testable};
use xcute_strategy::StrategyName;
use xcute_term::{Interrupt, Terms};
use xcute_trace::{Failure, Subject as _, TestCase};

use crate::{packages, solver};

/// A method, and the exceptions that its documentation names, without their packages.
type Method = (&'static str, &'static [&'static str]);

/// Package, jar, and methods.
const LIBRARIES: [(&str, &str, &[Method]); 2] = [
    (
        "libcommons-lang3-java",
        "commons-lang3",
        &[
            ("lang3.StringUtils.isNumeric", &[]),
            ("lang3.StringUtils.substringBetween(String, String, String)", &[]),
            ("lang3.StringUtils.leftPad(String, int)", &[]),
            ("lang3.StringUtils.getLevenshteinDistance(CharSequence, CharSequence)", &["IllegalArgumentException"]),
            ("lang3.StringUtils.abbreviate(String, int)", &["IllegalArgumentException"]),
            ("lang3.math.NumberUtils.isCreatable", &[]),
            ("lang3.math.NumberUtils.toInt(String, int)", &[]),
            ("lang3.math.Fraction.getReducedFraction", &["ArithmeticException"]),
            ("lang3.BooleanUtils.toBoolean(String)", &[]),
            ("lang3.ArrayUtils.indexOf(int[], int, int)", &[]),
        ],
    ),
    (
        "libguava-java",
        "guava",
        &[
            ("common.math.IntMath.gcd", &["IllegalArgumentException"]),
            ("common.math.IntMath.checkedPow", &["IllegalArgumentException", "ArithmeticException"]),
            ("common.math.IntMath.mod", &["ArithmeticException"]),
            ("common.math.LongMath.isPowerOfTwo", &[]),
            ("common.primitives.Ints.tryParse(String)", &["NullPointerException"]),
            ("common.primitives.Ints.indexOf(int[], int[])", &["NullPointerException"]),
            ("common.primitives.UnsignedInts.parseUnsignedInt(String)", &["NumberFormatException", "NullPointerException"]),
            ("common.base.Strings.commonPrefix", &["NullPointerException"]),
            ("common.base.Ascii.truncate", &["IllegalArgumentException", "NullPointerException"]),
            ("common.net.InetAddresses.isInetAddress", &["NullPointerException"]),
        ],
    ),
];

/// Repeats failures on the original classes, and says when time is up.
struct Watch {
    begin: Instant,
    program: Arc<Program>,
    confirmer: Confirmer,
    variables: Variables,
    /// Raised when time is up, so that a question to the solver ends, too.
    flag: Interrupt,
}

impl Observer for Watch {
    fn interrupt(&self) -> Interrupt {
        self.flag.clone()
    }

    fn elapsed(&self) -> Duration {
        self.begin.elapsed()
    }

    fn stop(&self) -> bool {
        self.begin.elapsed() > TIME
    }

    fn confirm(&self, _: &Terms, failure: &Failure, case: &TestCase) -> Confirmation {
        let recipe = Recipe::of_model(&self.variables, &case.input);
        match self.confirmer.confirm(&self.program, failure, (&recipe, None), Interrupt::never()) {
            Ok(Some((_, verdict))) => verdict.map_or_else(Confirmation::NotReproduced, |()| Confirmation::Confirmed),
            other => Confirmation::NotReproduced(format!("{other:?}")),
        }
    }

    fn ran(&self, _: &Terms, _: &RunEvent<'_>) {}
}

/// How long a search may take.
const TIME: Duration = Duration::from_secs(10);
/// Arrays and strings of inputs have at most this many elements.
const LONGEST: u32 = 4;

pub fn run(jdk: &Jdk) {
    println!(
        "{:<42} {:>6} {:>6} {:>8} {:>7} {:>9} {:>9}  exceptions that are not documented",
        "method", "cases", "runs", "ready s", "s", "complete", "lines"
    );
    for (package, name, methods) in LIBRARIES {
        let jar = match packages::jar(package, name) {
            Ok(jar) => jar,
            Err(error) => {
                println!("{name} cannot be fetched: {error}");
                continue;
            }
        };
        let opened = Opened::open(&[jar], &[], jdk).expect("a jar");
        let all = testable(&opened, jdk).expect("classes");
        for (method, documented) in methods {
            let chosen = choose(&all, method).unwrap_or_else(|error| panic!("{error}"));
            measure(jdk, &chosen.wanted(&opened), documented);
        }
    }
}

fn measure(jdk: &Jdk, wanted: &Wanted, documented: &[&str]) {
    let begin = Instant::now();
    let program = Arc::new(Program::prepare(wanted, &jdk.image()).unwrap_or_else(|error| panic!("{error}")));
    let options = xcute_java::Options { longest: LONGEST, ..Default::default() };
    let mut subject = JavaSubject::start(Arc::clone(&program), jdk, options).expect("a JVM starts");
    let ready = begin.elapsed();
    let strategy = StrategyName::Coverage.build(subject.sites(), 0);
    let confirmer = Confirmer::new(&program, jdk, Duration::from_secs(5)).expect("a folder");
    let watch =
        Watch { begin: Instant::now(), program: Arc::clone(&program), confirmer, variables: subject.variables(), flag: Interrupt::new() };
    let mut campaign = Campaign::new(&mut subject, solver(), strategy, Options::default());
    std::thread::scope(|scope| {
        let (searching, over) = std::sync::mpsc::channel::<()>();
        let flag = watch.flag.clone();
        scope.spawn(move || {
            if over.recv_timeout(TIME) == Err(std::sync::mpsc::RecvTimeoutError::Timeout) {
                flag.raise();
            }
        });
        campaign.run(&watch).expect("it runs");
        drop(searching);
    });
    let results = campaign.results().clone();
    let (mut lines, mut ran) = (BTreeSet::new(), BTreeSet::new());
    for line in program.lines().filter(|line| line.line > 0 && line.tested) {
        lines.insert(line.line);
        if subject.ran().get(line.instruction) == Some(&true) {
            ran.insert(line.line);
        }
    }
    let name = program.name();
    let short = name.rsplitn(3, '.').take(2).collect::<Vec<_>>();
    println!(
        "{:<42} {:>6} {:>6} {:>8.1} {:>7.1} {:>9} {:>9}  {}",
        format!("{}.{}", short[1], short[0]),
        results.paths,
        results.runs,
        ready.as_secs_f64(),
        results.total_time.as_secs_f64(),
        if results.complete { "yes" } else { "no" },
        format!("{}/{}", ran.len(), lines.len()),
        surprising(&results, documented)
    );
    for found in results.failures.iter().filter(|found| !found.confirmed) {
        println!("    not confirmed: {}", found.failure.message);
    }
    for limit in results.limits.keys().take(3) {
        println!("    {}: {}", limit.kind, limit.what);
    }
}

/// Failures that the documentation does not name: what they are, and where.
fn surprising(results: &Results, documented: &[&str]) -> String {
    let named = |message: &str| {
        let class = message.split(':').next().unwrap_or_default();
        documented.contains(&class.rsplit('.').next().unwrap_or_default())
    };
    let all = results.confirmed().map(|found| &found.failure).filter(|failure| !named(&failure.message));
    let at = |failure: &Failure| {
        let file = |frame: &xcute_trace::Frame| format!(" at {}:{}", frame.file.rsplit('/').next().unwrap_or_default(), frame.line);
        let place = failure.stack.first().map_or(String::new(), file);
        format!("{}{place}", failure.message.split(':').next().unwrap_or_default())
    };
    all.map(at).collect::<BTreeSet<_>>().into_iter().collect::<Vec<_>>().join(", ")
}

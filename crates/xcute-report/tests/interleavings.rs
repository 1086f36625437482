//! Interleavings of handmade failures, as text and as a picture.

use std::collections::BTreeMap;

use xcute_report::{
    Arms, Coverage, Failure, Figures, FileCoverage, Flipped, FunctionCoverage, Interleaved, Report, Seconds, SolverShare, SourceCoverage,
    Style, Summary, html, lanes, terminal,
};
use xcute_trace::{FailureKind, Frame, Happening, Note};

const SOURCE: &str = "int x;\nvoid *writer(void *p) {\n\tx = 1 << 3;\n\treturn p;\n}\nvoid *reader(void *p) {\n\treturn x ? p : 0;\n}\n";

fn frame(function: &str, line: u32) -> Frame {
    Frame { function: function.into(), file: "race.c".into(), line, ..Frame::default() }
}

fn step(task: &str, what: &str, line: u32, marked: bool) -> Happening {
    Happening { task: task.into(), what: what.into(), at: frame(if line < 6 { "writer" } else { "reader" }, line), marked }
}

/// `x` is written and read, and nothing orders them.
fn data_race() -> Failure {
    Failure {
        id: "f1".into(),
        kind: FailureKind::DataRace,
        message: "`x` is written by thread 1.1 and read by 1.2, and nothing orders them".into(),
        file: "race.c".into(),
        line: 7,
        column: 0,
        function: "reader".into(),
        stack: vec![frame("reader", 7)],
        notes: vec![
            Note { what: "other access".into(), at: frame("writer", 3) },
            Note { what: "thread 1.1 has `m`, locked".into(), at: frame("writer", 2) },
            Note {
                what: "thread 1.2 has no lock".into(),
                at: Frame { function: String::new(), file: String::new(), line: 0, ..Frame::default() },
            },
        ],
        interleaving: vec![step("1.1", "locks `m`", 2, false), step("1.1", "writes `x`", 3, true), step("1.2", "reads `x`", 7, true)],
        values: Vec::new(),
        flipped: None,
        case: "xcute-out/failures/f1.json".into(),
        replay: "xcute replay xcute-out/failures/f1.json".into(),
        replayed: true,
    }
}

/// Each of the threads takes two locks again and again, until they wait for each other.
fn deadlock(threads: usize, steps: usize) -> Failure {
    let happening = |n: usize| {
        let (thread, round) = (n % threads + 1, n / threads);
        let what = match round % 4 {
            0 => format!("locks `fork[{}]`", thread - 1),
            1 => format!("locks `fork[{}]`", thread % threads),
            2 => "writes `eaten`".to_owned(),
            _ => format!("unlocks `fork[{}]`", thread - 1),
        };
        step(&format!("1.{thread}"), &what, [2, 3, 4, 5][round % 4], false)
    };
    let mut interleaving = vec![step("1", "locks `table`", 6, false); 3];
    interleaving.extend((0..steps.saturating_sub(3 + threads)).map(happening));
    interleaving.extend((1..=threads).map(|n| step(&format!("1.{n}"), &format!("waits for `fork[{}]`", n % threads), 3, true)));
    Failure { id: "f2".into(), kind: FailureKind::Deadlock, message: "threads wait for each other".into(), interleaving, ..data_race() }
}

fn report(failures: Vec<Failure>) -> Report {
    let file = FileCoverage {
        places: BTreeMap::new(),
        lines: BTreeMap::from([(3, true), (7, true)]),
        functions: vec![FunctionCoverage { name: "writer".into(), line: 2, entered: true, called: None }],
        branches: Vec::new(),
    };
    let summary = Summary {
        version: Summary::VERSION,
        language: "c".into(),
        subject: "main".into(),
        strategy: "dfs".into(),
        seed: 0,
        jobs: 1,
        stop: "complete".into(),
        complete: true,
        bounds: Vec::new(),
        inputs: 0,
        runs: 2,
        fuzzed: None,
        paths: 2,
        interleaved: None,
        handovers: 0,
        rejected: 0,
        failures,
        unconfirmed: Vec::new(),
        arms: Arms::default(),
        own: Figures::default(),
        pruning: None,
        coverage: Coverage::default(),
        solver: SolverShare::default(),
        seconds: Seconds::default(),
        limits: Vec::new(),
        timeline: Vec::new(),
    };
    let coverage = SourceCoverage { files: BTreeMap::from([("race.c".to_owned(), file)]), own: Figures::default() };
    Report { coverage, sources: BTreeMap::from([("race.c".to_owned(), SOURCE.to_owned())]), ..Report::of(summary) }
}

fn text(failure: &Failure, width: usize) -> String {
    lanes::render(&failure.interleaving, "  ", Style { width, ..Style::PLAIN })
}

#[test]
fn a_data_race_shows_both_accesses() {
    let report = report(vec![data_race()]);
    insta::assert_snapshot!(terminal::failure(&report, &report.summary.failures[0], Style::PLAIN));
}

#[test]
fn a_data_race_tells_what_came_of_the_other_order() {
    let outcomes = [
        (None, "in the other order: not run\n"),
        (Some(Flipped::Passed), "in the other order: no failure\n"),
        (Some(Flipped::Failed { kind: FailureKind::Assertion, message: "x > 0".into() }), "in the other order: assertion: x > 0\n"),
    ];
    for (flipped, said) in outcomes {
        let report = report(vec![Failure { flipped, ..data_race() }]);
        assert!(terminal::failure(&report, &report.summary.failures[0], Style::PLAIN).contains(said), "{said}");
        assert_eq!(xcute_report::parse(&xcute_report::json(&report.summary)).unwrap(), report.summary);
    }
    let report = report(vec![deadlock(2, 9)]);
    assert!(!terminal::failure(&report, &report.summary.failures[0], Style::PLAIN).contains("other order"), "only data races have one");
}

#[test]
fn lanes_of_three_threads() {
    insta::assert_snapshot!(text(&deadlock(3, 40), 100));
}

#[test]
fn lanes_of_200_steps_are_shortened() {
    let shown = text(&deadlock(3, 200), 80);
    assert_eq!(shown.lines().count(), 40 + 2, "a heading, and a gap");
    assert!(shown.contains("... 158 steps ..."), "{shown}");
    assert_eq!(shown.matches("<- ").count(), 3);
}

#[test]
fn lanes_keep_to_the_width() {
    for (threads, steps) in [(1, 5), (2, 30), (3, 40), (8, 60), (12, 90), (40, 300), (200, 400)] {
        for width in [60, 80, 100, 200] {
            let shown = text(&deadlock(threads, steps), width);
            let widest = shown.lines().map(|line| line.chars().count()).max().unwrap();
            assert!(widest <= width, "{threads} threads, {widest} columns of {width}:\n{shown}");
        }
    }
    insta::assert_snapshot!("narrow", text(&deadlock(5, 24), 60));
    insta::assert_snapshot!("many", text(&deadlock(30, 40), 80));
}

#[test]
fn no_lane_where_nothing_happened() {
    assert_eq!(lanes::render(&[], "  ", Style::PLAIN), "");
}

#[test]
fn json_has_the_interleaving() {
    let summary = report(vec![data_race()]).summary;
    let text = xcute_report::json(&summary);
    assert!(text.contains("\"interleaving\": ["), "{text}");
    assert_eq!(xcute_report::parse(&text).unwrap(), summary);
}

#[test]
fn picture_of_a_data_race() {
    let page = html::render(&report(vec![data_race()]));
    let (from, to) = (page.find("<section id=\"failures").unwrap(), page.find("</section>").unwrap());
    insta::assert_snapshot!(&page[from..to]);
}

#[test]
fn who_waits_is_linked_with_who_has_it() {
    let interleaving = vec![
        step("1.1", "locks `a`", 2, true),
        step("1.2", "locks `b`", 7, true),
        step("1", "waits for the end of 1.1", 8, true),
        step("1.1", "waits for `b`", 3, true),
        step("1.2", "waits for `a`", 8, true),
    ];
    let page = html::render(&report(vec![Failure { kind: FailureKind::Deadlock, interleaving, ..data_race() }]));
    let links: Vec<&str> = page.lines().filter(|line| line.contains("class=\"link\"")).collect();
    // A row is 22 high: from the second row to the fourth, and from the first to the fifth.
    assert_eq!(links.len(), 2, "{links:#?}");
    assert!(links[0].contains(" 33 C") && links[0].contains(" 77\""), "{links:#?}");
    assert!(links[1].contains(" 11 C") && links[1].contains(" 99\""), "{links:#?}");
}

#[test]
fn picture_of_200_steps_has_them_all() {
    let page = html::render(&report(vec![deadlock(3, 200)]));
    // Three that are the same are one.
    assert_eq!(page.matches("<circle").count(), 198 + 1, "and where it fails");
    assert_eq!(page.matches("class=\"link\"").count(), 2);
    assert!(page.contains("200 steps; it is about <a href=\"#f2-step-198\">198</a>"), "long pictures lead to what matters");
}

#[test]
fn how_schedules_were_explored() {
    let mut report = report(Vec::new());
    assert!(!terminal::render(&report, false, Style::PLAIN).contains("schedules"));
    let figures = Interleaved { schedules: "dpor".into(), choices: 7, sleep_blocked: 1, data_races: 2, restarts: 0 };
    report.summary.interleaved = Some(figures);
    let text = terminal::render(&report, false, Style::PLAIN);
    assert!(text.contains("schedules dpor, 7 choices, 1 run sleep-blocked, 2 data races\n"), "{text}");
    let json = xcute_report::json(&report.summary);
    assert!(
        json.contains("\"schedules\": \"dpor\"") && json.contains("\"sleep_blocked\": 1") && json.contains("\"data_races\": 2"),
        "{json}"
    );
    assert_eq!(xcute_report::parse(&json).unwrap(), report.summary);
}

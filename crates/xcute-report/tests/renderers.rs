//! One snapshot per output form, all of the same report.

use std::collections::BTreeMap;

use xcute_report::exchange::{Campaign, Change, Level, remarks};
use xcute_report::{
    Arms, BranchArm, Cell, Counted, Failure, Figures, FileCoverage, FunctionCoverage, InputValue, LayerShare, Limit, LimitKind, Line,
    Ratio, Report, Row, Seconds, Section, SolverShare, SourceCoverage, Style, Summary, Table, Unconfirmed, Units, html, lcov, terminal,
};
use xcute_trace::{Bound, FailureKind, Frame, Note};

const SOURCE: &str = "#include <stdlib.h>\nint half(int x) {\n\tif (x < 0 && x > -9)\n\t\tabort(); /* <b> */\n\treturn x / 2;\n}\n";

fn frame(function: &str, line: u32) -> Frame {
    Frame { function: function.into(), file: "half.c".into(), line, ..Frame::default() }
}

fn coverage() -> SourceCoverage {
    let arm = |branch, arm, taken| BranchArm { line: 3, branch, arm, taken, site: None };
    let file = FileCoverage {
        lines: BTreeMap::from([(3, true), (4, true), (5, false)]),
        places: BTreeMap::new(),
        functions: vec![FunctionCoverage { name: "half".into(), line: 2, entered: true, called: Some(true) }],
        branches: vec![arm(0, 0, true), arm(0, 1, true), arm(1, 0, false), arm(1, 1, true)],
    };
    SourceCoverage { files: BTreeMap::from([("half.c".to_owned(), file)]), own: Figures::default() }
}

fn report() -> Report {
    let failure = Failure {
        id: "f1".into(),
        kind: FailureKind::Abort,
        message: "abort() was called".into(),
        file: "half.c".into(),
        line: 4,
        column: 3,
        function: "half".into(),
        stack: vec![frame("half", 4), frame("main", 9)],
        notes: vec![Note { what: "allocated".into(), at: frame("half", 3) }],
        interleaving: Vec::new(),
        values: Vec::new(),
        flipped: None,
        case: "xcute-out/failures/f1.json".into(),
        replay: "xcute replay xcute-out/failures/f1.json".into(),
        replayed: true,
    };
    let layer = |layer: &str, seen, sat, unsat, share, constraints: (u64, u64)| LayerShare {
        layer: layer.into(),
        seen,
        sat,
        unsat,
        unknown: 0,
        share,
        constraints_in: constraints.0,
        constraints_out: constraints.1,
    };
    let limit = |kind: &str, what: &str, count, incomplete| Limit { kind: kind.into(), what: what.into(), count, incomplete };
    let summary = Summary {
        version: Summary::VERSION,
        language: "c".into(),
        subject: "half".into(),
        strategy: "dfs".into(),
        seed: 7,
        jobs: 1,
        stop: "runs".into(),
        complete: false,
        bounds: vec![Bound::new("x", 8, "x up to 8")],
        inputs: 1,
        runs: 3,
        fuzzed: None,
        paths: 2,
        interleaved: None,
        handovers: 0,
        rejected: 1,
        failures: vec![failure],
        unconfirmed: Vec::new(),
        arms: Arms { taken: 3, infeasible: 0, open: 1, unknown: 0, diverged: 0, pruned: 0, subsumed: 0 },
        own: Figures::default(),
        pruning: None,
        coverage: coverage().totals(),
        solver: SolverShare {
            queries: 4,
            layers: vec![layer("opt1", 4, 0, 1, 0.25, (0, 0)), layer("opt3", 3, 0, 0, 0.0, (9, 4)), layer("bits", 3, 3, 0, 0.75, (0, 0))],
            sat: 3,
            unsat: 1,
            unknown: 0,
            seconds: 0.001,
        },
        seconds: Seconds { total: 0.5, subject: 0.25, solver: 0.001, confirming: 0.125 },
        limits: vec![limit("concretised", "address at half.c:5", 2, true), limit("uninstrumented", "puts", 1, false)],
        timeline: Vec::new(),
    };
    let inputs = BTreeMap::from([("f1".to_owned(), vec![InputValue { name: "x".into(), value: "-1".into() }])]);
    Report { inputs, coverage: coverage(), sources: BTreeMap::from([("half.c".to_owned(), SOURCE.to_owned())]), ..Report::of(summary) }
}

#[test]
fn terminal_plain() {
    insta::assert_snapshot!(terminal::render(&report(), false, Style::PLAIN));
}

#[test]
fn terminal_verbose() {
    insta::assert_snapshot!(terminal::render(&report(), true, Style::PLAIN));
}

#[test]
fn terminal_colours_change_no_text() {
    let coloured = terminal::render(&report(), true, Style { coloured: true, ..Style::PLAIN });
    assert!(coloured.contains("\x1b["));
    let mut stripped = String::new();
    let mut rest = coloured.as_str();
    while let Some(at) = rest.find('\x1b') {
        stripped.push_str(&rest[..at]);
        rest = &rest[at + rest[at..].find('m').unwrap() + 1..];
    }
    stripped.push_str(rest);
    assert_eq!(stripped, terminal::render(&report(), true, Style::PLAIN));
}

#[test]
fn terminal_complete_without_failure() {
    let mut report = report();
    report.summary.failures.clear();
    report.summary.limits.clear();
    report.summary.complete = true;
    insta::assert_snapshot!(terminal::render(&report, false, Style::PLAIN));
}

/// The same failure through two other callers, and one that could not be repeated.
fn several() -> Report {
    let mut report = report();
    let first = report.summary.failures[0].clone();
    for (n, line) in [(2, 10), (3, 12)] {
        let mut other = Failure { id: format!("f{n}"), ..first.clone() };
        other.stack[1] = frame("main", line);
        report.summary.failures.push(other);
    }
    let mut nested = Failure { id: "f4".into(), column: 20, ..first.clone() };
    nested.stack[0].column = 20;
    report.summary.failures.push(nested);
    let doubtful = Failure { id: "u1".into(), line: 5, kind: FailureKind::NullAccess, replayed: false, ..first };
    report.summary.unconfirmed.push(Unconfirmed { failure: doubtful, why: "the uninstrumented program returns instead".into() });
    report
}

#[test]
fn failures_at_one_place_are_one_for_people() {
    insta::assert_snapshot!(terminal::render(&several(), false, Style::PLAIN));
    let page = html::render(&several());
    for id in ["f1", "f2", "f3", "f4", "u1"] {
        assert!(page.contains(&format!("id=\"{id}\"")), "{id}");
    }
    let summary = several().summary;
    let text = xcute_report::json(&summary);
    assert_eq!(xcute_report::parse(&text).unwrap(), summary);
}

#[test]
fn json() {
    let text = xcute_report::json(&report().summary);
    insta::assert_snapshot!(text);
    assert_eq!(xcute_report::parse(&text).unwrap(), report().summary);
}

#[test]
fn lcov_tracefile() {
    insta::assert_snapshot!(lcov::render(&coverage()));
}

#[test]
fn html_page() {
    let page = html::render(&report());
    insta::assert_snapshot!(page.split_once("</style>").unwrap().1.split_once("<script>").unwrap().0);
    for outside in ["http:", "https:", "src=", "@import", "url(\"", "url(h", "fetch(", "import("] {
        assert!(!page.contains(outside), "the page refers to something outside: {outside}");
    }
}

#[test]
fn nothing_is_an_input() {
    let mut report = report();
    report.summary.failures.clear();
    report.summary.limits = vec![Limit { kind: "no-input".into(), what: "say --entry".into(), count: 1, incomplete: true }];
    let text = terminal::render(&report, false, Style::PLAIN);
    assert!(text.starts_with("no failure in half; nothing is an input: say --entry\n") && !text.contains("no-input"), "{text}");
    assert!(html::render(&report).contains("No failure; nothing is an input: say --entry."));
}

#[test]
fn a_language_has_lines_and_words_of_its_own() {
    let mut report = report();
    let counted = |what: &str, covered, total| Counted::new(what, Ratio { covered, total });
    let line = Line::Counted(vec![counted("states", 2, 3), counted("guards both ways", 1, 2)]);
    report.words.sections = vec![Section { name: "machine".into(), line, table: None }];
    let text = terminal::render(&report, false, Style::PLAIN);
    assert!(text.contains("machine   states 2/3 (66 %), guards both ways 1/2 (50 %)\n") && text.contains("coverage  branches"), "{text}");
    assert!(html::render(&report).contains("<tr><th>machine</th><td>states 2 of 3 (66 %), guards both ways 1 of 2 (50 %)</td></tr>"));
    report.words.counted = vec![counted("clauses", 5, 6), counted("predicates", 3, 3)];
    assert!(terminal::render(&report, false, Style::PLAIN).contains("coverage  clauses 5/6 (83 %), predicates 3/3 (100 %)\n"));
    let page = html::render(&report);
    assert!(page.contains("; 5 of 6 clauses; 3 of 3 predicates.</p>") && !page.contains("1 of 1 functions"));
    assert!(page.contains("<button>function</button>") && page.contains("<button>lines</button>"), "the usual words");
    report.words.units = Units { lines: "clauses", branches: "choices", functions: "predicates", function: "predicate" };
    let page = html::render(&report);
    for (head, there) in
        [("predicate", true), ("clauses", true), ("choices", true), ("function", false), ("lines", false), ("branches", false)]
    {
        assert_eq!(page.contains(&format!("<button>{head}</button>")), there, "{head}");
    }
}

#[test]
fn a_language_explains_its_own_limits() {
    const OWN: &[LimitKind] = &[LimitKind { name: "universe", meaning: "Inputs are not made of it.", advice: "Declare types." }];
    let mut report = report();
    report.summary.limits = vec![Limit { kind: "universe".into(), what: "f/1".into(), count: 1, incomplete: true }];
    assert!(!html::render(&report).contains("Inputs are not made of it."));
    report.words.limits = OWN;
    assert!(html::render(&report).contains("Inputs are not made of it. <b>Declare types.</b>"));
}

#[test]
fn a_section_in_detail_is_a_table_and_lines() {
    let mut report = report();
    let row = |name: &str, text: &str, warning| Row {
        name: name.into(),
        place: ("half.c".into(), 1),
        cells: vec![Cell::new(2), Cell { text: text.into(), warning }],
        text: format!("seen {text}"),
    };
    let table = Table {
        title: "Choices".into(),
        about: "What was chosen.".into(),
        brief: "by number".into(),
        heads: ["name", "clauses", "seen"].map(str::to_owned).to_vec(),
        rows: vec![row("p/1", "<1>", false), row("long/2", "2", true)],
    };
    report.words.sections = vec![Section { name: "choices".into(), line: Line::Text("2 seen".into()), table: Some(table) }];
    assert!(!terminal::render(&report, false, Style::PLAIN).contains("by number"));
    let text = terminal::render(&report, true, Style::PLAIN);
    assert!(text.contains("\nchoices   by number\n  p/1     seen <1>\n  long/2  seen 2\n"), "{text}");
    let page = html::render(&report);
    assert!(page.contains(
        "<h2>Choices</h2>\n<p>What was chosen.</p>\n<table class=\"choices\">\n<tr><th>name</th><th>clauses</th><th>seen</th></tr>\n"
    ));
    assert!(page.contains("<code>p/1</code></a></td><td>2</td><td>&lt;1&gt;</td></tr>\n"), "{page}");
    assert!(page.contains("<td>2</td><td class=\"warning\">2</td></tr>\n"));
}

/// What is longer than a screen ends with what matters.
#[test]
fn a_long_report_ends_with_the_verdict_and_the_failures() {
    let mut long = report();
    let first = long.summary.failures[0].clone();
    let numbered = |number: u32| Failure { id: format!("f{number}"), line: 100 + number, ..first.clone() };
    long.summary.failures = (1..=20).map(numbered).collect();
    let text = terminal::render(&long, false, Style::PLAIN);
    let last: Vec<&str> = text.lines().rev().take(2).collect();
    assert!(
        last[0].starts_with("f1 abort half.c:101, f2 abort half.c:102, ") && last[0].ends_with("f16 abort half.c:116, and 4 more"),
        "{}",
        last[0]
    );
    assert_eq!(text.lines().next(), Some(last[1]));
}

/// The campaign of the report, as a directory of this name holds it.
fn campaign(directory: &str, complete: bool) -> Campaign {
    let mut report = report();
    (report.summary.complete, report.summary.arms.subsumed) = (complete, 0);
    let directory = directory.to_owned();
    Campaign { directory, report, cases: Vec::new(), exit: 1, arguments: Vec::new(), origin: "/p".to_owned(), ended: 0 }
}

#[test]
fn remarks_stand_only_in_the_text_that_was_tested() {
    let (new, old) = (campaign("new", true), campaign("old", false));
    let levels =
        |all: &[(&Campaign, Change)]| remarks("/p/half.c", all).iter().map(|remark| (remark.level, remark.line)).collect::<Vec<_>>();
    let failures = [(Level::Error, 4), (Level::Warning, 4)];
    let of = |levels: Vec<(Level, u32)>| {
        levels.into_iter().filter(|(level, _)| matches!(level, Level::Error | Level::Warning)).collect::<Vec<_>>()
    };
    assert!(levels(&[(&new, Change::None)]).contains(&(Level::Unreachable, 3)));
    assert!(levels(&[(&old, Change::None)]).contains(&(Level::Missed, 3)));
    // What may still be taken by an incomplete search is not unreachable; a failure that both know is shown once.
    let both = levels(&[(&new, Change::None), (&old, Change::None)]);
    assert!(both.contains(&(Level::Missed, 3)) && !both.contains(&(Level::Unreachable, 3)), "{both:?}");
    assert_eq!(of(both), of(levels(&[(&new, Change::None)])));
    assert_eq!(of(levels(&[(&new, Change::None)]))[0], failures[0]);
    // Another source changed: failures say so, and nothing is proved.
    let others = remarks("/p/half.c", &[(&new, Change::Others(vec!["half.h".to_owned()]))]);
    assert!(others.iter().all(|remark| remark.failure.is_some() && remark.message.contains("found before half.h changed")), "{others:#?}");
    assert_eq!(others[0].related[0].0.file, "/p/half.c");
    // The file itself changed: one note at its top, unless something newer is known.
    assert_eq!(levels(&[(&old, Change::Itself)]), [(Level::Note, 1)]);
    assert!(!levels(&[(&new, Change::None), (&old, Change::Itself)]).contains(&(Level::Note, 1)));
    assert_eq!(remarks("/p/other.c", &[(&new, Change::None)]), []);
}

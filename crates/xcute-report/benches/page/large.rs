//! Pages as large as they get, and a browser that shows them.

use std::collections::BTreeMap;
use std::process::Command;

use xcute_report::{BranchArm, FileCoverage, FunctionCoverage, PathArm, PathSite, PathState, Paths, Report, SourceCoverage, Summary};
use xcute_trace::SiteId;

/// What a page may take, in milliseconds.
pub const GOAL: f64 = 2000.0;

fn summary() -> Summary {
    let text = include_str!("../summary.json");
    xcute_report::parse(text).unwrap()
}

/// A binary tree with paths that end at different depths.
pub fn tree(nodes: u32) -> Report {
    let sites = (0..500).map(|line| PathSite {
        place: ("big.c".into(), line + 1),
        function: "f".into(),
        arms: vec!["false".into(), "true".into()],
    });
    let below = |child: u32| {
        if child < nodes {
            PathArm::Decision(child)
        } else {
            PathArm::Is(if child.is_multiple_of(7) { PathState::Infeasible } else { PathState::Passed })
        }
    };
    let mut paths = Paths::with_room(nodes as usize);
    paths.sites = sites.collect();
    for at in 0..nodes {
        paths.push(at % 500, u64::from(at), [below(2 * at + 1), below(2 * at + 2)]);
    }
    Report { paths, ..Report::of(summary()) }
}

/// A file of many small functions.
pub fn source(lines: u32) -> Report {
    let line = |at: u32| match at % 10 {
        0 => format!("static int function_{at}(int x, const char *text) {{"),
        9 => "}".to_owned(),
        1..4 => format!("  if (x > {at} && text[x] == 'a') /* one of many */ return \"text\"[{}];", at % 4),
        _ => format!("  x = x * {at} + text[x % 7]; // what comes next"),
    };
    let text: String = (0..lines).map(|at| line(at) + "\n").collect();
    let mut file = FileCoverage::default();
    for at in 0..lines {
        file.line(at + 1, at % 3 > 0);
        if (1..4).contains(&(at % 10)) {
            file.branches.extend((0..4).map(|arm| BranchArm {
                line: at + 1,
                branch: at,
                arm,
                taken: arm < at % 5,
                site: Some(SiteId(at)),
            }));
        }
        if at.is_multiple_of(10) {
            file.functions.push(FunctionCoverage {
                name: format!("function_{at}"),
                line: at + 1,
                entered: at.is_multiple_of(20),
                called: None,
            });
        }
    }
    let coverage = SourceCoverage { files: BTreeMap::from([("big.c".to_owned(), file)]), ..SourceCoverage::default() };
    Report { coverage, sources: BTreeMap::from([("big.c".to_owned(), text)]), ..Report::of(summary()) }
}

pub fn both() -> Report {
    Report { paths: tree(100_000).paths, ..source(50_000) }
}

/// Shows a page once; the milliseconds until it was loaded and laid out.
pub fn loaded(page: &str) -> f64 {
    let own = format!("xcute-page-{}-{:?}", std::process::id(), std::thread::current().id());
    let place = std::env::temp_dir().join(own.replace(['(', ')'], ""));
    std::fs::create_dir_all(&place).unwrap();
    let clock = "<script>document.body.scrollHeight; document.title = `after ${performance.now()} ms`;</script>";
    let file = place.join("index.html");
    std::fs::write(&file, page.replace("</body>", &format!("{clock}</body>"))).unwrap();
    let name = ["chromium-headless-shell", "chromium"].into_iter().find(|name| Command::new(name).arg("--version").output().is_ok());
    let output = Command::new("timeout")
        .args(["--kill-after=5", "120", name.expect("a browser (./x setup installs it)")])
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--dump-dom"])
        .arg(format!("--user-data-dir={}", place.join("profile").display()))
        .arg(format!("file://{}", file.display()))
        .output()
        .unwrap();
    let dom = String::from_utf8_lossy(&output.stdout);
    let time = dom.split_once("<title>after ").and_then(|(_, rest)| rest.split_once(" ms</title>")).map(|(time, _)| time);
    // What is left is only in the way.
    let _ = std::fs::remove_dir_all(&place);
    time.unwrap_or_else(|| panic!("{}", &dom[..dom.len().min(500)])).parse().unwrap()
}

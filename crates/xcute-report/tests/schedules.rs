//! Explanations of handmade schedules.

use xcute_report::schedules::{Asked, Choice, Racing, Way, WayState, choice, overview, run};
use xcute_trace::{Frame, Happening};

fn doing(task: &str, what: &str, line: u32) -> Happening {
    Happening {
        task: task.into(),
        what: what.into(),
        at: Frame { function: "f".into(), file: "fig2.c".into(), line, ..Frame::default() },
        marked: false,
    }
}

fn way(next: Happening, state: WayState) -> Way {
    Way { next, arm: None, state, asked: None }
}

fn first() -> Choice {
    let race = [
        Racing { step: Some(3), happening: doing("1.1", "writes `x`", 9) },
        Racing { step: Some(12), happening: doing("1.2", "reads `x`", 14) },
    ];
    let blocked = [race[0].clone(), Racing { step: None, happening: doing("1.4", "locks `m`", 30) }];
    let mut read = way(doing("1.2", "reads `x`", 14), WayState::Taken(4));
    read.asked = Some(Asked { run: 1, race: Some(race) });
    let mut wakes = way(doing("1.3", "signals `c`", 20), WayState::Open);
    (wakes.arm, wakes.asked) = (Some(2), Some(Asked { run: 2, race: Some(blocked) }));
    let idle = way(doing("1.4", "reads `y`", 25), WayState::Idle);
    Choice { run: 1, step: 3, ways: vec![way(doing("1.1", "writes `x`", 9), WayState::Taken(1)), read, wakes, idle], chosen: 0 }
}

#[test]
fn a_choice() {
    insta::assert_snapshot!(choice(&first()));
}

#[test]
fn the_choices_of_a_run() {
    let mut last = first();
    last.step = 10;
    last.ways.truncate(2);
    last.ways[1].state = WayState::Diverged;
    insta::assert_snapshot!(run(1, 12, &[first(), last]));
}

#[test]
fn all_races() {
    let first = first();
    let every = Way { asked: Some(Asked { run: 1, race: None }), ..first.ways[1].clone() };
    let mut arms: Vec<_> = first.ways.iter().map(|way| ((1, 3), way)).collect();
    arms.extend((2..6).map(|run| ((run, 7), &first.ways[1])));
    arms.push(((1, 4), &every));
    insta::assert_snapshot!(overview(&arms));
    assert_eq!(overview(&[]), "0 schedule arms were asked for: 0 taken\n");
}

//! Cobertura's XML (`coverage-04.dtd`): lines and branches for services that show coverage.
//!
//! A directory is a package and a file a class.
//!
//! **Invariant.** An arm that no input takes is neither covered nor missed: it is not counted.

use std::collections::BTreeMap;

use maud::{Markup, PreEscaped, html};
use xcute_markup::xml;

use super::combined::File;
use super::{Combined, Exchange};
use crate::ratio::Ratio;

const DOCTYPE: &str = "<!DOCTYPE coverage SYSTEM \"http://cobertura.sourceforge.net/xml/coverage-04.dtd\">\n";

/// The document.
#[must_use]
pub fn render(exchange: &Exchange<'_>) -> String {
    let combined = Combined::of(exchange.campaigns, exchange.project);
    let mut packages: BTreeMap<&str, Vec<(&String, &File)>> = BTreeMap::new();
    for (path, file) in &combined.files {
        packages.entry(path.rsplit_once('/').map_or(".", |(directory, _)| directory)).or_default().push((path, file));
    }
    let all = Share::of(combined.files.values());
    let ended = exchange.campaigns.iter().map(|campaign| campaign.ended).max().unwrap_or(0);
    xml(html! {
        (PreEscaped(DOCTYPE))
        coverage line-rate=(rate(all.lines)) branch-rate=(rate(all.arms)) lines-covered=(all.lines.covered) lines-valid=(all.lines.total)
            branches-covered=(all.arms.covered) branches-valid=(all.arms.total) complexity="0" version=(format!("xcute {}", exchange.version))
            timestamp=(ended * 1000) {
            sources { source { (exchange.project.root) } }
            packages { @for (name, files) in packages { (package(name, &files)) } }
        }
    }) + "\n"
}

/// How much of some files is covered.
#[derive(Clone, Copy, Default)]
struct Share {
    lines: Ratio,
    arms: Ratio,
}

impl Share {
    fn of<'a>(files: impl Iterator<Item = &'a File>) -> Share {
        let mut share = Share::default();
        for file in files {
            share.lines.total += file.lines.len() as u64;
            share.lines.covered += file.lines.values().filter(|ran| **ran).count() as u64;
            for ratio in file.arms().into_values() {
                share.arms.total += ratio.total;
                share.arms.covered += ratio.covered;
            }
        }
        share
    }
}

/// From 0 to 1, and 1 only for all; 1 where there is nothing to cover.
fn rate(ratio: Ratio) -> String {
    match ratio.total {
        0 => "1".to_owned(),
        total => format!("{:.4}", (ratio.covered * 10_000 / total) as f64 / 10_000.0),
    }
}

fn package(name: &str, files: &[(&String, &File)]) -> Markup {
    let share = Share::of(files.iter().map(|(_, file)| *file));
    html! {
        package name=(name) line-rate=(rate(share.lines)) branch-rate=(rate(share.arms)) complexity="0" {
            classes { @for (path, file) in files { (class(path, file)) } }
        }
    }
}

fn class(path: &str, file: &File) -> Markup {
    let share = Share::of(std::iter::once(file));
    let name = path.rsplit('/').next().unwrap_or(path);
    let arms = file.arms();
    html! {
        class name=(name) filename=(path) line-rate=(rate(share.lines)) branch-rate=(rate(share.arms)) complexity="0" {
            methods {
                @for ((line, name), entered) in &file.functions {
                    method name=(name) signature="" line-rate=(u8::from(*entered)) branch-rate=(u8::from(*entered)) complexity="0" {
                        lines { @if *line > 0 { line number=(line) hits=(u8::from(*entered)) {} } }
                    }
                }
            }
            lines { @for (line, ran) in lines(file, &arms) { (counted(line, ran, arms.get(&line))) } }
        }
    }
}

/// The lines with code, and those that only have arms of branches: these ran if one of their arms was taken.
fn lines(file: &File, arms: &BTreeMap<u32, Ratio>) -> BTreeMap<u32, bool> {
    let mut lines: BTreeMap<u32, bool> = arms.iter().map(|(line, arms)| (*line, arms.covered > 0)).collect();
    lines.extend(&file.lines);
    lines
}

fn counted(number: u32, ran: bool, arms: Option<&Ratio>) -> Markup {
    let hits = u8::from(ran);
    match arms {
        None => html! { line number=(number) hits=(hits) branch="false" {} },
        Some(arms) => {
            let percent = format!("{}%", arms.percent());
            html! {
                line number=(number) hits=(hits) branch="true" condition-coverage=(format!("{percent} ({}/{})", arms.covered, arms.total)) {
                    conditions { condition number="0" type="jump" coverage=(percent) {} }
                }
            }
        }
    }
}

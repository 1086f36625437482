//! Curves of coverage over time, one panel for each model: the picture of [ahmadi-dingel-2019 Fig. 9].

use std::fmt::Write as _;

/// The share of branches that were covered, by seconds.
pub struct Curve {
    pub name: &'static str,
    pub points: Vec<(f64, f64)>,
}

/// What one model shows.
pub struct Panel {
    pub title: String,
    pub curves: Vec<Curve>,
}

const COLOURS: [&str; 4] = ["#1b7837", "#2166ac", "#b2182b", "#777777"];
const WIDTH: f64 = 300.0;
const HEIGHT: f64 = 180.0;
const EDGE: f64 = 46.0;

/// Draws the panels, three in a row; all curves end after the same time.
pub fn svg(panels: &[Panel], seconds: f64) -> String {
    let rows = panels.len().div_ceil(3);
    #[allow(clippy::cast_precision_loss, reason = "few panels")]
    let at = |n: usize, size: f64| n as f64 * (size + 2.0 * EDGE) + EDGE;
    let (width, height) = (at(panels.len().min(3), WIDTH), at(rows, HEIGHT));
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" font-family=\"sans-serif\" font-size=\"12\">\n<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n"
    );
    for (number, panel) in panels.iter().enumerate() {
        let (left, top) = (at(number % 3, WIDTH), at(number / 3, HEIGHT));
        let bottom = top + HEIGHT;
        let _ = writeln!(out, "<text x=\"{left}\" y=\"{}\" font-weight=\"bold\">{}</text>", top - 10.0, panel.title);
        let _ = writeln!(out, "<path d=\"M{left} {top}V{bottom}H{}\" fill=\"none\" stroke=\"#000\"/>", left + WIDTH);
        let _ = writeln!(out, "<text x=\"{}\" y=\"{}\" text-anchor=\"end\">100 %</text>", left - 4.0, top + 4.0);
        let _ = writeln!(out, "<text x=\"{}\" y=\"{bottom}\" text-anchor=\"end\">0</text>", left - 4.0);
        let _ = writeln!(out, "<text x=\"{}\" y=\"{}\" text-anchor=\"end\">{seconds} s</text>", left + WIDTH, bottom + 16.0);
        for ((curve, colour), line) in panel.curves.iter().zip(COLOURS).zip(0u8..) {
            let mut points = format!("{left},{bottom}");
            let mut before = 0.0;
            for &(time, share) in curve.points.iter().chain([(seconds, f64::NAN)].iter()) {
                let share = if share.is_nan() { before } else { share };
                let x = left + WIDTH * (time / seconds).min(1.0);
                let _ = write!(points, " {x:.1},{:.1} {x:.1},{:.1}", bottom - HEIGHT * before, bottom - HEIGHT * share);
                before = share;
            }
            let _ = writeln!(out, "<polyline points=\"{points}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"/>");
            let y = bottom - 8.0 - 14.0 * f64::from(line);
            let _ = writeln!(out, "<text x=\"{}\" y=\"{y}\" fill=\"{colour}\">{}</text>", left + WIDTH + 6.0, curve.name);
        }
    }
    out + "</svg>\n"
}

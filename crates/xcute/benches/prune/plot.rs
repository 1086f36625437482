//! Curves as SVG: a few lines with points, linear axes, a legend.

use std::fmt::Write as _;

pub struct Curve {
    pub name: String,
    pub points: Vec<(f64, f64)>,
}

const COLOURS: [&str; 7] = ["#555555", "#c62828", "#1565c0", "#2e7d32", "#ef6c00", "#6a1b9a", "#00838f"];
const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 400.0;
const LEFT: f64 = 70.0;
const TOP: f64 = 40.0;
const BOTTOM: f64 = 50.0;

pub fn svg(title: &str, x: &str, y: &str, curves: &[Curve]) -> String {
    let all = || curves.iter().flat_map(|curve| &curve.points);
    let largest = |of: fn(&(f64, f64)) -> f64| all().map(of).fold(1e-9, f64::max);
    let (right, top) = (largest(|p| p.0), largest(|p| p.1));
    let (wide, high) = (WIDTH - LEFT - 20.0, HEIGHT - TOP - BOTTOM);
    let at = |p: &(f64, f64)| (LEFT + p.0 / right * wide, TOP + high - p.1 / top * high);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" font-family=\"sans-serif\" font-size=\"12\">\n"
    );
    writeln!(out, "<rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"white\"/>").unwrap();
    writeln!(out, "<text x=\"{LEFT}\" y=\"22\" font-size=\"15\">{title}</text>").unwrap();
    let floor = TOP + high;
    writeln!(out, "<path d=\"M{LEFT} {TOP}V{floor}H{}\" fill=\"none\" stroke=\"black\"/>", LEFT + wide).unwrap();
    for tick in 0..=4 {
        let part = f64::from(tick) / 4.0;
        let (px, py) = at(&(right * part, top * part));
        writeln!(out, "<text x=\"{px:.0}\" y=\"{:.0}\" text-anchor=\"middle\">{}</text>", floor + 16.0, number(right * part)).unwrap();
        writeln!(out, "<text x=\"{:.0}\" y=\"{py:.0}\" text-anchor=\"end\">{}</text>", LEFT - 6.0, number(top * part)).unwrap();
    }
    writeln!(out, "<text x=\"{:.0}\" y=\"{:.0}\" text-anchor=\"middle\">{x}</text>", LEFT + wide / 2.0, HEIGHT - 12.0).unwrap();
    writeln!(out, "<text transform=\"translate(16 {:.0}) rotate(-90)\" text-anchor=\"middle\">{y}</text>", TOP + high / 2.0).unwrap();
    for (n, curve) in curves.iter().enumerate() {
        let colour = COLOURS[n % COLOURS.len()];
        let points: Vec<String> = curve.points.iter().map(|p| format!("{:.1},{:.1}", at(p).0, at(p).1)).collect();
        writeln!(out, "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"/>", points.join(" ")).unwrap();
        let y = TOP + 14.0 + 16.0 * n as f64;
        writeln!(out, "<text x=\"{:.0}\" y=\"{y:.0}\" fill=\"{colour}\">{}</text>", LEFT + 12.0, curve.name).unwrap();
    }
    out + "</svg>\n"
}

fn number(n: f64) -> String {
    if n >= 100.0 {
        format!("{n:.0}")
    } else if n >= 1.0 {
        format!("{n:.1}")
    } else {
        format!("{n:.2}")
    }
}

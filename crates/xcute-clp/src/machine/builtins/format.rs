//! `format/1`, `format/2` and `format/3`: directives, columns, and the errors they throw even where nobody sees the text.

use num_bigint::BigInt;
use num_traits::ToPrimitive;

use super::Builtin;
use crate::machine::Machine;
use crate::machine::cell::Cell;
use crate::machine::error::{Step, Stop};
use crate::machine::goals::Call;
use crate::machine::number::Number;
use crate::syntax::{Atom, Style};

/// The radix of `~r` without a number.
const OCTAL: usize = 8;

/// The predicates of this file.
pub(super) const TABLE: &[(&str, u32, Builtin)] = &[
    ("format", 1, Builtin::Plain(|m, c| format(m, m.arg(c, 0), Cell::Atom(Atom::NIL)))),
    ("format", 2, Builtin::Plain(|m, c| format(m, m.arg(c, 0), m.arg(c, 1)))),
    ("format", 3, Builtin::Plain(format_to)),
];

fn format(m: &mut Machine<'_>, text: Cell, args: Cell) -> Step {
    let column = m.outputs.last().map_or(0, |output| width(last_line(output)));
    let text = m.formatted(text, args, column, !m.outputs.is_empty())?;
    m.collect(&text)
}

fn format_to(m: &mut Machine<'_>, call: Call) -> Step {
    let [sink, text, args] = [0, 1, 2].map(|i| m.arg(call, i));
    if let Cell::Struct(_) = sink {
        m.check_sink(sink)?;
        let text = m.formatted(text, args, 0, true)?;
        return m.unify_sink(sink, &text);
    }
    if !matches!(sink, Cell::Atom(name) if matches!(m.symbols.atoms.name(name), "user_output" | "user_error" | "current_output")) {
        m.check_sink(sink)?;
    }
    m.formatted(text, args, 0, false)?;
    Ok(true)
}

fn last_line(text: &str) -> &str {
    text.rsplit_once('\n').map_or(text, |(_, line)| line)
}

fn width(text: &str) -> usize {
    text.chars().count()
}

/// Text with column stops.
struct Layout {
    out: String,
    /// The column in which the text begins.
    from: usize,
    /// Where the text since the last stop begins, and the places in it that may be filled.
    since: usize,
    fills: Vec<(usize, char)>,
    stop: usize,
}

impl Layout {
    fn column(&self) -> usize {
        let line = last_line(&self.out);
        width(line) + if line.len() == self.out.len() { self.from } else { 0 }
    }

    /// Ends a column: the room that is left goes to the places that may be filled, or after the text.
    fn end_column(&mut self, at: usize) {
        let room = at.saturating_sub(self.column());
        if self.fills.is_empty() {
            self.fills.push((self.out.len(), ' '));
        }
        let (each, left) = (room / self.fills.len(), room % self.fills.len());
        let last = self.fills.len() - 1;
        for (number, (place, fill)) in std::mem::take(&mut self.fills).into_iter().enumerate().rev() {
            let count = each + if number == last { left } else { 0 };
            self.out.insert_str(place.max(self.since), &fill.to_string().repeat(count));
        }
        self.since = self.out.len();
        self.stop = at.max(self.column());
    }
}

impl Machine<'_> {
    /// The text of a format with its arguments. Where it is not wanted, only errors are.
    fn formatted(&mut self, text: Cell, args: Cell, column: usize, wanted: bool) -> Result<String, Stop> {
        let text = match self.words(text) {
            // A list that is not a text is to blame as a whole.
            Err(Stop::Throw(_)) if matches!(text, Cell::Struct(_)) => return Err(self.type_error("text", text)),
            other => other?,
        };
        let mut args = match self.elements(args) {
            Ok(items) => items,
            Err(_) => vec![args],
        }
        .into_iter();
        let mut layout = Layout { out: String::new(), from: column, since: 0, fills: Vec::new(), stop: column };
        let mut characters = text.chars();
        while let Some(c) = characters.next() {
            if c != '~' {
                layout.out.push(c);
                continue;
            }
            let mut directive = characters.next();
            let mut number: Option<usize> = None;
            match directive {
                Some('`') => {
                    number = characters.next().map(|c| c as usize);
                    directive = characters.next();
                }
                Some('*') => {
                    let arg = self.next_argument(&mut args)?;
                    number = match self.pinned(arg, "a number of format/2")? {
                        Cell::Int(value) if value >= 0 => usize::try_from(value).ok(),
                        _ => return Err(self.format_error("no or negative integer for `*' argument")),
                    };
                    directive = characters.next();
                }
                _ => {
                    while let Some(digit) = directive.and_then(|c| c.to_digit(10)) {
                        number = Some(number.unwrap_or(0).saturating_mul(10).saturating_add(digit as usize).min(100_000));
                        directive = characters.next();
                    }
                }
            }
            let directive = directive.unwrap_or('\0');
            match directive {
                't' => layout.fills.push((layout.out.len(), number.and_then(|n| char::from_u32(n as u32)).unwrap_or(' '))),
                '|' => {
                    let at = number.unwrap_or_else(|| layout.column());
                    layout.end_column(at);
                }
                '+' => {
                    let at = layout.stop + number.unwrap_or(8);
                    layout.end_column(at);
                }
                '~' => layout.out.push('~'),
                'n' => layout.out.push_str(&"\n".repeat(number.unwrap_or(1))),
                _ => {
                    let text = self.directive(directive, number, &mut args, wanted)?;
                    layout.out.push_str(&text);
                }
            }
            if layout.out.len() > self.bounds.cells {
                return Err(Stop::Budget(xcute_trace::Budget::Memory));
            }
        }
        if args.next().is_some() {
            return Err(self.format_error("too many arguments"));
        }
        Ok(layout.out)
    }

    /// The text of a directive that takes an argument.
    fn directive(&mut self, name: char, number: Option<usize>, args: &mut std::vec::IntoIter<Cell>, wanted: bool) -> Result<String, Stop> {
        if !matches!(name, 'w' | 'p' | 'q' | 'a' | 's' | 'i' | 'd' | 'D' | 'f' | 'e' | 'g' | 'c' | 'r' | 'R' | 'k' | '@') {
            let culprit = self.symbols.atom(&name.to_string());
            let (what, functor) = (self.symbols.atom("format_character"), self.symbols.functor_named("existence_error", 2));
            let formal = self.heap.compound(functor, &[what, culprit]);
            return Err(self.error(formal));
        }
        let arg = self.next_argument(args)?;
        Ok(match name {
            'i' => String::new(),
            '@' => return Err(self.not_supported("~@ of format/2")),
            'w' | 'p' | 'q' | 'k' if !wanted => String::new(),
            // Inputs are not looked at where nobody sees the text, but for what is not a text.
            'a' | 's' if !wanted && matches!(arg, Cell::Sym(_)) => {
                self.format_words(name, arg)?;
                String::new()
            }
            'w' => self.term_text(arg, Style::Plain)?,
            'p' | 'q' => self.term_text(arg, Style::Quoted)?,
            'k' => self.term_text(arg, Style::Canonical)?,
            'a' => match self.heap.deref(arg) {
                Cell::Var(_) | Cell::Struct(_) | Cell::Atom(Atom::NIL) => return Err(self.format_argument(name, arg)),
                _ => self.text(arg)?,
            },
            's' => match self.heap.deref(arg) {
                Cell::Var(_) | Cell::Int(_) | Cell::Big(_) | Cell::Float(_) => return Err(self.format_argument(name, arg)),
                _ => match self.text(arg) {
                    Err(Stop::Throw(_)) => return Err(self.format_argument(name, arg)),
                    other => other?,
                },
            },
            'd' | 'D' => {
                let value = self.format_integer(arg, name, wanted)?;
                grouped(&value, number.unwrap_or(0), name == 'D')
            }
            'r' | 'R' => {
                let Some(radix) = Some(number.unwrap_or(OCTAL)).filter(|radix| (2..=36).contains(radix)) else {
                    return Err(self.format_error("~r requires an argument"));
                };
                let digits = self.format_integer(arg, name, wanted)?.to_str_radix(radix as u32);
                if name == 'R' { digits.to_uppercase() } else { digits }
            }
            'c' => self.format_code(arg, wanted)?.map(|code| code.to_string().repeat(number.unwrap_or(1))).unwrap_or_default(),
            _ => {
                let value = self.evaluate(arg)?;
                if !wanted {
                    return Ok(String::new());
                }
                let value = self.fixed(value, "a number of format/2");
                floating(name, &value, number.unwrap_or(6))
            }
        })
    }

    fn next_argument(&mut self, args: &mut std::vec::IntoIter<Cell>) -> Result<Cell, Stop> {
        args.next().ok_or_else(|| self.format_error("not enough arguments"))
    }

    pub(super) fn format_error(&mut self, what: &str) -> Stop {
        let what = self.symbols.atom(what);
        let functor = self.symbols.functor_named("format", 1);
        let formal = self.heap.compound(functor, &[what]);
        self.error(formal)
    }
}

/// An integer with a point before its last digits, and its thousands apart.
fn grouped(value: &BigInt, decimals: usize, thousands: bool) -> String {
    let text = value.magnitude().to_string();
    let text = format!("{text:0>width$}", width = decimals + 1);
    let (whole, fraction) = text.split_at(text.len() - decimals);
    let mut out = String::from(if value.sign() == num_bigint::Sign::Minus { "-" } else { "" });
    for (place, digit) in whole.chars().enumerate() {
        if thousands && place > 0 && (whole.len() - place).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    if decimals > 0 {
        out.push('.');
        out.push_str(fraction);
    }
    out
}

/// A number as C's `printf` writes it.
fn floating(name: char, value: &Number, digits: usize) -> String {
    let x = match value {
        Number::Float(x) => *x,
        other => {
            let value = other.as_integer().unwrap_or_default();
            if name == 'f' {
                let point = if digits > 0 { "." } else { "" };
                return format!("{value}{point}{}", "0".repeat(digits));
            }
            value.to_f64().unwrap_or(f64::INFINITY)
        }
    };
    match name {
        'f' => format!("{x:.digits$}"),
        'e' => scientific(x, digits),
        _ => {
            let digits = digits.max(1);
            let exponent: i32 = scientific(x, digits - 1).rsplit_once('e').and_then(|(_, e)| e.parse().ok()).unwrap_or(0);
            let short =
                |text: &str| if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text.to_owned() };
            if exponent < -4 || exponent >= i32::try_from(digits).unwrap_or(i32::MAX) {
                let text = scientific(x, digits - 1);
                let (mantissa, exponent) = text.rsplit_once('e').expect("it has an exponent");
                return format!("{}e{exponent}", short(mantissa));
            }
            let decimals = usize::try_from(i32::try_from(digits).unwrap_or(i32::MAX) - 1 - exponent).unwrap_or(0);
            short(&format!("{x:.decimals$}"))
        }
    }
}

fn scientific(x: f64, digits: usize) -> String {
    let text = format!("{x:.digits$e}");
    let Some((mantissa, exponent)) = text.split_once('e') else { return text };
    let (sign, exponent) = exponent.strip_prefix('-').map_or(('+', exponent), |rest| ('-', rest));
    format!("{mantissa}e{sign}{exponent:0>2}")
}

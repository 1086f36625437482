//! Terms as SMT-LIB 2.6.
//!
//! Terms are graphs, so what is used twice is named once and the output is linear in the number of nodes: by `let` in
//! [`smtlib()`], by `define-fun` in [`smtlib_query`], which shares between assertions too. `FpToBits`, which SMT-LIB lacks, is
//! printed as Z3's `fp.to_ieee_bv`; `FpFmod` and `BvToInt`, which it lacks too, are spelled out.
//!
//! **Invariant.** No recursion over terms, and no text is copied more often than a constant number of times.

use num_bigint::BigInt;
use num_traits::Signed;
use rustc_hash::FxHashMap;

use crate::print::symbols::{ctor_name, smtlib as head, symbol};
use crate::{Bits, DataSortId, Op, Sort, TermId, Terms, Value};

/// A text longer than this gets a name, so that deep terms are not copied level by level.
const MAX_INLINE: usize = 400;

/// One term; shared parts are bound by `let`.
#[must_use]
pub fn smtlib(terms: &Terms, t: TermId) -> String {
    let (definitions, texts) = define(terms, &[t]);
    let mut out = String::new();
    for (name, _, text) in &definitions {
        out.push_str(&format!("(let (({name} {text})) "));
    }
    out.push_str(&texts[0]);
    out.extend(std::iter::repeat_n(')', definitions.len()));
    out
}

/// A whole script: data types, variables with their domains, definitions, assertions, `check-sat`.
#[must_use]
pub fn smtlib_query(terms: &Terms, assertions: &[TermId]) -> String {
    let mut vars: Vec<_> = assertions.iter().flat_map(|&t| terms.vars(t)).collect();
    vars.sort_unstable();
    vars.dedup();
    let mut out = String::from("(set-logic ALL)\n");
    declare_data(terms, assertions, &mut out);
    for &var in &vars {
        let info = terms.info(var);
        out.push_str(&format!("(declare-const {} {})\n", symbol(&info.name), sort_name(terms, info.sort)));
    }
    for &var in &vars {
        let info = terms.info(var);
        if let Some(domain) = terms.domain(var) {
            let equal = |&word: &u64| format!("(= {} {})", symbol(&info.name), value(terms, &Value::from_word(info.sort, word)));
            let choices: Vec<String> = domain.iter().map(equal).collect();
            out.push_str(&format!("(assert (or false {}))\n", choices.join(" ")));
        }
    }
    let (definitions, texts) = define(terms, assertions);
    for (name, sort, text) in definitions {
        out.push_str(&format!("(define-fun {name} () {} {text})\n", sort_name(terms, sort)));
    }
    for text in texts {
        out.push_str(&format!("(assert {text})\n"));
    }
    out.push_str("(check-sat)\n");
    out
}

type Definition = (String, Sort, String);

/// The nodes below `roots`, arguments first.
fn reachable(terms: &Terms, roots: &[TermId]) -> Vec<TermId> {
    let mut seen = FxHashMap::default();
    let mut stack = roots.to_vec();
    while let Some(t) = stack.pop() {
        if seen.insert(t, ()).is_none() {
            stack.extend_from_slice(terms.args(t));
        }
    }
    let mut nodes: Vec<TermId> = seen.into_keys().collect();
    nodes.sort_unstable();
    nodes
}

/// Names for shared or long parts, in order, and the texts of the roots in terms of them.
fn define(terms: &Terms, roots: &[TermId]) -> (Vec<Definition>, Vec<String>) {
    let nodes = reachable(terms, roots);
    let mut uses: FxHashMap<TermId, u32> = FxHashMap::default();
    for &t in &nodes {
        // These two mention their arguments more than once.
        let times = if matches!(terms.op(t), Op::FpFmod | Op::BvToInt) { 2 } else { 1 };
        for &a in terms.args(t) {
            *uses.entry(a).or_default() += times;
        }
    }
    for &t in roots {
        *uses.entry(t).or_default() += 1;
    }
    let mut texts: FxHashMap<TermId, String> = FxHashMap::default();
    let mut definitions = vec![];
    for &t in &nodes {
        let text = render(terms, t, &mut texts, &uses);
        let inner = !terms.args(t).is_empty();
        let text = if inner && (uses[&t] > 1 || text.len() > MAX_INLINE) {
            let name = format!("$t{}", t.index());
            definitions.push((name.clone(), terms.sort(t), text));
            name
        } else {
            text
        };
        texts.insert(t, text);
    }
    let texts = roots.iter().map(|t| texts[t].clone()).collect();
    (definitions, texts)
}

fn render(terms: &Terms, t: TermId, texts: &mut FxHashMap<TermId, String>, uses: &FxHashMap<TermId, u32>) -> String {
    let (op, args) = (terms.op(t), terms.args(t));
    match op {
        Op::Var(var) => return symbol(&terms.info(var).name),
        Op::Const(_) => return terms.as_value(t).map(|v| value(terms, v)).unwrap_or_default(),
        Op::Construct(ctor) if args.is_empty() => return symbol(ctor_name(terms, ctor)),
        Op::BvToInt => return signed_value(terms, args[0], &texts[&args[0]]),
        Op::FpFmod => return fmod(terms.sort(t), &texts[&args[0]], &texts[&args[1]]),
        _ => {}
    }
    let width = args.first().and_then(|&a| terms.sort(a).width()).unwrap_or(0);
    let mut out = format!("({}", head(terms, op, width));
    for &a in args {
        out.push(' ');
        if uses[&a] == 1 && !terms.args(a).is_empty() {
            out.push_str(&texts.remove(&a).unwrap_or_default());
        } else {
            out.push_str(&texts[&a]);
        }
    }
    out.push(')');
    out
}

fn signed_value(terms: &Terms, x: TermId, text: &str) -> String {
    let width = terms.width(x);
    let top = width - 1;
    let power = BigInt::from(1) << width;
    format!("(ite (= ((_ extract {top} {top}) {text}) #b1) (- (bv2nat {text}) {power}) (bv2nat {text}))")
}

/// `fmod` by the IEEE remainder of the magnitudes, which is at most half a divisor too low; adding the divisor is then exact.
fn fmod(sort: Sort, x: &str, y: &str) -> String {
    let Sort::Float(format) = sort else { unreachable!("fmod is for floats") };
    let (e, s) = (format.exponent(), format.significand());
    format!(
        "(let (($r (fp.rem (fp.abs {x}) (fp.abs {y})))) (let (($m (ite (fp.lt $r (_ +zero {e} {s})) (fp.add RNE $r (fp.abs {y})) $r))) \
         (ite (fp.isNegative {x}) (fp.neg $m) $m)))"
    )
}

fn sort_name(terms: &Terms, sort: Sort) -> String {
    match sort {
        Sort::Bool => "Bool".to_owned(),
        Sort::BitVec(w) => format!("(_ BitVec {w})"),
        Sort::Float(format) => format!("(_ FloatingPoint {} {})", format.exponent(), format.significand()),
        Sort::Int => "Int".to_owned(),
        Sort::Real => "Real".to_owned(),
        Sort::Str => "String".to_owned(),
        Sort::Data(id) => symbol(&terms.data(id).name),
    }
}

/// Declares the data types that the assertions need, all at once because they may mention each other.
fn declare_data(terms: &Terms, assertions: &[TermId], out: &mut String) {
    let mut needed: Vec<DataSortId> = vec![];
    let mut open: Vec<Sort> = reachable(terms, assertions).iter().map(|&t| terms.sort(t)).collect();
    while let Some(sort) = open.pop() {
        if let Sort::Data(id) = sort
            && !needed.contains(&id)
        {
            needed.push(id);
            open.extend(terms.data(id).ctors.iter().flat_map(|c| c.1.iter().map(|f| f.sort)));
        }
    }
    if needed.is_empty() {
        return;
    }
    needed.sort_unstable();
    let names: Vec<String> = needed.iter().map(|&id| format!("({} 0)", symbol(&terms.data(id).name))).collect();
    let mut bodies = vec![];
    for &id in &needed {
        let ctors = terms.data(id).ctors.iter().map(|(name, fields)| {
            let fields: String = fields.iter().map(|f| format!(" ({} {})", symbol(&f.name), sort_name(terms, f.sort))).collect();
            format!("({}{fields})", symbol(name))
        });
        bodies.push(format!("({})", ctors.collect::<Vec<_>>().join(" ")));
    }
    out.push_str(&format!("(declare-datatypes ({}) ({}))\n", names.join(" "), bodies.join(" ")));
}

fn value(terms: &Terms, value_: &Value) -> String {
    match value_ {
        Value::Bool(b) => b.to_string(),
        Value::Bits(bits) => binary(bits),
        Value::Float(format, bits) => {
            let (e, s) = (format.exponent() as usize, format.significand());
            let digits = format!("{:0>width$}", bits.to_big().to_str_radix(2), width = format.width() as usize);
            let (sign, rest) = digits.split_at(1);
            let (exponent, fraction) = rest.split_at(e);
            if exponent.contains('0') || !fraction.contains('1') {
                format!("(fp #b{sign} #b{exponent} #b{fraction})")
            } else {
                format!("(_ NaN {e} {s})")
            }
        }
        Value::Int(n) => integer(n, ""),
        Value::Real(q) if q.is_integer() => integer(q.numer(), ".0"),
        Value::Real(q) => format!("(/ {} {})", integer(q.numer(), ".0"), integer(q.denom(), ".0")),
        Value::Str(s) => string(s),
        Value::Data(data) => {
            let name = symbol(ctor_name(terms, data.ctor));
            let fields: String = data.fields.iter().map(|f| format!(" {}", value(terms, f))).collect();
            if fields.is_empty() { name } else { format!("({name}{fields})") }
        }
    }
}

fn binary(bits: &Bits) -> String {
    let width = bits.width() as usize;
    if width.is_multiple_of(4) {
        format!("#x{:0>digits$}", bits.to_big().to_str_radix(16), digits = width / 4)
    } else {
        format!("#b{:0>width$}", bits.to_big().to_str_radix(2))
    }
}

fn integer(n: &BigInt, suffix: &str) -> String {
    if n.is_negative() { format!("(- {}{suffix})", n.magnitude()) } else { format!("{n}{suffix}") }
}

fn string(s: &str) -> String {
    let mut out = String::from("\"");
    for c in s.chars() {
        match c {
            '"' => out.push_str("\"\""),
            ' '..='~' if c != '\\' => out.push(c),
            _ => out.push_str(&format!("\\u{{{:x}}}", u32::from(c))),
        }
    }
    out.push('"');
    out
}

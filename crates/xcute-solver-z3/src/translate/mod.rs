//! From terms to Z3's terms: each term is translated once, and remembered by its number.
//!
//! Where SMT-LIB leaves the value of an operator open (division by zero, the selector of another constructor, a float out of an
//! integer's range, the bits of a NaN), the translation says what `xcute_term::eval` chose, so that answers are about the same
//! function that models are checked with.

mod arithmetic;
mod bits;
mod data;
mod float;
mod string;

use num_bigint::BigInt;
use xcute_term::{Op, Sort, TermId, Terms, Value, VarId};
use z3_sys as z3;

pub(crate) use data::DataTypes;
pub(crate) use string::TO_CODE;

use crate::ffi::{self, Ast, Context};

/// The theories a term needs, as a set of flags.
pub(crate) type Theories = u8;
/// Floats occur.
pub(crate) const FLOATS: Theories = 1;
/// Something else than Booleans, bit-vectors and floats occurs.
pub(crate) const UNBOUNDED: Theories = 2;

#[derive(Clone, Copy)]
enum Slot {
    New,
    Foreign,
    Known(Ast, Theories),
}

/// The translation so far.
pub(crate) struct Translation {
    pub(crate) context: Context,
    pub(crate) data: DataTypes,
    memo: Vec<Slot>,
    /// The constant that stands for a variable; of a float, for its bits.
    variables: Vec<Option<Ast>>,
    /// The Boolean constant under which a constraint is asserted.
    names: Vec<Option<Ast>>,
    functions: string::Functions,
    /// Whether a string has occurred by itself.
    strings: bool,
    stack: Vec<TermId>,
    size: usize,
}

impl Translation {
    /// Nothing translated yet; `None` if Z3 gives no context.
    pub(crate) fn new() -> Option<Translation> {
        Some(Translation {
            context: Context::new()?,
            data: DataTypes::default(),
            memo: Vec::new(),
            variables: Vec::new(),
            names: Vec::new(),
            functions: string::Functions::default(),
            strings: false,
            stack: Vec::new(),
            size: 0,
        })
    }

    /// How many terms were translated: what grows.
    pub(crate) fn size(&self) -> usize {
        self.size
    }

    /// Whether a string has occurred, if only as a part of a data sort.
    pub(crate) fn has_strings(&self) -> bool {
        self.strings || self.data.strings
    }

    /// Z3's term and the theories it needs; `None` if there is no translation.
    pub(crate) fn term(&mut self, terms: &Terms, t: TermId) -> Option<(Ast, Theories)> {
        if !matches!(self.memo.get(t.index()), Some(Slot::Known(..) | Slot::Foreign)) {
            self.translate(terms, t);
        }
        match self.memo[t.index()] {
            Slot::Known(ast, theories) => Some((ast, theories)),
            _ => None,
        }
    }

    /// The constant that stands for a variable that has been translated; of a float, for its bits.
    pub(crate) fn variable(&self, var: VarId) -> Option<Ast> {
        self.variables.get(var.index()).copied().flatten()
    }

    /// The name under which a constraint is asserted.
    pub(crate) fn name(&mut self, t: TermId) -> Option<Ast> {
        if self.names.len() <= t.index() {
            self.names.resize(t.index() + 1, None);
        }
        if self.names[t.index()].is_none() {
            let sort = self.context.sort(z3::Z3_mk_bool_sort)?;
            self.names[t.index()] = self.context.constant(&format!("p{}", t.index()), sort);
        }
        self.names[t.index()]
    }

    /// Z3's sort.
    pub(crate) fn sort(&mut self, terms: &Terms, sort: Sort) -> Option<ffi::Sort> {
        self.strings |= sort == Sort::Str;
        match sort {
            Sort::Bool => self.context.sort(z3::Z3_mk_bool_sort),
            Sort::BitVec(width) => self.context.word_sort(width),
            Sort::Float(format) => self.context.float_sort(format),
            Sort::Int => self.context.sort(z3::Z3_mk_int_sort),
            Sort::Real => self.context.sort(z3::Z3_mk_real_sort),
            Sort::Str => self.context.sort(z3::Z3_mk_string_sort),
            Sort::Data(id) => self.data.declare(&self.context, terms, id).map(|data| data.sort),
        }
    }

    /// Translates bottom-up, without recursion because terms of long loops are deep.
    fn translate(&mut self, terms: &Terms, root: TermId) {
        self.memo.resize(terms.len(), Slot::New);
        self.stack.push(root);
        while let Some(&t) = self.stack.last() {
            if !matches!(self.memo[t.index()], Slot::New) {
                self.stack.pop();
                continue;
            }
            let mut theories = theories_of(terms.sort(t));
            let mut foreign = false;
            let waiting = self.stack.len();
            for &a in terms.args(t) {
                match self.memo[a.index()] {
                    Slot::New => self.stack.push(a),
                    Slot::Foreign => foreign = true,
                    Slot::Known(_, below) => theories |= below,
                }
            }
            if foreign {
                self.memo[t.index()] = Slot::Foreign;
            } else if self.stack.len() == waiting {
                let node = self.node(terms, t);
                self.memo[t.index()] = node.map_or(Slot::Foreign, |ast| Slot::Known(ast, theories));
                self.size += 1;
            }
        }
    }

    /// Z3's term of one that is translated.
    fn known(&self, t: TermId) -> Option<Ast> {
        match self.memo[t.index()] {
            Slot::Known(ast, _) => Some(ast),
            _ => None,
        }
    }

    fn node(&mut self, terms: &Terms, t: TermId) -> Option<Ast> {
        let args: Vec<Ast> = terms.args(t).iter().map(|&a| self.known(a)).collect::<Option<_>>()?;
        let c = &self.context;
        match (terms.op(t), &args[..]) {
            (Op::Var(var), _) => self.new_variable(terms, var),
            (Op::Const(_), _) => self.value(terms, terms.as_value(t)?),
            (Op::Not, &[a]) => c.one(z3::Z3_mk_not, a),
            (Op::And, args) => c.many(z3::Z3_mk_and, args),
            (Op::Or, args) => c.many(z3::Z3_mk_or, args),
            (Op::Ite, &[cond, a, b]) => c.three(z3::Z3_mk_ite, cond, a, b),
            (Op::Eq, &[a, b]) => c.two(z3::Z3_mk_eq, a, b),
            (op @ (Op::Construct(_) | Op::Select(..) | Op::IsCtor(_)), args) => self.data_operator(terms, op, args),
            (op, args) => {
                let sorts = terms.args(t).iter().map(|&a| terms.sort(a)).collect::<Vec<Sort>>();
                match sorts.first()? {
                    Sort::Float(..) => self.float_operator(terms, t, args),
                    Sort::BitVec(width) => bits::operator(c, op, *width, args).or_else(|| self.float_from_word(op, args)),
                    Sort::Str => self.string_operator(op, args),
                    Sort::Int | Sort::Real => arithmetic::operator(c, op, sorts[0], args).or_else(|| self.string_operator(op, args)),
                    Sort::Bool | Sort::Data(_) => None,
                }
            }
        }
    }

    fn new_variable(&mut self, terms: &Terms, var: VarId) -> Option<Ast> {
        let sort = terms.info(var).sort;
        let name = format!("v{}", var.index());
        // A float is a reading of bits, so that the payload of a NaN is known and models are plain numbers.
        let held = match sort {
            Sort::Float(..) => Sort::BitVec(sort.width()?),
            other => other,
        };
        let held = self.sort(terms, held)?;
        let constant = self.context.constant(&name, held)?;
        self.variables.resize(self.variables.len().max(var.index() + 1), None);
        self.variables[var.index()] = Some(constant);
        match sort {
            Sort::Float(format) => self.context.word_to_float(constant, self.context.float_sort(format)?),
            _ => Some(constant),
        }
    }

    /// The constant of a value.
    pub(crate) fn value(&mut self, terms: &Terms, value: &Value) -> Option<Ast> {
        let sort = self.sort(terms, value.sort())?;
        let c = &self.context;
        match value {
            Value::Bool(true) => c.leaf(z3::Z3_mk_true),
            Value::Bool(false) => c.leaf(z3::Z3_mk_false),
            Value::Bits(bits) => word(c, bits),
            Value::Float(_, bits) => c.word_to_float(word(c, bits)?, sort),
            Value::Int(int) => integer(c, int, sort),
            Value::Real(real) => c.numeral(&format!("{}/{}", real.numer(), real.denom()), sort),
            Value::Str(text) => c.string(&string::escaped(text)),
            Value::Data(data) => {
                let fields: Vec<Ast> = data.fields.iter().map(|f| self.value(terms, f)).collect::<Option<_>>()?;
                self.data_operator(terms, Op::Construct(data.ctor), &fields)
            }
        }
    }
}

/// A bit-vector constant.
fn word(c: &Context, bits: &xcute_term::Bits) -> Option<Ast> {
    let sort = c.word_sort(bits.width())?;
    match bits.as_u64() {
        Some(word) => c.small_numeral(word, sort),
        None => c.numeral(&bits.to_big().to_string(), sort),
    }
}

/// Larger numbers are not given to Z3: it divides them for minutes, and cannot be interrupted there.
const BITS: u64 = 1 << 15;

/// An integer constant of the sort `Int`.
fn integer(c: &Context, value: &BigInt, sort: ffi::Sort) -> Option<Ast> {
    if value.bits() > BITS { None } else { c.numeral(&value.to_string(), sort) }
}

fn theories_of(sort: Sort) -> Theories {
    match sort {
        Sort::Bool | Sort::BitVec(_) => 0,
        Sort::Float(..) => FLOATS,
        Sort::Int | Sort::Real | Sort::Str | Sort::Data(_) => UNBOUNDED,
    }
}

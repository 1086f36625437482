//! The names of operators in both outputs.

use crate::{CtorId, FloatFormat, Op, Rounding, Terms};

/// The infix sign of an operator for people, and how tightly it binds.
pub(super) fn infix(op: Op) -> Option<(&'static str, u8)> {
    use Rounding::NearestEven as Nearest;
    Some(match op {
        Op::BvOr => (" | ", 4),
        Op::BvXor => (" ^ ", 5),
        Op::BvAnd => (" & ", 6),
        Op::Eq | Op::FpEq => (" == ", 7),
        Op::BvUlt => (" <u ", 8),
        Op::BvUle => (" <=u ", 8),
        Op::BvSlt | Op::Lt | Op::FpLt | Op::StrLt => (" < ", 8),
        Op::BvSle | Op::Le | Op::FpLe | Op::StrLe => (" <= ", 8),
        Op::Concat | Op::StrConcat => (" ++ ", 9),
        Op::BvShl => (" << ", 10),
        Op::BvLshr => (" >>u ", 10),
        Op::BvAshr => (" >> ", 10),
        Op::BvAdd | Op::Add | Op::FpAdd(Nearest) => (" + ", 11),
        Op::BvSub | Op::Sub | Op::FpSub(Nearest) => (" - ", 11),
        Op::BvMul | Op::Mul | Op::FpMul(Nearest) => (" * ", 12),
        Op::BvUdiv => (" /u ", 12),
        Op::BvSdiv | Op::Div | Op::FpDiv(Nearest) => (" / ", 12),
        Op::BvUrem => (" %u ", 12),
        Op::BvSrem => (" % ", 12),
        _ => return None,
    })
}

/// The function name of an operator for people.
pub(super) fn function(terms: &Terms, op: Op) -> String {
    match op {
        Op::Construct(ctor) => ctor_name(terms, ctor).to_owned(),
        Op::Select(ctor, i) => terms.ctor_fields(ctor)[i as usize].name.clone(),
        Op::IsCtor(ctor) => format!("is_{}", ctor_name(terms, ctor)),
        Op::FpFromBits(format) => format!("as_f{}", format.width()),
        Op::FpToBits => "as_bits".to_owned(),
        Op::FpFmod => "fmod".to_owned(),
        Op::FpRem => "remainder".to_owned(),
        Op::FpSqrt(Rounding::NearestEven) => "sqrt".to_owned(),
        Op::FpFma(Rounding::NearestEven) => "fma".to_owned(),
        Op::FpAbs => "fabs".to_owned(),
        Op::FpMin => "fmin".to_owned(),
        Op::FpMax => "fmax".to_owned(),
        Op::FpIsNan => "isnan".to_owned(),
        Op::FpIsInf => "isinf".to_owned(),
        Op::FpIsZero => "iszero".to_owned(),
        Op::BvToInt => "signed".to_owned(),
        Op::BvToNat => "unsigned".to_owned(),
        Op::IntToBv(w) => format!("low{w}"),
        Op::FpToSbv(..) | Op::FpToUbv(..) | Op::FpToFp(..) | Op::FpFromSbv(..) | Op::FpFromUbv(..) => {
            smtlib(terms, op, 0).replace(['(', ')'], "").replace("_ ", "").replace(' ', ".")
        }
        _ => smtlib(terms, op, 0).replace(' ', "."),
    }
}

/// A conversion to a float of a format.
fn conversion(name: &str, to: FloatFormat) -> String {
    format!("(_ {name} {} {})", to.exponent(), to.significand())
}

/// The name of a constructor.
pub(super) fn ctor_name(terms: &Terms, ctor: CtorId) -> &str {
    &terms.data(ctor.sort).ctors[ctor.index as usize].0
}

/// A quoted symbol of SMT-LIB. The two characters that cannot stand in one are replaced.
pub(super) fn symbol(name: &str) -> String {
    format!("|{}|", name.replace(['|', '\\'], "!"))
}

fn rounding_name(rounding: Rounding) -> &'static str {
    match rounding {
        Rounding::NearestEven => "RNE",
        Rounding::NearestAway => "RNA",
        Rounding::Up => "RTP",
        Rounding::Down => "RTN",
        Rounding::Zero => "RTZ",
    }
}

/// The head of an SMT-LIB application, rounding mode included; `width` is that of the first argument.
pub(super) fn smtlib(terms: &Terms, op: Op, width: u32) -> String {
    let float = |name: &str, rounding: Rounding| format!("{name} {}", rounding_name(rounding));
    let fixed = match op {
        Op::Extract(hi, lo) => return format!("(_ extract {hi} {lo})"),
        Op::ZeroExt(to) => return format!("(_ zero_extend {})", to - width),
        Op::SignExt(to) => return format!("(_ sign_extend {})", to - width),
        Op::IntToBv(w) => return format!("(_ int2bv {w})"),
        Op::FpFromBits(to) => return conversion("to_fp", to),
        Op::FpAdd(r) => return float("fp.add", r),
        Op::FpSub(r) => return float("fp.sub", r),
        Op::FpMul(r) => return float("fp.mul", r),
        Op::FpDiv(r) => return float("fp.div", r),
        Op::FpSqrt(r) => return float("fp.sqrt", r),
        Op::FpFma(r) => return float("fp.fma", r),
        Op::FpRound(r) => return float("fp.roundToIntegral", r),
        Op::FpToFp(r, to) | Op::FpFromSbv(r, to) => return float(&conversion("to_fp", to), r),
        Op::FpFromUbv(r, to) => return float(&conversion("to_fp_unsigned", to), r),
        Op::FpToSbv(r, w) => return float(&format!("(_ fp.to_sbv {w})"), r),
        Op::FpToUbv(r, w) => return float(&format!("(_ fp.to_ubv {w})"), r),
        Op::Construct(ctor) => return symbol(ctor_name(terms, ctor)),
        Op::Select(ctor, i) => return symbol(&terms.ctor_fields(ctor)[i as usize].name),
        Op::IsCtor(ctor) => return format!("(_ is {})", symbol(ctor_name(terms, ctor))),
        op => simple(op),
    };
    fixed.to_owned()
}

fn simple(op: Op) -> &'static str {
    match op {
        Op::Not => "not",
        Op::And => "and",
        Op::Or => "or",
        Op::Ite => "ite",
        Op::Eq => "=",
        Op::BvNot => "bvnot",
        Op::BvNeg => "bvneg",
        Op::BvAdd => "bvadd",
        Op::BvSub => "bvsub",
        Op::BvMul => "bvmul",
        Op::BvUdiv => "bvudiv",
        Op::BvSdiv => "bvsdiv",
        Op::BvUrem => "bvurem",
        Op::BvSrem => "bvsrem",
        Op::BvShl => "bvshl",
        Op::BvLshr => "bvlshr",
        Op::BvAshr => "bvashr",
        Op::BvAnd => "bvand",
        Op::BvOr => "bvor",
        Op::BvXor => "bvxor",
        Op::BvUlt => "bvult",
        Op::BvUle => "bvule",
        Op::BvSlt => "bvslt",
        Op::BvSle => "bvsle",
        Op::Concat => "concat",
        Op::FpToBits => "fp.to_ieee_bv",
        Op::FpRem => "fp.rem",
        Op::FpNeg => "fp.neg",
        Op::FpAbs => "fp.abs",
        Op::FpMin => "fp.min",
        Op::FpMax => "fp.max",
        Op::FpEq => "fp.eq",
        Op::FpLt => "fp.lt",
        Op::FpLe => "fp.leq",
        Op::FpIsNan => "fp.isNaN",
        Op::FpIsInf => "fp.isInfinite",
        Op::FpIsZero => "fp.isZero",
        Op::Add => "+",
        Op::Sub | Op::Neg => "-",
        Op::Mul => "*",
        Op::Div => "/",
        Op::IntDiv => "div",
        Op::IntMod => "mod",
        Op::Lt => "<",
        Op::Le => "<=",
        Op::ToReal => "to_real",
        Op::ToInt => "to_int",
        Op::BvToNat => "bv2nat",
        Op::StrConcat => "str.++",
        Op::StrLen => "str.len",
        Op::StrAt => "str.at",
        Op::StrSubstr => "str.substr",
        Op::StrContains => "str.contains",
        Op::StrPrefixOf => "str.prefixof",
        Op::StrSuffixOf => "str.suffixof",
        Op::StrIndexOf => "str.indexof",
        Op::StrReplace => "str.replace",
        Op::StrReplaceAll => "str.replace_all",
        Op::StrLt => "str.<",
        Op::StrLe => "str.<=",
        Op::StrToInt => "str.to_int",
        Op::StrFromInt => "str.from_int",
        Op::StrToCode => "str.to_code",
        Op::StrFromCode => "str.from_code",
        other => unreachable!("{other:?} has parameters or no SMT-LIB name and is printed elsewhere"),
    }
}

//! Operators: what a term's node can be.
//!
//! Names and meanings are SMT-LIB's (division by zero included: `bvudiv x 0` is all ones, `bvurem x 0` is `x`).
//! `FpToSbv` and `FpToUbv` out of range, which SMT-LIB leaves open, give the sign bit alone as x86 does.
//! Comparisons exist only as `<` and `<=`; the builders turn `>` and `>=` round.

use crate::float::FloatFormat;
use crate::ids::{CtorId, VarId};

/// IEEE rounding modes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Rounding {
    /// To nearest, ties to even: C's default.
    NearestEven,
    /// To nearest, ties away from zero.
    NearestAway,
    /// Towards plus infinity.
    Up,
    /// Towards minus infinity.
    Down,
    /// Towards zero: C's conversion from float to integer.
    Zero,
}

/// The operator of a node. The comment gives the arguments; the result sort is computed by [`crate::Terms::mk`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(missing_docs, reason = "the names are SMT-LIB's; the comments group them")]
pub enum Op {
    // Leaves.
    Var(VarId),
    /// A value, by its index in the arena's table of values.
    Const(u32),

    // Bool. And, Or: any number of arguments; an Or becomes the negation of an And, so no term of an arena has it.
    // Ite: condition, then, else, of any sort. Eq: two of one sort (floats too: Eq is identity, of all NaNs too, FpEq the IEEE
    // comparison).
    Not,
    And,
    Or,
    Ite,
    Eq,

    // Bit-vectors of one width.
    BvNot,
    BvNeg,
    BvAdd,
    BvSub,
    BvMul,
    BvUdiv,
    BvSdiv,
    BvUrem,
    BvSrem,
    BvShl,
    BvLshr,
    BvAshr,
    BvAnd,
    BvOr,
    BvXor,
    BvUlt,
    BvUle,
    BvSlt,
    BvSle,
    // Changing width. Concat: high part, low part. Extract(hi, lo) inclusive. Extensions: the resulting width.
    Concat,
    Extract(u32, u32),
    ZeroExt(u32),
    SignExt(u32),

    // Floats. FpFromBits and FpToBits reinterpret; FpToFp rounds a float to another format.
    FpFromBits(FloatFormat),
    FpToBits,
    FpAdd(Rounding),
    FpSub(Rounding),
    FpMul(Rounding),
    FpDiv(Rounding),
    FpRem,
    /// C's `fmod` (LLVM's `frem`): the remainder of the division rounded to zero. Not in SMT-LIB, where `fp.rem` rounds to nearest.
    FpFmod,
    FpSqrt(Rounding),
    FpFma(Rounding),
    FpRound(Rounding),
    FpNeg,
    FpAbs,
    FpMin,
    FpMax,
    FpEq,
    FpLt,
    FpLe,
    FpIsNan,
    FpIsInf,
    FpIsZero,
    FpToFp(Rounding, FloatFormat),
    // From a signed or unsigned bit-vector to a float, and back to a bit-vector of the given width.
    FpFromSbv(Rounding, FloatFormat),
    FpFromUbv(Rounding, FloatFormat),
    FpToSbv(Rounding, u32),
    FpToUbv(Rounding, u32),

    // Int and Real alike (both arguments of one sort); IntDiv and IntMod are SMT-LIB's `div` and `mod`, Div is for Real.
    Add,
    Sub,
    Mul,
    Neg,
    Div,
    IntDiv,
    IntMod,
    Lt,
    Le,
    ToReal,
    ToInt,
    // Between Int and bit-vectors: the unsigned value, the signed value, the low bits.
    BvToNat,
    BvToInt,
    IntToBv(u32),

    // Strings.
    StrConcat,
    StrLen,
    StrAt,
    StrSubstr,
    StrContains,
    StrPrefixOf,
    StrSuffixOf,
    StrIndexOf,
    StrReplace,
    StrReplaceAll,
    StrLt,
    StrLe,
    StrToInt,
    StrFromInt,
    StrToCode,
    StrFromCode,

    // Algebraic data: Construct takes the fields, Select(c, i) gives field i, IsCtor tests.
    Construct(CtorId),
    Select(CtorId, u32),
    IsCtor(CtorId),
}

impl Op {
    /// The operators on two bit-vectors of one width whose result has that width, too.
    pub const BINARY: [Op; 13] = [
        Op::BvAdd,
        Op::BvSub,
        Op::BvMul,
        Op::BvUdiv,
        Op::BvSdiv,
        Op::BvUrem,
        Op::BvSrem,
        Op::BvShl,
        Op::BvLshr,
        Op::BvAshr,
        Op::BvAnd,
        Op::BvOr,
        Op::BvXor,
    ];
    /// The orders on two bit-vectors of one width.
    pub const COMPARISONS: [Op; 4] = [Op::BvUlt, Op::BvUle, Op::BvSlt, Op::BvSle];
}

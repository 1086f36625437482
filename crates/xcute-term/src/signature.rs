//! Signatures: which arguments an operator takes and the sort of its result.
//!
//! One file, so that the rewriter, the evaluator and readers of [`Op`] share one answer.
//!
//! **Invariant.** A node of the arena always has the sort that is computed here; arguments that do not fit are a bug of
//! the caller and panic at the place where the term is built.

use crate::ids::TermId;
use crate::op::Op;
use crate::sort::Sort;
use crate::terms::Terms;

/// The sort of `op` applied to `args`.
///
/// # Panics
/// Where the number or the sorts of the arguments do not fit.
pub(crate) fn result_sort(terms: &Terms, op: Op, args: &[TermId]) -> Sort {
    match op {
        Op::Var(var) => terms.info(var).sort,
        Op::Const(_) => panic!("constants are built with Terms::value"),
        Op::Not | Op::And | Op::Or | Op::Ite | Op::Eq => core_sort(terms, op, args),
        Op::Construct(ctor) => {
            let fields = terms.ctor_fields(ctor);
            let fits = fields.len() == args.len() && fields.iter().zip(args).all(|(f, &a)| f.sort == terms.sort(a));
            assert!(fits, "{op:?}: the arguments are not the constructor's fields");
            Sort::Data(ctor.sort)
        }
        Op::Select(ctor, field) => {
            expect(terms, op, args, &[Sort::Data(ctor.sort)]);
            terms.ctor_fields(ctor)[field as usize].sort
        }
        Op::IsCtor(ctor) => {
            expect(terms, op, args, &[Sort::Data(ctor.sort)]);
            Sort::Bool
        }
        _ => scalar_sort(terms, op, args),
    }
}

fn core_sort(terms: &Terms, op: Op, args: &[TermId]) -> Sort {
    match op {
        Op::Not => expect(terms, op, args, &[Sort::Bool]),
        Op::And | Op::Or => {
            assert!(!args.is_empty() && args.iter().all(|&a| terms.sort(a) == Sort::Bool), "{op:?} is for Booleans");
        }
        Op::Ite => {
            let fits = args.len() == 3 && terms.sort(args[0]) == Sort::Bool && terms.sort(args[1]) == terms.sort(args[2]);
            assert!(fits, "Ite takes a Boolean and two arms of one sort");
            return terms.sort(args[1]);
        }
        _ => assert!(args.len() == 2 && terms.sort(args[0]) == terms.sort(args[1]), "{op:?} takes two arguments of one sort"),
    }
    Sort::Bool
}

fn scalar_sort(terms: &Terms, op: Op, args: &[TermId]) -> Sort {
    assert!(!args.is_empty(), "{op:?} takes arguments");
    let first = terms.sort(args[0]);
    match op {
        Op::BvNot | Op::BvNeg => bits_sort(terms, op, args, 1),
        Op::BvAdd
        | Op::BvSub
        | Op::BvMul
        | Op::BvUdiv
        | Op::BvSdiv
        | Op::BvUrem
        | Op::BvSrem
        | Op::BvShl
        | Op::BvLshr
        | Op::BvAshr
        | Op::BvAnd
        | Op::BvOr
        | Op::BvXor => bits_sort(terms, op, args, 2),
        Op::BvUlt | Op::BvUle | Op::BvSlt | Op::BvSle => {
            bits_sort(terms, op, args, 2);
            Sort::Bool
        }
        Op::Concat | Op::Extract(..) | Op::ZeroExt(_) | Op::SignExt(_) => width_sort(terms, op, args),
        Op::FpFromBits(format) => {
            expect(terms, op, args, &[Sort::BitVec(format.width())]);
            Sort::Float(format)
        }
        Op::FpFromSbv(_, format) | Op::FpFromUbv(_, format) => {
            bits_sort(terms, op, args, 1);
            Sort::Float(format)
        }
        Op::BvToNat | Op::BvToInt => {
            bits_sort(terms, op, args, 1);
            Sort::Int
        }
        Op::IntToBv(w) => {
            expect(terms, op, args, &[Sort::Int]);
            Sort::BitVec(w)
        }
        Op::Add | Op::Sub | Op::Mul => arith_sort(terms, op, args, 2),
        Op::Neg => arith_sort(terms, op, args, 1),
        Op::Lt | Op::Le => {
            arith_sort(terms, op, args, 2);
            Sort::Bool
        }
        Op::Div => {
            expect(terms, op, args, &[Sort::Real, Sort::Real]);
            Sort::Real
        }
        Op::IntDiv | Op::IntMod => {
            expect(terms, op, args, &[Sort::Int, Sort::Int]);
            Sort::Int
        }
        Op::ToReal => {
            expect(terms, op, args, &[Sort::Int]);
            Sort::Real
        }
        Op::ToInt => {
            expect(terms, op, args, &[Sort::Real]);
            Sort::Int
        }
        _ if matches!(first, Sort::Float(..)) => float_sort(terms, op, args),
        _ => string_sort(terms, op, args),
    }
}

fn bits_sort(terms: &Terms, op: Op, args: &[TermId], count: usize) -> Sort {
    let sort = terms.sort(args[0]);
    let fits = matches!(sort, Sort::BitVec(_)) && args.len() == count && args.iter().all(|&a| terms.sort(a) == sort);
    assert!(fits, "{op:?} takes {count} bit-vector(s) of one width, not {:?}", sorts(terms, args));
    sort
}

fn arith_sort(terms: &Terms, op: Op, args: &[TermId], count: usize) -> Sort {
    let sort = terms.sort(args[0]);
    let fits = matches!(sort, Sort::Int | Sort::Real) && args.len() == count && args.iter().all(|&a| terms.sort(a) == sort);
    assert!(fits, "{op:?} takes {count} Int or Real argument(s), not {:?}", sorts(terms, args));
    sort
}

fn width_sort(terms: &Terms, op: Op, args: &[TermId]) -> Sort {
    let count = if op == Op::Concat { 2 } else { 1 };
    let fits = args.len() == count && args.iter().all(|&a| matches!(terms.sort(a), Sort::BitVec(_)));
    assert!(fits, "{op:?} takes {count} bit-vector(s), not {:?}", sorts(terms, args));
    let width = terms.width(args[0]);
    Sort::BitVec(match op {
        Op::Concat => width + terms.width(args[1]),
        Op::Extract(hi, lo) => {
            assert!(lo <= hi && hi < width, "{op:?} of {width} bits");
            hi - lo + 1
        }
        Op::ZeroExt(to) | Op::SignExt(to) => {
            assert!(to >= width, "{op:?} of {width} bits");
            to
        }
        _ => unreachable!("only operators that change the width come here"),
    })
}

fn float_sort(terms: &Terms, op: Op, args: &[TermId]) -> Sort {
    let sort = terms.sort(args[0]);
    let (count, result) = match op {
        Op::FpToBits => (1, Sort::BitVec(terms.width(args[0]))),
        Op::FpToFp(_, to) => (1, Sort::Float(to)),
        Op::FpToSbv(_, w) | Op::FpToUbv(_, w) => (1, Sort::BitVec(w)),
        Op::FpIsNan | Op::FpIsInf | Op::FpIsZero => (1, Sort::Bool),
        Op::FpSqrt(_) | Op::FpRound(_) | Op::FpNeg | Op::FpAbs => (1, sort),
        Op::FpAdd(_) | Op::FpSub(_) | Op::FpMul(_) | Op::FpDiv(_) | Op::FpRem | Op::FpFmod | Op::FpMin | Op::FpMax => (2, sort),
        Op::FpEq | Op::FpLt | Op::FpLe => (2, Sort::Bool),
        Op::FpFma(_) => (3, sort),
        _ => panic!("{op:?} does not take {:?}", sorts(terms, args)),
    };
    let fits = args.len() == count && args.iter().all(|&a| terms.sort(a) == sort);
    assert!(fits, "{op:?} takes {count} float(s) of one format, not {:?}", sorts(terms, args));
    result
}

fn string_sort(terms: &Terms, op: Op, args: &[TermId]) -> Sort {
    const S: Sort = Sort::Str;
    const I: Sort = Sort::Int;
    let (params, result): (&[Sort], Sort) = match op {
        Op::StrConcat => (&[S, S], S),
        Op::StrLen | Op::StrToInt | Op::StrToCode => (&[S], I),
        Op::StrAt => (&[S, I], S),
        Op::StrSubstr => (&[S, I, I], S),
        Op::StrContains | Op::StrPrefixOf | Op::StrSuffixOf | Op::StrLt | Op::StrLe => (&[S, S], Sort::Bool),
        Op::StrIndexOf => (&[S, S, I], I),
        Op::StrReplace | Op::StrReplaceAll => (&[S, S, S], S),
        Op::StrFromInt | Op::StrFromCode => (&[I], S),
        _ => panic!("{op:?} does not take {:?}", sorts(terms, args)),
    };
    expect(terms, op, args, params);
    result
}

fn expect(terms: &Terms, op: Op, args: &[TermId], params: &[Sort]) {
    let fits = args.len() == params.len() && args.iter().zip(params).all(|(&a, &p)| terms.sort(a) == p);
    assert!(fits, "{op:?} takes {params:?}, not {:?}", sorts(terms, args));
}

fn sorts(terms: &Terms, args: &[TermId]) -> Vec<Sort> {
    args.iter().map(|&a| terms.sort(a)).collect()
}

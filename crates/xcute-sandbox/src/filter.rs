//! The seccomp filter: which system calls are shown to us before they happen.
//!
//! It is built once, by `seccompiler`, and installed by each process before it becomes the program.
//!
//! **Invariant.** What the filter does not stop cannot change anything outside of the process, or Landlock is what forbids it.

use std::collections::BTreeMap;

use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter, SeccompRule, TargetArch, sock_filter,
};

use crate::calls::{ALL, Call, Kind, When};

/// Stands for the number of the process in the program; no process has such a number.
const SELF: u64 = 0x7eed_face;
/// `seccompiler` has no name for "ask the supervisor": this action is replaced.
const ASK: u32 = 0x0a5c;
const RETURN: u16 = 0x06;

/// The program; [`name_process`] completes it. `counts`: processes that begin are counted.
pub(crate) fn program(counts: bool) -> Result<Vec<sock_filter>, String> {
    let mut rules: BTreeMap<i64, Vec<SeccompRule>> = BTreeMap::new();
    let stopped = |call: &&Call| call.number >= 0 && (counts || !matches!(call.kind, Kind::Begin));
    for call in ALL.iter().filter(stopped) {
        let all: Result<Vec<SeccompRule>, _> =
            call.when.iter().map(|row| SeccompRule::new(row.iter().map(condition).collect::<Result<_, _>>()?)).collect();
        rules.insert(call.number, all.map_err(|e| e.to_string())?);
    }
    let machine = TargetArch::try_from(std::env::consts::ARCH).map_err(|e| e.to_string())?;
    let filter = SeccompFilter::new(rules, SeccompAction::Allow, SeccompAction::Trace(ASK), machine).map_err(|e| e.to_string())?;
    let mut program: BpfProgram = filter.try_into().map_err(|e: seccompiler::BackendError| e.to_string())?;
    for step in &mut program {
        if step.code == RETURN && step.k == libc::SECCOMP_RET_TRACE | ASK {
            step.k = libc::SECCOMP_RET_USER_NOTIF;
        }
    }
    Ok(program)
}

fn condition(when: &When) -> Result<SeccompCondition, seccompiler::BackendError> {
    let (argument, operator, value) = match *when {
        When::Set(argument, bits) => (argument, SeccompCmpOp::MaskedEq(bits), bits),
        When::Not(argument, value) => (argument, SeccompCmpOp::Ne, value),
        When::Is(argument, value) => (argument, SeccompCmpOp::Eq, value),
        When::Other(argument) => (argument, SeccompCmpOp::Ne, SELF),
    };
    // Addresses have 64 bits: only whether they are 0 is asked.
    let length = if matches!(when, When::Not(_, 0)) { SeccompCmpArgLen::Qword } else { SeccompCmpArgLen::Dword };
    SeccompCondition::new(u8::try_from(argument).unwrap_or(0), length, operator, value)
}

/// Puts in the number of the process that will run it.
pub(crate) fn name_process(program: &mut [sock_filter], process: u32) {
    for step in program {
        if u64::from(step.k) == SELF {
            step.k = process;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_program_asks_and_knows_its_process() {
        let mut program = program(false).unwrap();
        assert!(super::program(true).unwrap().len() > program.len());
        let asks = |program: &[sock_filter]| program.iter().filter(|s| s.code == RETURN && s.k == libc::SECCOMP_RET_USER_NOTIF).count();
        assert!(asks(&program) > 0 && program.len() < 4096, "{}", program.len());
        assert!(program.iter().all(|s| s.k != libc::SECCOMP_RET_TRACE | ASK));
        name_process(&mut program, 77);
        assert!(program.iter().any(|s| s.k == 77) && program.iter().all(|s| u64::from(s.k) != SELF));
    }
}

//! Case files of Erlang functions: a call, the modules it is for, and what happened.
//!
//! **Invariant.** The language is `erl`: that tells these files from those of other languages. The arguments are there twice: as Erlang reads them, for people,
//! and in the external term format, which is what is replayed.

use anyhow::{Context, Result, bail};
use serde::{Deserialize, Serialize};
use xcute_erl::etf::{Atoms, read};
use xcute_erl::subject::CaseSchedule;
use xcute_trace::Failure;

use super::plan::{Origin, Tested};
use super::quoted::quoted;

/// What the field `language` holds.
pub const LANGUAGE: &str = "erl";
/// The version of the format.
pub const VERSION: u32 = 1;

/// A case, as it is written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ErlCase {
    /// The version of the format.
    pub xcute: u32,
    /// [`LANGUAGE`].
    pub language: String,
    /// The modules.
    #[serde(flatten)]
    pub origin: Origin,
    /// The module under test.
    pub module: String,
    /// The function.
    pub function: String,
    /// The arguments, as Erlang reads them.
    pub arguments: Vec<String>,
    /// The list of the arguments as an external term, in hexadecimal digits.
    pub external: String,
    /// Which process did what when, if there were several.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub schedule: Option<CaseSchedule>,
    /// How long a run may take, in milliseconds.
    pub milliseconds: u64,
    /// `passed` or `failed`.
    pub outcome: String,
    /// What went wrong.
    pub failure: Option<Failure>,
}

impl ErlCase {
    /// The call, as it is typed into the shell.
    pub fn call(&self) -> String {
        format!("{}:{}({})", quoted(&self.module), quoted(&self.function), self.arguments.join(", "))
    }

    /// Whether it is a call of this function.
    pub fn is_of(&self, tested: &Tested) -> bool {
        (&self.module, &self.function, self.arguments.len()) == (&tested.module, &tested.function, tested.arity as usize)
    }

    /// The arguments as an external term: a list.
    pub fn external(&self) -> Result<Vec<u8>> {
        let bytes = unhex(&self.external).context("cannot understand the arguments of the case: they are not hexadecimal digits")?;
        let term = read(&bytes, &mut Atoms::new()).context("cannot understand the arguments of the case")?;
        let list = term.items().context("cannot understand the arguments of the case: they are not a list")?;
        if list.len() != self.arguments.len() {
            bail!("cannot understand the arguments of the case: there are {} of {}", list.len(), self.arguments.len());
        }
        Ok(bytes)
    }
}

fn unhex(text: &str) -> Option<Vec<u8>> {
    let digits: Vec<u8> = text.chars().map(|c| c.to_digit(16).and_then(|digit| u8::try_from(digit).ok())).collect::<Option<_>>()?;
    digits.len().is_multiple_of(2).then(|| digits.chunks(2).map(|pair| pair[0] << 4 | pair[1]).collect())
}

#[cfg(test)]
mod tests {
    use xcute_erl::etf::{Term, encode_list};

    use super::*;
    use crate::hash::hexadecimal;

    #[test]
    fn arguments_survive_the_file() {
        let mut atoms = Atoms::new();
        let list = vec![Term::Atom(atoms.intern("a")), Term::list(vec![Term::Int(-3), Term::Float(0.5)]), Term::Nil];
        let case = ErlCase {
            xcute: VERSION,
            language: LANGUAGE.to_owned(),
            origin: Origin { files: vec!["m.erl".into()], paths: vec![], include: vec![], configs: vec![], define: vec![], contract: None },
            module: "m".to_owned(),
            function: "f".to_owned(),
            arguments: vec!["a".to_owned(), "[-3,0.5]".to_owned(), "[]".to_owned()],
            external: hexadecimal(&encode_list(&list, &atoms)),
            schedule: None,
            milliseconds: 5000,
            outcome: "passed".to_owned(),
            failure: None,
        };
        let again: ErlCase = serde_json::from_str(&crate::front::case_file(&case).text).unwrap();
        assert_eq!(again, case);
        assert_eq!(again.external().unwrap(), encode_list(&list, &atoms));
        assert_eq!(again.call(), "m:f(a, [-3,0.5], [])");
        let broken = ErlCase { external: "83x".to_owned(), ..case };
        assert!(broken.external().is_err());
    }
}

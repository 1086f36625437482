//! What a search of a method begins with: the files of a fuzzer's corpus, and cases of earlier campaigns.
//!
//! **Invariant.** The variables of the program are added when the search begins, after those of the campaign that it goes on with: what cannot be an input is found
//! out with others.

use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use xcute_engine::Seed;
use xcute_java::{JavaSubject, Planter, Program, Recipe, Variables};

use super::case::{JavaCase, LANGUAGE, VERSION};
use super::plan::JavaPlan;
use crate::language::corpus::{Corpus, CorpusArguments};
use crate::language::seeds::SeedArguments;
use crate::talk;

/// How many elements arrays and strings have, unless somebody says otherwise or a corpus needs more.
const ELEMENTS: u32 = 8;

/// Where inputs come from and go to, as it was asked for.
pub struct Asked {
    corpus: Option<Corpus>,
    export: Option<PathBuf>,
    cases: Vec<(PathBuf, JavaCase)>,
}

impl Asked {
    /// Reads it.
    pub fn read(corpora: &CorpusArguments, cases: &SeedArguments) -> Result<Asked> {
        let corpus = corpora.corpus.as_deref().map(Corpus::read).transpose()?;
        let cases = cases.read(LANGUAGE)?.into_iter().map(|text| Ok((text.path.clone(), text.parse::<JavaCase>(VERSION)?)));
        Ok(Asked { corpus, export: corpora.export_corpus.clone(), cases: cases.collect::<Result<_>>()? })
    }

    /// How many elements arrays and strings have, if nobody says.
    pub fn elements(&self) -> u32 {
        self.corpus.as_ref().map_or(0, Corpus::longest).max(ELEMENTS)
    }
}

/// Inputs to begin with.
pub struct Starts {
    planter: Planter,
    recipes: Vec<Recipe>,
    /// A corpus to add to.
    pub export: Option<PathBuf>,
}

impl Starts {
    /// Those that a plan asks for, of this program.
    pub fn of(asked: Asked, plan: &JavaPlan, subject: &JavaSubject) -> Result<Starts> {
        if asked.corpus.is_some() || asked.export.is_some() {
            fits(&asked, &subject.program())?;
        }
        let mut starts = Starts { planter: Planter::new(subject), recipes: Vec::new(), export: asked.export };
        if let Some(corpus) = &asked.corpus {
            starts.bytes(corpus, plan.options.longest);
        }
        for (file, case) in &asked.cases {
            let cannot = || format!("cannot begin with {}", file.display());
            if !case.is_of(plan) {
                bail!("{}: it is a case of {}.{}, and not of what is tested", cannot(), case.class, case.method);
            }
            starts.planter.plant(&Variables::default(), &case.recipe).with_context(cannot)?;
            starts.recipes.push(case.recipe.clone());
        }
        Ok(starts)
    }

    /// The files of a corpus; of longer ones their beginnings.
    fn bytes(&mut self, corpus: &Corpus, most: u32) {
        let longest = usize::try_from(most).unwrap_or(usize::MAX);
        let inputs = corpus.inputs();
        self.recipes.extend(inputs.iter().map(|input| Recipe::of_bytes(&input[..input.len().min(longest)])));
        let cut = inputs.iter().filter(|input| input.len() > longest).count();
        if cut > 0 {
            talk::say(&format!("only the first {most} bytes of {cut} of the corpus's files are used (say more with --elements)"));
        }
    }

    /// The same as seeds. Variables that are new are added.
    pub fn seeds(&self, variables: &Variables) -> Vec<Seed> {
        let seed = |recipe: &Recipe| {
            let mut seed = Seed::new();
            for (name, bits, word) in self.planter.plant(variables, recipe).ok()? {
                seed.set(name, bits, word);
            }
            Some(seed)
        };
        self.recipes.iter().filter_map(seed).collect()
    }
}

/// Only what takes bytes can have a corpus.
fn fits(asked: &Asked, program: &Program) -> Result<()> {
    if !program.takes_bytes() {
        let option = if asked.corpus.is_some() { "--corpus" } else { "--export-corpus" };
        bail!(
            "cannot use {option}: a file of a corpus is the one parameter, a byte[], of a static method, and {} is not such a method",
            program.name()
        );
    }
    Ok(())
}

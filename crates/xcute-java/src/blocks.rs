//! The path of a run through the program's own code, block by block: as the search followed it, and as the original classes take it.
//!
//! jCUTE trusts that a replay takes the path of the recorded run [sen-marinov-agha-2006 §7]. Here both are compared: each block is named by class, method and
//! position in the original class file, so what was desugared or instrumented does not show. Static initialisers are left out: whether one runs depends on
//! what ran before in the same JVM. So is `values` of enums: the JVM itself calls it once, for `valueOf`.
//!
//! **Invariant.** A method whose original code is not the followed one, instruction by instruction, has no blocks here, on neither side.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use xcute_classfile::{ClassFile, access};

use crate::program::body::{Leads, MethodId};
use crate::program::{Place, Program};

/// How many blocks of a run are compared. The agent has the same number.
pub(crate) const MOST: usize = 100_000;

/// The blocks of a program's own methods.
#[derive(Debug)]
pub(crate) struct Blocks {
    /// By method and instruction: the number of the block.
    numbers: FxHashMap<(MethodId, u32), u32>,
    /// By number: its method and instruction, and its name.
    all: Vec<(MethodId, u32, String)>,
    /// What the agent reads.
    text: String,
}

impl Blocks {
    pub(crate) fn of(program: &Program) -> Blocks {
        let mut blocks = Blocks { numbers: FxHashMap::default(), all: Vec::new(), text: String::new() };
        let mut open: (&str, Option<ClassFile>) = ("", None);
        for (number, method) in (0..).zip(&program.methods) {
            let id = MethodId(number);
            if open.0 != method.class {
                open = (&method.class, program.is_own(&method.class).then(|| program.original_class(id)).flatten());
            }
            let Some(file) = &open.1 else { continue };
            if file.access & access::ENUM != 0 && method.name == "values" {
                continue;
            }
            let insns = &method.body.insns;
            let every: Vec<usize> = (0..insns.len()).collect();
            let Some(places) = program.originals(id, file, &every) else { continue };
            let Some(Place { class, method, descriptor, code, .. }) = places.first() else { continue };
            let _ = write!(blocks.text, "blocks {class} {method} {descriptor} {code:x} ");
            let begin = (0..).zip(insns).zip(&places).filter(|((at, insn), _)| *at == 0 || insn.leads != Leads::Nothing);
            for ((at, _), place) in begin {
                let _ = write!(blocks.text, "{}{}", if at == 0 { "" } else { "," }, place.position);
                blocks.numbers.insert((id, at), u32::try_from(blocks.all.len()).expect("fewer than 2^32 blocks"));
                blocks.all.push((id, at, format!("{class} {method} {descriptor} {}", place.position)));
            }
            blocks.text.push('\n');
        }
        blocks
    }

    /// What the agent reads.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// The path of a run that the search followed.
    pub(crate) fn path(&self, followed: &Followed) -> BlockPath {
        let mut path = BlockPath::default();
        for (task, blocks) in &followed.0 {
            let known = blocks.iter().filter_map(|block| self.numbers.get(block));
            known.for_each(|number| path.add(task, *number));
        }
        path
    }

    /// The path that the agent recorded: lines of a task and a block.
    pub(crate) fn recorded(&self, text: &str) -> BlockPath {
        let mut path = BlockPath::default();
        for line in text.lines() {
            let Some((task, block)) = line.split_once(' ') else { continue };
            if let Some(block) = block.parse().ok().filter(|block| (*block as usize) < self.all.len()) {
                path.add(task, block);
            }
        }
        path
    }

    /// Where a block is, for people.
    fn place(&self, program: &Program, block: u32) -> String {
        let (id, at, _) = &self.all[block as usize];
        let method = program.method(*id);
        let line = method.body.insns.get(*at as usize).map_or(0, |insn| method.body.line(insn.pc));
        format!("{}:{line}", method.file)
    }

    /// Where the path of the original classes is another one than that of the search; `whole`: both come to their ends.
    pub(crate) fn differ(&self, program: &Program, search: &BlockPath, original: &BlockPath, whole: bool) -> Option<String> {
        let whole = whole && search.count < MOST && original.count < MOST;
        for (task, ours) in &search.tasks {
            let theirs = original.tasks.get(task).map_or(&[][..], Vec::as_slice);
            let common = ours.iter().zip(theirs).take_while(|(a, b)| a == b).count();
            let at = |path: &[u32]| path.get(common).map(|block| self.place(program, *block));
            match (at(ours), at(theirs)) {
                (Some(ours), Some(theirs)) => return Some(format!("they come to {theirs} where the search came to {ours}")),
                (Some(ours), None) if whole => return Some(format!("they end before {ours}")),
                (None, Some(theirs)) if whole => return Some(format!("they go on to {theirs} where the search ended")),
                _ => {}
            }
        }
        None
    }

    /// The digests of a path.
    pub(crate) fn digest(&self, path: &BlockPath) -> PathDigest {
        let of = |blocks: &Vec<u32>| {
            let mut marks = Vec::new();
            let mut hash = Sha256::new();
            for (count, block) in (1_usize..).zip(blocks) {
                hash.update(self.all[*block as usize].2.as_bytes());
                hash.update([0]);
                if count.is_power_of_two() || count == blocks.len() {
                    let digest = hash.clone().finalize();
                    marks.push(digest[..8].iter().fold(String::new(), |text, byte| format!("{text}{byte:02x}")));
                }
            }
            TaskDigest { blocks: blocks.len(), marks }
        };
        PathDigest(path.tasks.iter().map(|(task, blocks)| (task.clone(), of(blocks))).collect())
    }
}

/// What a search followed: of each task the blocks that it came to.
#[derive(Clone, Debug, Default)]
pub struct Followed(BTreeMap<String, Vec<(MethodId, u32)>>);

impl Followed {
    pub(crate) fn add(&mut self, task: &str, method: MethodId, at: u32) {
        match self.0.get_mut(task) {
            Some(blocks) => blocks.push((method, at)),
            None => drop(self.0.insert(task.to_owned(), vec![(method, at)])),
        }
    }
}

/// The path of a run: of each task the blocks that it came to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BlockPath {
    tasks: BTreeMap<String, Vec<u32>>,
    count: usize,
}

impl BlockPath {
    fn add(&mut self, task: &str, block: u32) {
        if self.count == MOST {
            return;
        }
        self.count += 1;
        match self.tasks.get_mut(task) {
            Some(blocks) => blocks.push(block),
            None => drop(self.tasks.insert(task.to_owned(), vec![block])),
        }
    }

    /// How many tasks came to a block.
    pub(crate) fn tasks(&self) -> usize {
        self.tasks.len()
    }
}

/// Names a path in a case file: of each task how many blocks it came to, and digests.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PathDigest(BTreeMap<String, TaskDigest>);

/// The path of a task: digests of its first 1, 2, 4, 8 and so on blocks, and of all.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct TaskDigest {
    blocks: usize,
    marks: Vec<String>,
}

impl PathDigest {
    /// Whether two paths are the same, or, if they need not be `whole`, as far as digests of both reach.
    #[must_use]
    pub fn agrees(&self, other: &PathDigest, whole: bool) -> bool {
        let fits = |(task, ours): (&String, &TaskDigest)| match other.0.get(task) {
            Some(theirs) if ours.blocks == theirs.blocks => ours == theirs,
            Some(theirs) => {
                // The last mark may be one of a number that is not a power of two.
                let marks = |digest: &TaskDigest| digest.blocks.checked_ilog2().map_or(0, |mark| mark as usize + 1);
                let common = marks(ours).min(marks(theirs));
                !whole && ours.marks.iter().take(common).eq(theirs.marks.iter().take(common))
            }
            None => !whole,
        };
        self.0.iter().all(fits) && (!whole || self.0.len() == other.0.len())
    }
}

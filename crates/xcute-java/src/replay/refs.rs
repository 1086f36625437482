//! References that inputs decide.
//!
//! CUTE's logical input map, grown lazily as in generalised symbolic execution (Khurshid, Păsăreanu & Visser 2003): when a run first uses a reference
//! of the input, it can be null, the object that its variable owns (of any of its classes), or an object that the run has met before. Unlike there, the
//! run does not part into one path for each of them: reading through such a reference gives a term that chooses between their cells, so that
//! paths part only where the program does.
//!
//! **Invariant.** Every reference variable in a condition was used before, and an assumption restricts it to what it can be.

use rustc_hash::FxHashMap;
use xcute_term::Op;
use xcute_trace::DecisionKind;

use super::events::Event;
use super::heap::Origin;
use super::nodes::{Expr, Node};
use super::value::Value;
use super::{Replay, Stop};
use crate::inputs::candidate::Candidate;
use crate::inputs::variable::own;
use crate::program::body::TypeId;
use crate::program::tables::SHAPE;

/// What references can be, in a run.
#[derive(Debug, Default)]
pub(crate) struct Uses {
    /// By variable: the addresses, without null.
    allowed: FxHashMap<u32, Vec<Choice>>,
    /// All objects that references used so far can be.
    met: Vec<Choice>,
    /// Variables of which it is decided which object they are.
    resolved: rustc_hash::FxHashSet<u32>,
    /// Conditions in references that are decided.
    decided: FxHashMap<Node, bool>,
}

/// One object that a reference can be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Choice {
    pub(crate) address: u32,
    /// The variable that owns it; `None` for enum constants.
    pub(crate) owner: Option<u32>,
    /// Its class.
    pub(crate) class: super::classes::ClassIdx,
}

impl Uses {
    pub(crate) fn begin(&mut self) {
        self.allowed.clear();
        self.met.clear();
        self.resolved.clear();
        self.decided.clear();
    }
}

/// What a symbolic reference comes down to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Leaf {
    /// A variable.
    Variable(u32),
    /// Always the object that the run had.
    Fixed,
    /// A box with this value.
    Box(Node),
}

impl Replay<'_> {
    /// The object that an event reports; one that was never met gets its place.
    pub(super) fn object_of(&mut self, event: Event) -> Result<u32, Stop> {
        if event.value == 0 {
            return Ok(0);
        }
        let object = match self.s.heap.find(event.value) {
            Some(known) => known,
            None => {
                let class = self.class_of(event.more)?;
                match self.s.heap.under_construction(class) {
                    Some(pending) => {
                        self.s.heap.bind(pending, event.value);
                        pending
                    }
                    None => self.s.heap.add(class, event.value, Origin::Program, event.more as u32),
                }
            }
        };
        if event.more as u32 != 0 && self.s.heap.get(object).origin == Origin::Program {
            self.is_constant(object, event.more as u32);
        }
        if self.run.texts || self.run.arrays {
            self.knows_contents(object, event);
        }
        Ok(object)
    }

    /// An enum constant that the program has is the one that an input may be: the JVM says its number, from 1.
    fn is_constant(&mut self, object: u32, number: u32) {
        let (program, class) = (self.program, self.s.heap.get(object).class);
        let of = match self.s.enums.get(&class) {
            Some(of) => of.clone(),
            None => {
                let of = program.enum_of(self.s.classes.name(class));
                self.s.enums.insert(class, of.clone());
                of
            }
        };
        if let Some(of) = of {
            let address = self.known.shared.lock().constant(&of, number - 1);
            let found = self.s.heap.get_mut(object);
            (found.origin, found.length) = (Origin::Constant(address), 0);
        }
    }

    /// The class in the second word of an event.
    pub(super) fn class_of(&self, more: u64) -> Result<super::classes::ClassIdx, Stop> {
        self.s.classes.of_number((more >> 32) as u32).ok_or_else(|| self.lost("a class that the JVM has named"))
    }

    /// What a symbolic reference comes down to; on the way it is decided which of several it is.
    pub(super) fn leaf(&mut self, mut node: Node) -> Result<(Leaf, Node), Stop> {
        loop {
            match self.s.nodes.get(node) {
                Expr::Var(variable) => {
                    self.first_use(variable)?;
                    return Ok((Leaf::Variable(variable), node));
                }
                Expr::App(Op::Ite, [condition, yes, no]) => {
                    let holds = match self.s.uses.decided.get(&condition) {
                        Some(&holds) => holds,
                        None => {
                            let holds = self.evaluate(condition) != 0;
                            self.branch(SHAPE, condition, holds);
                            self.s.uses.decided.insert(condition, holds);
                            holds
                        }
                    };
                    node = if holds { yes } else { no };
                }
                Expr::Boxed(value, _) => return Ok((Leaf::Box(value), node)),
                _ => return Ok((Leaf::Fixed, node)),
            }
        }
    }

    /// The first use of a reference variable in a run: says what it can be.
    pub(super) fn first_use(&mut self, variable: u32) -> Result<(), Stop> {
        if self.s.uses.allowed.contains_key(&variable) {
            return Ok(());
        }
        let (candidates, descriptor, nonnull) = {
            let shared = self.known.shared.clone();
            let registry = shared.lock();
            let found = &registry.all()[variable as usize];
            (found.candidates.clone(), found.descriptor.clone(), found.nonnull)
        };
        let mut choices = Vec::new();
        let mut own_choices = 0;
        for (number, candidate) in (0u32..).zip(&candidates.all) {
            let class = self.s.classes.intern(&candidate.class());
            let choice = match candidate {
                Candidate::Constant(name, ordinal) => {
                    let address = self.known.shared.lock().constant(name, *ordinal);
                    Choice { address, owner: None, class }
                }
                _ => Choice { address: own(variable, number), owner: Some(variable), class },
            };
            own_choices += usize::from(choice.owner.is_some());
            choices.push(choice);
        }
        let declared = xcute_classfile::descriptor::class_of(&descriptor).unwrap_or("java/lang/Object").to_owned();
        let met = std::mem::take(&mut self.s.uses.met);
        choices.extend(met.iter().filter(|m| self.s.classes.is_subclass_named(self.program, m.class, &declared)).cloned());
        self.s.uses.met = met;
        let value = u32::try_from(self.read(variable)).unwrap_or(0);
        let fits = choices.iter().any(|c| c.address == value) || (value == 0 && (!nonnull || candidates.all.is_empty()));
        if !fits {
            // What it leads to was met on other paths only: here it means an object of its own, of the same class if that can be.
            let class = crate::inputs::variable::owner(value).and_then(|(owner, number)| {
                let shared = self.known.shared.clone();
                let registry = shared.lock();
                let all = &registry.all().get(owner as usize)?.candidates.all;
                all.get(number as usize).and_then(|c| candidates.all.iter().position(|own| own == c))
            });
            let number = u32::try_from(class.unwrap_or(0)).expect("few candidates");
            let meant = if candidates.all.is_empty() { 0 } else { choices[number as usize].address };
            return Err(Stop::Again(variable, meant));
        }
        let node = self.s.nodes.var(variable);
        let mut arms: Vec<Node> = choices.iter().map(|c| self.s.nodes.equals(node, 32, u64::from(c.address))).collect();
        if !nonnull || candidates.all.is_empty() {
            arms.push(self.s.nodes.equals(node, 32, 0));
        }
        let condition = self.s.nodes.many(Op::Or, &arms);
        self.decide(SHAPE, DecisionKind::Assume, condition, true);
        self.s.uses.met.extend(choices[..own_choices.min(choices.len())].iter().filter(|c| c.owner.is_some()).cloned());
        self.s.uses.allowed.insert(variable, choices);
        Ok(())
    }

    /// Whether a reference is null; a decision where an input decides it. The node is what the reference comes down to.
    pub(super) fn check_null(&mut self, value: Value, site: u32) -> Result<(bool, Leaf), Stop> {
        let nonnull = value.bits != 0;
        let mut leaf = Leaf::Fixed;
        if value.node != 0 {
            let (found, node) = self.leaf(value.node)?;
            if let Leaf::Variable(_) = found {
                let null = self.s.nodes.equals(node, 32, 0);
                let condition = self.s.nodes.not(null);
                self.branch(site, condition, nonnull);
            }
            leaf = found;
        }
        self.story.cover(site, u32::from(nonnull));
        Ok((nonnull, leaf))
    }

    /// The objects that a variable can be, by the variables that own them, each with its condition; in the same order in every run. Only those that have
    /// a type. Nothing if there is no choice.
    pub(super) fn alternatives(&mut self, variable: u32, object: u32, of: &str) -> Vec<(u32, Node)> {
        if self.s.uses.resolved.contains(&variable) || !matches!(self.s.heap.get(object).origin, Origin::Input(..)) {
            return Vec::new();
        }
        let choices = self.s.uses.allowed.get(&variable).cloned().unwrap_or_default();
        let mut owners: Vec<(u32, Vec<Node>)> = Vec::new();
        for choice in choices {
            let Some(owner) = choice.owner else { continue };
            if !self.s.classes.is_subclass_named(self.program, choice.class, of) {
                continue;
            }
            let node = self.s.nodes.var(variable);
            let is = self.s.nodes.equals(node, 32, u64::from(choice.address));
            match owners.iter_mut().find(|other| other.0 == owner) {
                Some(other) => other.1.push(is),
                None => owners.push((owner, vec![is])),
            }
        }
        if owners.len() < 2 {
            return Vec::new();
        }
        owners.into_iter().map(|(owner, conditions)| (owner, self.s.nodes.many(Op::Or, &conditions))).collect()
    }

    /// From here on it matters of which class the object is that a variable is.
    pub(super) fn class_matters(&mut self, variable: u32) {
        let open = self.known.shared.lock().all()[variable as usize].candidates.open.clone();
        if let Some(open) = open {
            self.story.limit("unsupported", open, true);
        }
    }

    /// Decides which object a variable is.
    pub(super) fn resolve(&mut self, variable: u32, object: u32) {
        if !self.s.uses.resolved.insert(variable) {
            return;
        }
        self.class_matters(variable);
        let address = self.s.heap.address(object);
        let choices = self.s.uses.allowed.get(&variable).cloned().unwrap_or_default();
        // The last one needs no decision: it is what is left.
        for choice in choices.iter().take(choices.len().saturating_sub(1)) {
            let node = self.s.nodes.var(variable);
            let is = self.s.nodes.equals(node, 32, u64::from(choice.address));
            self.branch(SHAPE, is, choice.address == address);
            if choice.address == address {
                break;
            }
        }
    }

    /// The condition under which a reference that is not null has a type.
    pub(super) fn has_type(&mut self, variable: u32, of: TypeId) -> Node {
        self.class_matters(variable);
        let choices = self.s.uses.allowed.get(&variable).cloned().unwrap_or_default();
        let mut arms = Vec::new();
        for choice in choices {
            if self.s.classes.is_subclass(self.program, choice.class, of) {
                let node = self.s.nodes.var(variable);
                arms.push(self.s.nodes.equals(node, 32, u64::from(choice.address)));
            }
        }
        self.s.nodes.many(Op::Or, &arms)
    }

    /// All that a variable can be, without null.
    pub(super) fn choices(&self, variable: u32) -> &[Choice] {
        self.s.uses.allowed.get(&variable).map_or(&[], Vec::as_slice)
    }

    /// The address of a reference as a node; variables in it are used.
    pub(super) fn address_node(&mut self, value: Value) -> Result<Node, Stop> {
        if value.node != 0 {
            let (leaf, node) = self.leaf(value.node)?;
            if let Leaf::Variable(_) = leaf {
                return Ok(node);
            }
        }
        let address = self.s.heap.address(value.as_object());
        Ok(self.s.nodes.constant(32, u64::from(address)))
    }
}

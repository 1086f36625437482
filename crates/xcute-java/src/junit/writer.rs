//! The input of a case, and the calls that are made with it, as statements of Java.

use std::fmt::Write as _;

use xcute_classfile::{Kind, descriptor};

use crate::inputs::candidate::{BOXES, Candidate};
use crate::inputs::literal;
use crate::inputs::recipe::{Object, Recipe};
use crate::program::entry::Entry;
use crate::program::making::Making;
use crate::program::plan::Sequence;
use crate::program::{Program, names};

/// The input of a case as statements.
pub(super) struct Writer<'a> {
    pub(super) program: &'a Program,
    recipe: &'a Recipe,
    pub(super) objects: String,
    /// The calls and checks, one expression each.
    pub(super) calls: Vec<String>,
    /// By object: whether it was made; `false` while its parts are.
    made: Vec<Option<bool>>,
}

impl<'a> Writer<'a> {
    pub(super) fn new(program: &'a Program, recipe: &'a Recipe) -> Option<Writer<'a>> {
        if recipe.has_more_than(program.plan.inputs.len()) {
            return None;
        }
        let (objects, made) = (String::new(), vec![None; recipe.objects.len()]);
        let mut writer = Writer { program, recipe, objects, calls: Vec::new(), made };
        for number in 0..recipe.objects.len() {
            writer.make(number)?;
        }
        for (number, object) in recipe.objects.iter().enumerate() {
            writer.fill(number, object)?;
        }
        writer.calls = match &program.plan.sequence {
            Some(sequence) => writer.sequence(sequence)?,
            None => writer.one()?,
        };
        Some(writer)
    }

    pub(super) fn statements(&self) -> String {
        self.calls.iter().map(|call| format!("{call};")).collect::<Vec<_>>().join("\n        ")
    }

    /// The call of a method, and what must hold after it.
    fn one(&self) -> Option<Vec<String>> {
        let entry = &self.program.plan.entry;
        if entry.is_main() {
            let none = if entry.callable { "new String[0]" } else { "(Object) new String[0]" };
            return Some(vec![self.called(entry, &[none.to_owned()])]);
        }
        let values = self.values(entry, &entry.inputs(), 0)?;
        let check = self.program.plan.post.as_ref().map(|post| self.check(post, entry, &values[..post.inputs().len()]));
        Some([self.called(entry, &values)].into_iter().chain(check).collect())
    }

    /// The calls of a sequence, each with what must hold after it.
    fn sequence(&self, sequence: &Sequence) -> Option<Vec<String>> {
        let mut calls = Vec::new();
        for step in sequence.steps(|place| self.recipe.choice(place)) {
            let callee = step.callee;
            let values = self.values(callee, &callee.parameters(), step.first)?;
            let class = names::readable(&callee.class).replace('$', ".");
            if callee.is_constructor() {
                if !callee.callable {
                    return None;
                }
                calls.push(format!("{class} it = new {class}({})", values.join(", ")));
            } else {
                let receiver = (!callee.is_static).then(|| "it".to_owned());
                let all: Vec<String> = receiver.into_iter().chain(values).collect();
                calls.push(self.called(callee, &all));
            }
            if let Some(post) = &self.program.plan.post {
                let it = ["it".to_owned()];
                calls.push(self.check(post, callee, &it[..post.inputs().len()]));
            }
        }
        Some(calls)
    }

    fn check(&self, post: &Entry, callee: &Entry, values: &[String]) -> String {
        format!("holds({}, \"{}\")", self.called(post, values), self.program.plan.complaint(callee))
    }

    fn is_record(&self, object: &Object) -> bool {
        let Candidate::Object(class) = &object.what else { return false };
        self.program.tables().hierarchy.get(class).superclass.as_deref() == Some("java/lang/Record")
    }

    fn make(&mut self, number: usize) -> Option<()> {
        match self.made.get(number)? {
            Some(true) => return Some(()),
            // A record that contains itself.
            Some(false) => return None,
            None => self.made[number] = Some(false),
        }
        let object = &self.recipe.objects[number];
        let expression = match &object.what {
            Candidate::Text => format!("new String({})", literal::text(&object.text)),
            Candidate::Box(class) => {
                let (_, kind) = BOXES.iter().find(|b| b.0 == class)?;
                format!("new {}({})", names::readable(class), literal::expression(*kind, object.value))
            }
            Candidate::Constant(class, ordinal) => format!("type(\"{}\").getEnumConstants()[{ordinal}]", binary(class)),
            Candidate::Object(class) if class == "java/lang/Object" => "new Object()".to_owned(),
            Candidate::Object(class) if self.is_record(object) => self.record(class, object)?,
            Candidate::Object(class) => format!("make(\"{}\")", binary(class)),
            Candidate::Array(element) => match Kind::of(element)? {
                Kind::Reference => {
                    format!("java.lang.reflect.Array.newInstance(type(\"{}\"), {})", binary(&type_name(element)), object.length)
                }
                kind => {
                    let at = |index| object.elements.iter().find(|e| e.0 == index).map_or(0, |e| e.1);
                    let values: Vec<String> = (0..object.length).map(|index| literal::expression(kind, at(index))).collect();
                    format!("new {}[] {{{}}}", names::readable_type(element), values.join(", "))
                }
            },
        };
        let _ = writeln!(self.objects, "        Object o{} = {expression};", number + 1);
        self.made[number] = Some(true);
        Some(())
    }

    /// A record by its constructor: what it holds is made first.
    fn record(&mut self, class: &str, object: &Object) -> Option<String> {
        let mut words = vec![format!("record(\"{}\"", binary(class))];
        for (owner, name, value) in &object.fields {
            let of = self.field(owner, name)?;
            if Kind::of(&of)? == Kind::Reference && *value != 0 {
                self.make(usize::try_from(*value).ok()? - 1)?;
            }
            words.push(format!("\"{name}\", {}", self.value(&of, *value)?));
        }
        Some(words.join(", ") + ")")
    }

    /// What an object holds that exists already.
    fn fill(&mut self, number: usize, object: &Object) -> Option<()> {
        if !self.is_record(object) {
            for (owner, name, value) in &object.fields {
                let of = self.field(owner, name)?;
                let value = self.value(&of, *value)?;
                let _ = writeln!(self.objects, "        set(o{}, \"{}\", \"{name}\", {value});", number + 1, binary(owner));
            }
        }
        if let Candidate::Array(element) = &object.what
            && Kind::of(element)? == Kind::Reference
        {
            for &(at, value) in &object.elements {
                let value = self.value(element, value)?;
                let _ = writeln!(self.objects, "        java.lang.reflect.Array.set(o{}, {at}, {value});", number + 1);
            }
        }
        Some(())
    }

    /// The type of a field.
    fn field(&self, class: &str, name: &str) -> Option<String> {
        let mut tables = self.program.tables();
        tables.hierarchy.get(class).fields.iter().find(|field| field.name == name).map(|field| field.descriptor.clone())
    }

    fn value(&self, of: &str, word: u64) -> Option<String> {
        Some(match Kind::of(of)? {
            Kind::Reference if word == 0 => "null".to_owned(),
            Kind::Reference => format!("o{word}"),
            kind => literal::expression(kind, word),
        })
    }

    /// The values of inputs from a place on, as a call of this method needs them.
    fn values(&self, callee: &Entry, types: &[String], first: usize) -> Option<Vec<String>> {
        let mut next = first;
        let value = |of: &String| {
            let place = next;
            let kind = Kind::of(of)?;
            let value = self.value(of, self.recipe.slot(place, kind))?;
            let asked = self.program.plan.inputs.get(place).is_some_and(|(asked, _)| asked != of);
            let making = Making::of(of).filter(|_| asked);
            next += if let Some(Making::Map(_)) = making { 2 } else { 1 };
            let value = match making.filter(|making| value != "null" || *making == Making::Optional) {
                Some(Making::Map(_)) => format!("linkedHashMapOf({value}, {})", self.value(of, self.recipe.slot(place + 1, kind))?),
                Some(Making::Function(function)) => {
                    format!("Tables.{}(({}) {value})", function.method(), names::readable_type(function.taken()))
                }
                Some(making) => format!("{}Of({value})", lower(making.name())),
                None => value,
            };
            let cast = kind == Kind::Reference && callee.callable;
            Some(if cast { format!("({}) {value}", names::readable_type(of).replace('$', ".")) } else { value })
        };
        types.iter().map(value).collect()
    }

    /// A call; the object that it is made on is the first value.
    fn called(&self, callee: &Entry, values: &[String]) -> String {
        let class = names::readable(&callee.class).replace('$', ".");
        let package = |class: &str| class.rsplit_once('/').map(|(package, _)| package.to_owned());
        let near = package(&callee.class) == package(&self.program.plan.entry.class);
        let simple = class.rsplit_once('.').filter(|_| near && !callee.class.contains('$')).map_or(class.as_str(), |(_, simple)| simple);
        match (callee.callable && near, callee.is_static) {
            (true, true) => format!("{simple}.{}({})", callee.name, values.join(", ")),
            (true, false) => {
                let receiver = if values[0] == "it" { "it".to_owned() } else { format!("({})", values[0]) };
                format!("{receiver}.{}({})", callee.name, values[1..].join(", "))
            }
            (false, is_static) => {
                let receiver = if is_static { vec!["null".to_owned()] } else { Vec::new() };
                let all: Vec<String> = receiver.iter().chain(values).cloned().collect();
                format!("call(\"{}\", \"{}{}\", {})", binary(&callee.class), callee.name, callee.descriptor, all.join(", "))
            }
        }
    }
}

fn lower(name: &str) -> String {
    name[..1].to_lowercase() + &name[1..]
}

/// The name of a class as `Class.forName` knows it.
fn binary(class: &str) -> String {
    class.replace('/', ".")
}

/// The name of an element type: classes by their names, arrays by their descriptors.
fn type_name(element: &str) -> String {
    descriptor::class_of(element).filter(|_| element.starts_with('L')).unwrap_or(element).to_owned()
}

//! JUnit tests: a class that builds the input of a case, calls the method, and needs neither xcute nor anything else but JUnit.
//!
//! Objects are made without their constructors, as the search makes them, by what every JDK has: reflection and `sun.misc.Unsafe`. Records refuse
//! both; they are made by their constructor, in the order in which they depend on each other.
//!
//! **Invariant.** A test is written only for a case whose whole input is in the parameters of the method: what a program asks for by itself is not
//! there without xcute.

use std::fmt::Write as _;

use xcute_classfile::{Kind, descriptor};
use xcute_trace::Failure;

use crate::confirm::{Repeated, Returned};
use crate::inputs::candidate::{BOXES, Candidate};
use crate::inputs::literal;
use crate::inputs::recipe::{Object, Recipe};
use crate::program::entry::Entry;
use crate::program::making::Making;
use crate::program::plan::Sequence;
use crate::program::{Program, names};

/// Which JUnit a test is for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Junit {
    /// JUnit 4.
    Four,
    /// JUnit 5, Jupiter.
    #[default]
    Five,
}

impl Junit {
    fn import(self) -> &'static str {
        match self {
            Junit::Four => "org.junit.Test",
            Junit::Five => "org.junit.jupiter.api.Test",
        }
    }
}

/// A test that calls the method with the input of a case and fails as the case did; `None` where none can be written.
#[must_use]
pub fn failing(program: &Program, recipe: &Recipe, failure: &Failure, name: &str, junit: Junit) -> Option<String> {
    let writer = Writer::new(program, recipe)?;
    let head = head(program, name, junit, &format!("{}: {}", failure.kind.name(), failure.message));
    let test =
        format!("\n    @Test\n    public void fails() throws Throwable {{\n{}        {}\n    }}\n", writer.objects, writer.statements());
    Some(whole(&head, &test))
}

/// A test of each case, which expects what the original classes did, and how many; cases for which no test can be written are left out.
#[must_use]
pub fn passing(program: &Program, cases: &[(Recipe, Repeated)], name: &str, junit: Junit) -> Option<(String, usize)> {
    let what = format!("One test for each path of {}. What is expected is what the class does.", program.name());
    let (mut tests, mut count) = (String::new(), 0);
    for (recipe, repeated) in cases {
        let Some(writer) = Writer::new(program, recipe) else { continue };
        let Some(test) = expectation(repeated, &writer) else { continue };
        count += 1;
        let _ = write!(tests, "\n    @Test\n    public void path{count}() throws Throwable {{\n{}        {test}\n    }}\n", writer.objects);
    }
    (count > 0).then(|| (whole(&head(program, name, junit, &what), &tests), count))
}

/// What a test expects, as statements.
fn expectation(repeated: &Repeated, writer: &Writer<'_>) -> Option<String> {
    use xcute_trace::Outcome;
    match (&repeated.exception, &repeated.returned, &repeated.outcome) {
        (Some(class), _, Outcome::Failed(failure)) if failure.kind.name() != "stack-overflow" => Some(match writer.calls.as_slice() {
            [call] => format!("throwing(\"{class}\", () -> {call});"),
            _ => format!("throwing(\"{class}\", () -> {{\n            {}\n        }});", writer.statements().replace("\n", "\n    ")),
        }),
        (None, Some(returned), Outcome::Passed) if writer.program.plan.sequence.is_none() => {
            let (call, checks) = writer.calls.split_first()?;
            let first = expected(returned, call)?;
            Some([first].iter().chain(checks).map(|call| format!("{call};")).collect::<Vec<_>>().join("\n        "))
        }
        (None, Some(_), Outcome::Passed) => Some(writer.statements()),
        _ => None,
    }
}

/// A call, with what it returns.
fn expected(Returned { of, text }: &Returned, call: &str) -> Option<String> {
    Some(match of.as_str() {
        "String" => format!("same({}, {call})", literal::text(&text.encode_utf16().collect::<Vec<_>>())),
        "null" => format!("same(null, {call})"),
        "char" => format!("same({}, {call})", literal::plain(Kind::Char, u64::from(text.encode_utf16().next()?))),
        "boolean" | "int" => format!("same({text}, {call})"),
        "byte" | "short" => format!("same(({of}) {text}, {call})"),
        "long" => format!("same({text}L, {call})"),
        "float" | "double" => format!("same({}.valueOf(\"{text}\"), {call})", if of == "float" { "Float" } else { "Double" }),
        _ => call.to_owned(),
    })
}

/// Everything before the tests.
fn head(program: &Program, name: &str, junit: Junit, what: &str) -> String {
    let what: String = what.chars().map(|c| if c.is_control() || c == '\\' { ' ' } else { c }).collect();
    let package = program
        .plan
        .entry
        .class
        .rsplit_once('/')
        .map_or(String::new(), |(package, _)| format!("package {};\n\n", package.replace('/', ".")));
    format!(
        "// {what}\n// Written by xcute java.\n{package}import {};\n\n@SuppressWarnings({{\"all\", \"removal\"}})\npublic class {name} {{\n    \
         static {{\n        {name}.class.getClassLoader().setDefaultAssertionStatus(true);\n    }}\n",
        junit.import()
    )
}

/// The whole class: its tests, and the helpers that they call.
fn whole(head: &str, tests: &str) -> String {
    let pieces: Vec<(&str, &str)> = HELPERS.split("//= ").filter_map(|piece| piece.split_once('\n')).collect();
    let mut needed = vec![false; pieces.len()];
    loop {
        let calls = |name: &str| {
            let call = format!("{name}(");
            let by_helper = pieces.iter().zip(&needed).any(|((own, text), needed)| *needed && *own != name && text.contains(&call));
            tests.contains(&call) || by_helper
        };
        let next: Vec<bool> = pieces.iter().map(|(name, _)| calls(name)).collect();
        if next == needed {
            break;
        }
        needed = next;
    }
    let helpers: String =
        pieces.iter().zip(needed).filter(|(_, needed)| *needed).map(|((_, text), _)| format!("\n{}\n", text.trim_end())).collect();
    if !tests.contains("Tables.") {
        return format!("{head}{tests}{helpers}}}\n");
    }
    // The class that the search makes functions by, as a part of the test.
    let (imports, class) = TABLES.split_once("/**").unwrap_or_default();
    let imports = imports.replace("package xcute;\n\n", "");
    let class = class.replace("public final class", "private static final class").replace('\n', "\n    ");
    let head = head.replacen("\nimport ", &format!("\n{imports}import "), 1);
    format!("{head}{tests}{helpers}\n    /**{}\n}}\n", class.trim_end().replace("\n    \n", "\n\n"))
}

/// The input of a case as statements.
struct Writer<'a> {
    program: &'a Program,
    recipe: &'a Recipe,
    objects: String,
    /// The calls and checks, one expression each.
    calls: Vec<String>,
    /// By object: whether it was made; `false` while its parts are.
    made: Vec<Option<bool>>,
}

impl<'a> Writer<'a> {
    fn new(program: &'a Program, recipe: &'a Recipe) -> Option<Writer<'a>> {
        if recipe.has_more_than(program.plan.inputs.len()) || program.plan.entry.is_main() {
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

    fn statements(&self) -> String {
        self.calls.iter().map(|call| format!("{call};")).collect::<Vec<_>>().join("\n        ")
    }

    /// The call of a method, and what must hold after it.
    fn one(&self) -> Option<Vec<String>> {
        let entry = &self.program.plan.entry;
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

const HELPERS: &str = include_str!("junit.java.txt");

const TABLES: &str = include_str!("../../../runtimes/java/api/xcute/Tables.java");

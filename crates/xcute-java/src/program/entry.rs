//! Methods and constructors that drivers call: how they are found, and what the class file says of their parameters.

use xcute_classfile::bytes::Reader;
use xcute_classfile::{ClassError, ClassFile, Code, Kind, Signature, access, descriptor};

use super::constraints::{self, Constraint};
use super::hierarchy::ClassInfo;
use super::making::{self, Arguments, Making};
use super::names;

/// The simple name of the driver; it lies in the package of the method under test, whose types it must be allowed to name.
pub(crate) const DRIVER: &str = "Xcute$Driver";

/// A method or constructor that a driver calls.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Its class, in internal form.
    pub(crate) class: String,
    pub(crate) name: String,
    pub(crate) descriptor: String,
    pub(crate) is_static: bool,
    pub(crate) interface: bool,
    /// It is private, and called on an object.
    pub(crate) is_hidden: bool,
    /// The names of the inputs.
    pub(crate) names: Vec<String>,
    /// By parameter: the type arguments of its type.
    pub(crate) arguments: Vec<Arguments>,
    /// By parameter: what its annotations say.
    pub(crate) constraints: Vec<Vec<Constraint>>,
    /// Whether another class of the package can call it by its name.
    pub(crate) callable: bool,
    /// Where it begins: its source file, with the folders of its package, and the line.
    pub(crate) file: String,
    pub(crate) line: u32,
}

impl Entry {
    /// The descriptors of the inputs: the receiver, if there is one, then the parameters.
    pub(crate) fn inputs(&self) -> Vec<String> {
        if self.is_main() {
            return Vec::new();
        }
        let receiver = (!self.is_static).then(|| descriptor::descriptor_of(&self.class));
        receiver.into_iter().chain(self.parameters()).collect()
    }

    /// The descriptors of the parameters.
    pub(crate) fn parameters(&self) -> Vec<String> {
        let signature = Signature::parse(&self.descriptor).expect("checked when it was found");
        signature.parameters.iter().map(|&p| p.to_owned()).collect()
    }

    /// The descriptors of what is asked for: of the inputs, or of what they are made of.
    pub(crate) fn asked(&self) -> Vec<Vec<String>> {
        let receivers = usize::from(!self.is_static);
        let asked = |(place, of): (usize, String)| match (Making::of(&of), place.checked_sub(receivers)) {
            (Some(making), Some(parameter)) => making.inputs(self.arguments.get(parameter).unwrap_or(&making::none())),
            _ => vec![of],
        };
        self.inputs().into_iter().enumerate().map(asked).collect()
    }

    /// By place of what is asked for: how the input is made that begins there, if it is not asked for itself.
    pub(crate) fn makings(&self) -> Vec<Option<Making>> {
        let made = |(of, asked): (String, Vec<String>)| {
            let making = Making::of(&of).filter(|_| asked != [of]);
            std::iter::once(making).chain(asked.iter().skip(1).map(|_| None)).collect::<Vec<_>>()
        };
        self.inputs().into_iter().zip(self.asked()).flat_map(made).collect()
    }

    /// What is asked for, with names: of several parts of an input, each has its own.
    pub(crate) fn places<'a>(
        asked: Vec<Vec<String>>,
        names: impl Iterator<Item = String> + 'a,
    ) -> impl Iterator<Item = (String, String)> + 'a {
        asked.into_iter().zip(names).flat_map(|(asked, name)| match <[String; 2]>::try_from(asked) {
            Ok([keys, values]) => vec![(keys, format!("{name}.keys")), (values, format!("{name}.values"))],
            Err(one) => one.into_iter().map(|of| (of, name.clone())).collect(),
        })
    }

    /// The same, for the parameters alone.
    pub(crate) fn asked_parameters(&self) -> Vec<Vec<String>> {
        self.asked().split_off(usize::from(!self.is_static && !self.is_main()))
    }

    /// What annotations say of a parameter.
    pub(crate) fn constraints_of(&self, nth: usize) -> &[Constraint] {
        self.constraints.get(nth).map_or(&[], Vec::as_slice)
    }

    /// What is assumed of its parameters, as in `n @Min(1)`.
    pub(crate) fn assumed(&self) -> Vec<String> {
        if self.is_main() {
            return Vec::new();
        }
        let all = self.parameters().into_iter().zip(self.parameter_names()).zip(&self.constraints);
        let texts = all.map(|((of, name), all)| (name, all.iter().filter_map(|one| one.text(&of)).collect::<Vec<_>>()));
        texts.filter(|(_, all)| !all.is_empty()).map(|(name, all)| format!("{name} {}", all.join(" "))).collect()
    }

    /// The names of the parameters.
    pub(crate) fn parameter_names(&self) -> &[String] {
        &self.names[usize::from(!self.is_static)..]
    }

    /// Class and method, as the source names them.
    pub(crate) fn full(&self) -> String {
        format!("{}.{}", self.class.replace(['/', '$'], "."), self.name)
    }

    pub(crate) fn is_constructor(&self) -> bool {
        self.name == "<init>"
    }

    /// The name of the driver.
    pub(crate) fn driver(&self) -> String {
        self.class.rsplit_once('/').map_or_else(|| DRIVER.to_owned(), |(package, _)| format!("{package}/{DRIVER}"))
    }

    pub(crate) fn is_main(&self) -> bool {
        self.is_static && self.name == "main" && self.descriptor == "([Ljava/lang/String;)V"
    }
}

/// Finds a method of a class; `wanted` is a name, or a name with a descriptor. `Err` with all that fit where that is not one.
pub(crate) fn find(class: &str, info: &ClassInfo, wanted: &str) -> Result<Entry, Vec<String>> {
    let (name, descriptor) = wanted.find('(').map_or((wanted, None), |at| (&wanted[..at], Some(&wanted[at..])));
    let fits = |m: &&super::hierarchy::MemberInfo| {
        m.name == name && m.access & (access::ABSTRACT | access::BRIDGE) == 0 && descriptor.is_none_or(|d| d == m.descriptor)
    };
    let found: Vec<_> = info.methods.iter().filter(fits).collect();
    match found.as_slice() {
        [one] => Ok(Entry {
            class: class.to_owned(),
            name: one.name.clone(),
            descriptor: one.descriptor.clone(),
            is_static: one.access & access::STATIC != 0,
            interface: info.is_interface(),
            is_hidden: one.access & (access::PRIVATE | access::STATIC) == access::PRIVATE && one.name != "<init>",
            names: Vec::new(),
            arguments: Vec::new(),
            constraints: Vec::new(),
            callable: one.access & (access::PRIVATE | access::SYNTHETIC) == 0,
            file: String::new(),
            line: 0,
        }),
        more => Err(more.iter().map(|m| m.descriptor.clone()).collect()),
    }
}

/// Whether a class can be named in the source of another class of its package, as far as the class file of `seen_from` says.
fn is_nameable(seen_from: &ClassFile, name: &str) -> Result<bool, ClassError> {
    let Some(table) = seen_from.find(&seen_from.attributes, "InnerClasses") else { return Ok(!name.contains('$')) };
    let mut reader = Reader::new(&table.data);
    let mut known = !name.contains('$');
    for _ in 0..reader.u2()? {
        let (inner, _outer, simple, flags) = (reader.u2()?, reader.u2()?, reader.u2()?, reader.u2()?);
        let inner = seen_from.pool.class(inner)?;
        if name == inner || name.strip_prefix(inner).is_some_and(|rest| rest.starts_with('$')) {
            known = true;
            if simple == 0 || flags & access::PRIVATE != 0 {
                return Ok(false);
            }
        }
    }
    Ok(known)
}

/// Gives the inputs of a method the names that its parameters have in the source, where the class file says them.
pub(crate) fn named(class: &ClassFile, mut entry: Entry) -> Result<Entry, ClassError> {
    let mentioned = entry.inputs();
    for name in mentioned.iter().filter_map(|input| descriptor::class_of(input.trim_start_matches('['))).chain([class.name()]) {
        entry.callable &= is_nameable(class, name)?;
    }
    let mut locals = Vec::new();
    for method in &class.methods {
        if class.name_of(method)? != (&entry.name, &entry.descriptor) {
            continue;
        }
        if let Some(signature) = class.find(&method.attributes, "Signature") {
            let text = class.pool.utf8(Reader::new(&signature.data).u2()?)?;
            entry.arguments = making::arguments(text, entry.parameters().len());
        }
        entry.constraints = constraints::of(class, method, entry.parameters().len())?;
        let Some(code) = Code::of(class, method)? else { continue };
        entry.file = source(class);
        entry.line = code.lines(class)?.first().map_or(0, |first| first.1);
        let variables = code.variables(class)?.into_iter().filter(|variable| variable.start == 0);
        locals.extend(variables.map(|variable| (usize::from(variable.local), variable.name)));
    }
    let mut local = 0;
    for (number, input) in mentioned.iter().enumerate() {
        let found = locals.iter().find(|l| l.0 == local).map(|l| l.1.clone());
        entry.names.push(found.unwrap_or_else(|| format!("arg{number}")));
        local += Kind::of(input).map_or(1, Kind::places);
    }
    Ok(entry)
}

/// The source file of a class, with the folders of its package.
pub(super) fn source(class: &ClassFile) -> String {
    let name = names::original(class.name());
    match (name.rsplit_once('/'), class.source_file()) {
        (Some((package, _)), Some(file)) => format!("{package}/{file}"),
        (None, Some(file)) => file.to_owned(),
        (_, None) => String::new(),
    }
}

//! Declarations of UML as C++: data types, attributes and operations.

use std::collections::HashSet;

use super::document::{El, Ref};
use super::names::identifier;
use super::types::cpp_type;
use super::values::{body, dimension, value};
use super::{is_excluded, protocol, with_redefined};
use crate::cpp::{Tok, lex};
use crate::error::Result;
use crate::ir::{Code, File, Lines, Place, Snippet, SnippetKind};

/// The file that an artifact stands for; none if it stands for nothing.
pub fn artifact(element: El<'_, '_>) -> Option<File> {
    let applied = element.stereotype("ArtifactProperties")?;
    let kinds = [("includeFile", SnippetKind::Decl), ("sourceFile", SnippetKind::Impl)];
    let snippets: Vec<_> =
        kinds.into_iter().filter_map(|(name, kind)| Some(Snippet { kind, code: applied.attribute_code(name)? })).collect();
    let name = element.name().map(identifier)?;
    Some(File { name, snippets }).filter(|file| !file.snippets.is_empty())
}

/// All types of a model, in an order in which they can be declared.
pub fn types(types: &[El<'_, '_>]) -> Result<Vec<Snippet>> {
    let mut snippets = Vec::new();
    let mut add = |kind, code: Code| snippets.push(Snippet { kind, code });
    for ty in types.iter().filter(|ty| ty.kind() == "Enumeration") {
        add(SnippetKind::Decl, enumeration(*ty)?);
    }
    let mut structures = Vec::new();
    for ty in types.iter().filter(|ty| matches!(ty.kind(), "Class" | "DataType")) {
        structures.push(Structure::read(*ty)?);
    }
    for structure in &structures {
        add(SnippetKind::Decl, Code::composed(&format!("struct {};", structure.name), structure.place.clone()));
    }
    for structure in sorted(structures) {
        structure.before.into_iter().for_each(|code| add(SnippetKind::Decl, code));
        add(SnippetKind::Decl, structure.declaration);
        structure.after.into_iter().for_each(|code| add(SnippetKind::Impl, code));
    }
    Ok(snippets)
}

struct Structure {
    name: String,
    place: Place,
    before: Vec<Code>,
    declaration: Code,
    after: Vec<Code>,
    /// The words of its fields' types, without those behind pointers.
    needs: HashSet<String>,
}

impl Structure {
    fn read(class: El<'_, '_>) -> Result<Structure> {
        let Some(name) = class.name().map(identifier) else { return class.error("a class must have a name") };
        let mut needs = HashSet::new();
        let mut text = String::new();
        let mut bases = Vec::new();
        for generalization in class.children("generalization") {
            if let Some(Ref::Here(general)) = generalization.reference("general")? {
                bases.extend(general.name().map(identifier));
            }
        }
        needs.extend(bases.iter().cloned());
        let bases = if bases.is_empty() { String::new() } else { format!(" : public {}", bases.join(", public ")) };
        let properties = class.stereotype("PassiveClassProperties");
        let keyword = properties.and_then(|applied| applied.get("kind")).filter(|kind| *kind == "Union").map_or("struct", |_| "union");
        text.push_str(&format!("{keyword} {name}{bases} {{\n"));
        for property in class.children("ownedAttribute") {
            if let Some(line) = attribute(property)? {
                if !line.contains('*') {
                    needs.extend(lex(&line).iter().filter_map(Tok::word).map(str::to_owned));
                }
                text.push_str(&format!("    {line}\n"));
            }
        }
        let (mut before, mut after) = (Vec::new(), Vec::new());
        for (declaration, implementation) in operations(class, &name)? {
            text.push_str(&format!("    {declaration}\n"));
            after.extend(implementation);
        }
        if let Some(applied) = properties {
            before.extend(applied.attribute_code("headerPreface"));
            for section in ["public", "protected", "private"] {
                if let Some(code) = applied.attribute_code(match section {
                    "public" => "publicDeclarations",
                    "protected" => "protectedDeclarations",
                    _ => "privateDeclarations",
                }) {
                    text.push_str(&format!("{section}:\n{}\n", code.text));
                }
            }
            after.splice(0..0, applied.attribute_code("implementationPreface"));
        }
        text.push_str("};");
        let place = class.place();
        let declaration = Code::composed(&text, place.clone());
        Ok(Structure { name, place, before, declaration, after, needs })
    }
}

/// Structures after those whose objects they hold; a circle is left to the compiler.
fn sorted(mut open: Vec<Structure>) -> Vec<Structure> {
    let mut done = Vec::new();
    while !open.is_empty() {
        let names: HashSet<String> = open.iter().map(|structure| structure.name.clone()).collect();
        let free = |structure: &Structure| !structure.needs.iter().any(|need| *need != structure.name && names.contains(need));
        let (now, later): (Vec<_>, Vec<_>) = open.into_iter().partition(free);
        open = later;
        if now.is_empty() {
            done.append(&mut open);
        }
        done.extend(now);
    }
    done
}

fn enumeration(element: El<'_, '_>) -> Result<Code> {
    let Some(name) = element.name().map(identifier) else { return element.error("an enumeration must have a name") };
    let mut literals = Vec::new();
    for literal in element.children("ownedLiteral") {
        let value = literal.children("specification").next().map(value).transpose()?.flatten();
        let value = value.map_or_else(String::new, |value| format!(" = {value}"));
        literals.push(format!("{}{value}", literal.name().map(identifier).unwrap_or_default()));
    }
    Ok(Code::composed(&format!("enum {name} {{ {} }};", literals.join(", ")), element.place()))
}

/// An attribute as a declaration; none if it removes an inherited one.
pub fn attribute(property: El<'_, '_>) -> Result<Option<String>> {
    if is_excluded(property) {
        return Ok(None);
    }
    let chain = with_redefined(property, "redefinedProperty")?;
    let Some(name) = chain.iter().find_map(|property| property.name()).map(identifier) else {
        return property.error("an attribute must have a name");
    };
    let mut ty = None;
    for property in &chain {
        ty = ty.or(cpp_type(*property, "AttributeProperties")?);
    }
    let applied = property.stereotype("AttributeProperties");
    let kind = applied.and_then(|applied| applied.get("kind"));
    let default = chain.iter().find_map(|property| property.children("defaultValue").next()).map(value).transpose()?.flatten();
    // A constant without a type is a number.
    let (ty, constant) = match (ty, &default) {
        (Some(ty), _) => (ty, false),
        (None, Some(_)) => ("int".to_owned(), true),
        (None, None) => return property.error(format!("attribute {name} has no type")),
    };
    let is_text = ty.replace(' ', "").ends_with("char*") && dimension(property)?.is_empty();
    let default = default.map(|default| if is_text { quoted(&default) } else { default });
    let size = applied.and_then(|applied| applied.get("size")).map_or_else(|| dimension(property), |size| Ok(format!("[{size}]")))?;
    let read_only = property.flag("isReadOnly", false) || constant;
    let shared = property.flag("isStatic", false) || constant;
    let mut line = String::new();
    match kind {
        Some("MutableMember") => line.push_str("mutable "),
        _ if shared && read_only => line.push_str("static constexpr "),
        _ if shared => line.push_str("inline static "),
        _ => {}
    }
    if read_only && !shared {
        line.push_str("const ");
    }
    line.push_str(&format!("{ty} {name}{size}"));
    match default {
        Some(default) => line.push_str(&format!(" = {default};")),
        // Models rely on attributes that start at zero as little as C++ does, but a run must be repeatable.
        None if is_plain(&ty) => line.push_str(" = {};"),
        None => line.push(';'),
    }
    Ok(Some(line))
}

/// Whether objects of a type would start with whatever is in memory.
fn is_plain(ty: &str) -> bool {
    ty.contains('*')
        || matches!(
            crate::cpp::Types::default().shape(ty),
            crate::cpp::Shape::Bool | crate::cpp::Shape::Integer { .. } | crate::cpp::Shape::Float(_)
        )
}

/// A text literal, if it is not one already or an expression for one.
fn quoted(text: &str) -> String {
    let expression = text.starts_with('"') || text == "NULL" || text == "nullptr" || text == "0" || text.contains('(');
    if expression { text.to_owned() } else { format!("\"{text}\"") }
}

/// The operations of a class: declarations, and definitions of those with a body.
pub fn operations(class: El<'_, '_>, name: &str) -> Result<Vec<(String, Option<Code>)>> {
    let mut found = Vec::new();
    for operation in class.children("ownedOperation").filter(|operation| !is_excluded(*operation)) {
        found.push(one_operation(class, operation, name)?);
    }
    Ok(found)
}

fn one_operation(class: El<'_, '_>, operation: El<'_, '_>, class_name: &str) -> Result<(String, Option<Code>)> {
    let name = protocol::message_name(operation)?;
    let mut result = "void".to_owned();
    let mut params = Vec::new();
    for parameter in operation.children("ownedParameter") {
        let reference = parameter.stereotype("ParameterProperties").and_then(|applied| applied.get("kind")) == Some("Reference");
        if parameter.get("direction") == Some("return") {
            result = cpp_type(parameter, "ParameterProperties")?.unwrap_or(result);
        } else {
            let ty = cpp_type(parameter, "ParameterProperties")?.unwrap_or_else(|| "void *".to_owned());
            let out = reference || (matches!(parameter.get("direction"), Some("out" | "inout")) && !ty.contains('*'));
            let amp = if out { " &" } else { " " };
            params.push(format!("{ty}{amp}{}{}", parameter.name().map(identifier).unwrap_or_default(), dimension(parameter)?));
        }
    }
    let params = params.join(", ");
    let applied = operation.stereotype("OperationProperties");
    let property = |key: &str| applied.and_then(|applied| applied.get(key));
    let (constant, shared) = (operation.flag("isQuery", false), operation.flag("isStatic", false));
    let suffix = if constant { " const" } else { "" };
    let mut head = String::new();
    if shared {
        head.push_str("static ");
    }
    if property("Polymorphic") == Some("true") || operation.flag("isAbstract", false) {
        head.push_str("virtual ");
    }
    // Constructors and destructors have no result.
    let special = name == *class.name().unwrap_or_default() || name.starts_with('~');
    let result = if special { String::new() } else { format!("{result} ") };
    let pure = if operation.flag("isAbstract", false) { " = 0" } else { "" };
    let declaration = format!("{head}{result}{name}({params}){suffix}{pure};");
    if operation.flag("isAbstract", false) {
        return Ok((declaration, None));
    }
    let method = match operation.here("method")? {
        Some(method) => Some(method),
        None => class.children("ownedBehavior").find(|behavior| behavior.get("specification") == Some(operation.id())),
    };
    let code = method.map(body).transpose()?.flatten();
    let Some(code) = code else {
        let empty = format!("{result}{class_name}::{name}({params}){suffix} {{}}");
        // Without a body nothing is returned: the compiler is to know that this is meant.
        let empty = if result.trim() == "void" || special { empty } else { empty.replace("{}", "{ return {}; }") };
        return Ok((declaration, Some(Code::composed(&empty, operation.place()))));
    };
    let text = format!("{result}{class_name}::{name}({params}){suffix} {{\n{}\n}}", code.text);
    // The first line is ours.
    let place = Place { line: code.place.line.saturating_sub(1), column: 1, ..code.place.clone() };
    Ok((
        declaration,
        Some(Code { text: text.into(), place, lines: if matches!(code.lines, Lines::Below) { Lines::Below } else { Lines::Folded } }),
    ))
}

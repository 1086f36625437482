//! Structures and enumerations of the model that messages carry: how they are written and read.

use std::collections::HashSet;

use super::writer::Writer;
use crate::cpp::{Shape, Types};

/// Specialisations for all types that the given ones are made of.
pub fn values<'a>(writer: &mut Writer, types: &Types, used: impl Iterator<Item = &'a str>) {
    let mut wanted = HashSet::new();
    let mut open: Vec<String> = used.map(str::to_owned).collect();
    while let Some(ty) = open.pop() {
        match types.shape(&ty) {
            Shape::Array { element, .. } => open.push(element),
            Shape::Enum { name, .. } => {
                wanted.insert(name);
            }
            Shape::Struct { name, fields } if wanted.insert(name.clone()) => open.extend(fields.into_iter().map(|field| field.ty)),
            _ => {}
        }
    }
    let names: Vec<_> = types.known().filter(|name| wanted.contains(*name)).collect();
    if names.is_empty() {
        return;
    }
    writer.line("namespace xm {");
    for name in names {
        match types.shape(name) {
            Shape::Enum { literals, .. } => enumeration(writer, name, &literals),
            Shape::Struct { fields, .. } => structure(writer, name, &fields.into_iter().map(|field| field.name).collect::<Vec<_>>()),
            _ => {}
        }
    }
    writer.line("} // namespace xm");
}

fn enumeration(writer: &mut Writer, name: &str, literals: &[String]) {
    writer.line(&format!("template <> struct Value<::{name}> {{"));
    writer.line("    static constexpr bool known = true;");
    writer.line(&format!("    static void write(FILE *to, const ::{name} &value) {{"));
    for literal in literals {
        writer.line(&format!("        if (value == ::{literal}) return (void)fputs(\"\\\"{}\\\"\", to);", short(literal)));
    }
    writer.line("        fprintf(to, \"%lld\", static_cast<long long>(value));");
    writer.line("    }");
    writer.line(&format!("    static void read(const Json *from, ::{name} &to, const char *what) {{"));
    for literal in literals {
        writer.line(&format!("        if (!strcmp(from->string(\"\"), \"{}\")) return (void)(to = ::{literal});", short(literal)));
    }
    writer.line("        if (from->kind != Json::NUMBER) refuse(\"%s must be a literal of its enumeration, or a number\", what);");
    writer.line(&format!("        to = static_cast<::{name}>(from->integer());"));
    writer.line("    }");
    writer.line("};");
}

fn short(literal: &str) -> &str {
    literal.rsplit("::").next().unwrap_or(literal)
}

fn structure(writer: &mut Writer, name: &str, fields: &[String]) {
    writer.line(&format!("template <> struct Value<::{name}> {{"));
    writer.line("    static constexpr bool known = true;");
    writer.line(&format!("    static void write(FILE *to, const ::{name} &value) {{"));
    writer.line("        fputc('{', to);");
    for (at, field) in fields.iter().enumerate() {
        let comma = if at == 0 { "" } else { "," };
        writer.line(&format!("        fputs(\"{comma}\\\"{field}\\\":\", to);"));
        writer.line(&format!("        Value<decltype(::{name}::{field})>::write(to, value.{field});"));
    }
    writer.line("        fputc('}', to);");
    writer.line("    }");
    writer.line(&format!("    static void read(const Json *from, ::{name} &to, const char *what) {{"));
    let names: Vec<_> = fields.iter().map(|field| format!("\"{field}\"")).collect();
    writer.line(&format!(
        "        static const char *const names[] = {{{}nullptr}};",
        names.iter().map(|name| format!("{name}, ")).collect::<String>()
    ));
    writer.line(&format!("        check_names(from, names, {}, what);", fields.len()));
    for (at, field) in fields.iter().enumerate() {
        writer.line(&format!("        if (const Json *given = argument(from, {at}, \"{field}\"))"));
        writer.line(&format!("            Value<decltype(::{name}::{field})>::read(given, to.{field}, \"{field}\");"));
    }
    writer.line("    }");
    writer.line("};");
}

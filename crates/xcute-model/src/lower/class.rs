//! Passive classes in C++: a class with a function for each trigger operation.

use super::bodies::Bodies;
use super::writer::Writer;
use super::{Context, tables};
use crate::ir::SnippetKind;

/// The header of a class.
pub fn header(context: &Context<'_>, at: usize, bodies: &Bodies) -> (String, String) {
    let declared = &context.flat.model.classes[at];
    let mut writer = Writer::new(&context.header_name(&declared.name));
    writer.line("#pragma once");
    writer.line(&context.prelude());
    context.snippets(&mut writer, &declared.snippets, SnippetKind::HeaderPreface);
    for base in declared.bases.iter().filter(|base| context.flat.model.classes.iter().any(|class| class.name == **base)) {
        writer.line(&format!("#include \"{}\"", context.header_name(base)));
    }
    let keyword = if declared.is_struct { "struct" } else { "class" };
    let bases: String = declared.bases.iter().map(|base| format!(", public {base}")).collect();
    writer.line(&format!("{keyword} {} : public xm::Passive{bases} {{", declared.name));
    writer.line("public:");
    if let Some(base) = declared.bases.first() {
        writer.line(&format!("    using SUPER = {base};"));
    }
    writer.line("    void rtg_init1() override;");
    for operation in &declared.operations {
        let params = operation.params.iter().enumerate();
        let params: Vec<_> =
            params.map(|(i, p)| format!("xm::Type<{}> {}", p.ty, p.name.clone().unwrap_or_else(|| format!("a{i}")))).collect();
        writer.line(&format!("    void {}({});", operation.name, params.join(", ")));
    }
    bodies.declarations(&mut writer, at);
    writer.line(if declared.is_struct { "public:" } else { "private:" });
    context.snippets(&mut writer, &declared.snippets, SnippetKind::Decl);
    writer.line("};");
    context.snippets(&mut writer, &declared.snippets, SnippetKind::HeaderEnding);
    writer.finish()
}

/// The definitions of a class.
pub fn definitions(writer: &mut Writer, context: &Context<'_>, at: usize, bodies: &Bodies) {
    let (class, declared) = (&context.flat.classes[at], &context.flat.model.classes[at]);
    let name = &class.name;
    context.snippets(writer, &declared.snippets, SnippetKind::ImplPreface);
    context.snippets(writer, &declared.snippets, SnippetKind::Impl);
    bodies.definitions(writer, context, at);
    match &class.machine {
        Some(machine) => {
            tables::machine(writer, bodies, at, name, machine);
            writer.line(&format!("void {name}::rtg_init1() {{ xm_begin(&xm_{name}_machine); }}"));
        }
        None => writer.line(&format!("void {name}::rtg_init1() {{}}")),
    }
    for (number, operation) in declared.operations.iter().enumerate() {
        let params = operation.params.iter().enumerate();
        let names: Vec<_> = params.clone().map(|(i, p)| p.name.clone().unwrap_or_else(|| format!("a{i}"))).collect();
        let typed: Vec<_> = params.map(|(i, p)| format!("xm::Type<{}> {}", p.ty, names[i])).collect();
        writer.line(&format!("void {name}::{}({}) {{", operation.name, typed.join(", ")));
        let addresses: String = names.iter().map(|name| format!("(void *)&{name}, ")).collect();
        writer.line(&format!("    void *xm_params[] = {{{addresses}nullptr}};"));
        writer.line(&format!("    xm_call({number}, \"{}\", xm_params, {});", operation.name, names.len()));
        writer.line("}");
    }
    context.snippets(writer, &declared.snippets, SnippetKind::ImplEnding);
}

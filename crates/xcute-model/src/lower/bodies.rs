//! Action code in C++: one member function for each piece, in the class that declares it.
//!
//! A derived capsule calls the function of its base. Only where other messages lead to the code there, so that it would see data of
//! another type, does the derived class get a copy.

use std::collections::{BTreeMap, HashMap};

use super::Context;
use super::signature::{Named, Signature};
use super::writer::Writer;
use crate::cpp::{Tok, lex};
use crate::flat::{Body, BodyId, BodyKind, Machine};
use crate::ir::{Code, Dialect, Place};

/// A function that is generated.
struct Function {
    name: String,
    body: Body,
    signature: Signature,
    mutable_data: bool,
    /// The code that `CALLSUPER` means, by its declaring class and number; none within means that there is nothing to call.
    inherited: Option<Option<(usize, usize)>>,
}

/// The functions of a family of classes: all capsules, or all passive classes.
pub struct Bodies {
    /// The names of the classes in C++.
    classes: Vec<String>,
    /// By the class they belong to, and by the declaring class and number of the code.
    functions: BTreeMap<(usize, usize, usize), Function>,
    /// The function that a machine calls for a piece of code.
    called: HashMap<(usize, BodyId), String>,
}

/// What is known of one piece of code, for users of the generated code.
#[derive(Clone, Debug)]
pub struct BodyInfo {
    /// The function, as C++ names it.
    pub function: String,
    /// What the code is for.
    pub kind: BodyKind,
    /// The path of its element: `Capsule.State.transition`.
    pub element: String,
    /// Where its text begins.
    pub place: Place,
    /// How many lines of the file it takes.
    pub lines: u32,
}

/// A machine and the scopes of its code.
pub struct Scoped<'a> {
    pub machine: &'a Machine,
    pub scopes: HashMap<BodyId, Signature>,
}

impl Bodies {
    pub fn new(classes: Vec<String>) -> Bodies {
        Bodies { classes, functions: BTreeMap::new(), called: HashMap::new() }
    }

    /// Adds the code of the machine of a class that can have instances.
    pub fn add(&mut self, class: usize, all: &[Option<Scoped<'_>>]) {
        let Some(own) = &all[class] else { return };
        for (at, body) in own.machine.bodies.iter().enumerate() {
            let (id, home) = (BodyId(at), body.owner);
            let scope = own.scopes.get(&id);
            let home_scope = home_scope(all, body);
            let at_home = home == class || scope.is_none() || scope == home_scope;
            let (place, signature, name) = if at_home {
                (home, home_scope.or(scope), format!("xm_act_{}", body.number))
            } else {
                (class, scope, format!("xm_act_{home}_{}", body.number))
            };
            self.called.insert((class, id), format!("{}::{name}", self.classes[place]));
            let inherited = body.redefines.map(|over| over.map(|over| (own.machine.body(over).owner, own.machine.body(over).number)));
            let (signature, mutable_data) = (signature.cloned().unwrap_or_default(), mutable(own.machine, id));
            let function = Function { name, body: body.clone(), signature, mutable_data, inherited };
            self.functions.entry((place, home, body.number)).or_insert(function);
        }
    }

    /// The function of a piece of code of a class.
    pub fn called(&self, class: usize, body: BodyId) -> &str {
        &self.called[&(class, body)]
    }

    /// All functions, for users of the generated code.
    pub fn infos(&self) -> impl Iterator<Item = BodyInfo> {
        self.functions.iter().map(|((class, ..), function)| BodyInfo {
            function: format!("{}::{}", self.classes[*class], function.name),
            kind: function.body.kind,
            element: function.body.element.clone(),
            place: function.body.code.place.clone(),
            lines: u32::try_from(function.body.code.text.split('\n').count()).unwrap_or(u32::MAX),
        })
    }

    fn of(&self, class: usize) -> impl Iterator<Item = &Function> {
        self.functions.range((class, 0, 0)..(class + 1, 0, 0)).map(|(_, function)| function)
    }

    /// The declarations in a class.
    pub fn declarations(&self, writer: &mut Writer, class: usize) {
        for function in self.of(class) {
            let result = if function.body.kind.is_guard() { "bool" } else { "void" };
            writer.line(&format!("    XM_BODY {result} {}(const xm::Message *xm_message);", function.name));
        }
    }

    /// The definitions of the functions of a class.
    pub fn definitions(&self, writer: &mut Writer, context: &Context<'_>, class: usize) {
        for function in self.of(class) {
            self.definition(writer, context, class, function);
        }
    }

    fn definition(&self, writer: &mut Writer, context: &Context<'_>, class: usize, function: &Function) {
        let body = &function.body;
        let result = if body.kind.is_guard() { "bool" } else { "void" };
        writer.line(&format!("{result} {}::{}(const xm::Message *xm_message) {{", self.classes[class], function.name));
        scope(writer, context, function);
        self.inherited(writer, function);
        if body.kind.is_guard() && !has_return(&body.code.text) {
            let text = body.code.text.trim_end().trim_end_matches(';');
            let code = Code { text: text.into(), ..body.code.clone() };
            writer.code_with(&code, "    return static_cast<bool>(", "    );");
        } else {
            writer.code_with(&body.code, "    {", "    }");
            if body.kind.is_guard() {
                writer.line("    return false;");
            }
        }
        for Named { name, .. } in function.signature.params.iter().filter(|param| !param.sure) {
            writer.line(&format!("#undef {name}"));
        }
        // What code defines for itself must not reach the parameters of other code.
        for name in defined(&body.code.text).filter(|name| context.is_param(name)) {
            writer.line(&format!("#undef {name}"));
        }
        if function.inherited.is_some() {
            writer.line("#undef CALLSUPER");
            writer.line("#undef SUPERMETHOD");
        }
        writer.line("}");
    }

    /// The macros by which redefined code calls what it replaces.
    fn inherited(&self, writer: &mut Writer, function: &Function) {
        match function.inherited {
            None => {}
            Some(None) => {
                let nothing = if function.body.kind.is_guard() { "true" } else { "(void)0" };
                writer.line(&format!("#define CALLSUPER {nothing}"));
                writer.line(&format!("#define SUPERMETHOD(data, port) {nothing}"));
            }
            Some(Some((owner, number))) => {
                let function = format!("{}::xm_act_{number}", self.classes[owner]);
                writer.line(&format!("#define CALLSUPER {function}(xm_message)"));
                writer.line(&format!("#define SUPERMETHOD(data, port) xm::call_with(this, &{function}, xm_message, data)"));
            }
        }
    }
}

/// What the code finds around it.
fn scope(writer: &mut Writer, context: &Context<'_>, function: &Function) {
    let signature = &function.signature;
    let constant = if function.mutable_data || context.flat.model.dialect == Dialect::Papyrus { "" } else { "const " };
    match &signature.data {
        // A message that carries a pointer to anything carries just that.
        Some(ty) if ty.replace(' ', "") == "void*" => writer.line(&format!("    {constant}void *rtdata = xm::pointer(xm_message);")),
        Some(ty) => writer.line(&format!("    auto *rtdata = static_cast<{constant}xm::Type<{ty}> *>(xm_message->getParam(0));")),
        None => writer.line(&format!("    {constant}void *rtdata = xm_message->getParam(0);")),
    }
    let port = signature.port.map_or_else(|| "xm::Port".to_owned(), |(protocol, conjugated)| context.port_class(protocol, conjugated));
    writer.line(&format!("    auto *rtport = static_cast<{port} *>(xm_message->sap());"));
    writer.line("    (void)rtdata, (void)rtport;");
    for Named { name, index, ty, sure } in &signature.params {
        if *sure {
            writer.line(&format!("    auto &{name} = xm::param<{ty}>(xm_message, {index});"));
            writer.line(&format!("    (void){name};"));
            // The name in code for older versions of Papyrus-RT.
            let old = format!("umlrtparam_{name}");
            if function.body.code.text.contains(&old) {
                writer.line(&format!("    auto &{old} = {name};"));
            }
        } else {
            writer.line(&format!("#define {name} (xm::param<{ty}>(xm_message, {index}))"));
        }
    }
}

/// The scope that the declaring class sees for its code.
fn home_scope<'a>(all: &'a [Option<Scoped<'_>>], body: &Body) -> Option<&'a Signature> {
    let home = all[body.owner].as_ref()?;
    let at = home.machine.bodies.iter().position(|other| other.owner == body.owner && other.number == body.number)?;
    home.scopes.get(&BodyId(at))
}

fn mutable(machine: &Machine, body: BodyId) -> bool {
    machine.edges.iter().any(|edge| edge.mutable_data && edge.effect == Some(body))
}

/// The macros that a text defines.
fn defined(text: &str) -> impl Iterator<Item = &str> {
    let directives = text.lines().filter_map(|line| line.trim_start().strip_prefix('#')?.trim_start().strip_prefix("define"));
    directives.filter_map(|rest| rest.trim_start().split(|c: char| !c.is_alphanumeric() && c != '_').next())
}

/// Whether a guard is written as statements.
fn has_return(text: &str) -> bool {
    lex(text).iter().any(|token| matches!(token, Tok::Word("return" | "throw")))
}

//! Types of UML in C++: those of the libraries, and those that the model declares.

use super::document::{El, Ref};
use crate::error::Result;

/// Types of libraries by the ids that references use.
const BY_ID: &[(&str, &str)] = &[
    ("_5lVhgBydEduyofBvg4RL2w", "char"),
    ("_6j0jABydEduyofBvg4RL2w", "double"),
    ("_7W3wkBydEduyofBvg4RL2w", "float"),
    ("_7wRIABydEduyofBvg4RL2w", "int"),
    ("_8I6RgBydEduyofBvg4RL2w", "void"),
    ("_8heigBydEduyofBvg4RL2w", "long"),
    ("_DLNPkByeEduyofBvg4RL2w", "long double"),
    ("_K-lFQByeEduyofBvg4RL2w", "short"),
    ("_LTZesByeEduyofBvg4RL2w", "unsigned int"),
    ("_V5vyUByeEduyofBvg4RL2w", "unsigned short"),
    ("_YYWiwByeEduyofBvg4RL2w", "unsigned char"),
    ("_a1wZUByeEduyofBvg4RL2w", "unsigned long"),
    ("_vAIV4I7PEdySGvm5GN66HA", "bool"),
    ("_V3dAkOmJEeG_gcDHG3asaQ", "int16_t"),
    ("_Y3550OmJEeG_gcDHG3asaQ", "uint16_t"),
    ("_yJpD0OmJEeG_gcDHG3asaQ", "int32_t"),
    ("_1q1SoOmJEeG_gcDHG3asaQ", "uint32_t"),
    ("_6hHFEOmJEeG_gcDHG3asaQ", "int64_t"),
    ("_8kiVYOmJEeG_gcDHG3asaQ", "uint64_t"),
    ("_b1zY4OmKEeG_gcDHG3asaQ", "wchar_t"),
    ("_zL7x0OmKEeG_gcDHG3asaQ", "int8_t"),
    ("_0-8nkOmKEeG_gcDHG3asaQ", "uint8_t"),
    ("_XwBDEHDiEeS87_I7iwkr5g", "UMLRTMessage"),
    ("_GfwZUICSEeSeANT-DfY5oA", "UMLRTCapsuleId"),
    ("_6qkTMGXmEeS_4daqvwyFrg", "UMLRTTimerId"),
    ("_IWYV4G6NEeSyDdTKostG4Q", "UMLRTTimespec"),
];

/// Protocols of the run-time system by the ids that references use.
pub const SYSTEM_PROTOCOLS: &[(&str, &str)] =
    &[("_MxQZgGXsEeS_4daqvwyFrg", "Timing"), ("_6kIb0IeXEeSVyrlWP4nYew", "Log"), ("_TWVjwGtVEeSCmtGQ-V4nzg", "Frame")];

/// Events of the run-time system by the ids that references use.
pub const SYSTEM_EVENTS: &[(&str, &str)] =
    &[("_IaEO8HDxEeSwWKwNKw1iAA", "timeout"), ("_PQtAwOzeEeSRtqCWFwOf8g", "rtBound"), ("_R-s4EOzeEeSRtqCWFwOf8g", "rtUnbound")];

/// A primitive type by its name in UML.
fn primitive(name: &str) -> &str {
    match name {
        "Boolean" | "EBoolean" => "bool",
        "Integer" | "EInt" => "int",
        "Real" | "EDouble" => "double",
        "EFloat" => "float",
        "ELong" => "long",
        "EChar" => "char",
        "String" | "EString" => "char *",
        "UnlimitedNatural" => "unsigned long long",
        other => other,
    }
}

/// The name of a library element that a reference leads to.
///
/// The name is known by the id, or it stands in the fragment itself: `#Integer`, `#//Integer`, `#_id?Library/int?`.
pub fn library_name(fragment: &str) -> String {
    let (id, hint) = fragment.split_once('?').unwrap_or((fragment, ""));
    if let Some((_, name)) = BY_ID.iter().chain(SYSTEM_PROTOCOLS).chain(SYSTEM_EVENTS).find(|(known, _)| *known == id) {
        return (*name).to_owned();
    }
    let hint = hint.trim_end_matches('?');
    if !hint.is_empty() {
        return hint.rsplit('/').next().unwrap_or(hint).to_owned();
    }
    id.rsplit('/').next().unwrap_or(id).to_owned()
}

/// The type of an attribute or parameter in C++; none if it has no type.
///
/// `properties` names the stereotype that may say it differently.
pub fn cpp_type(element: El<'_, '_>, properties: &str) -> Result<Option<String>> {
    let given = element.stereotype(properties);
    let own = match element.reference("type")? {
        None => None,
        Some(Ref::Here(ty)) => match ty.name() {
            Some(name) if ty.kind() == "PrimitiveType" => Some(primitive(name).to_owned()),
            Some(name) => Some(super::names::identifier(name)),
            None => return ty.error("a type that is used must have a name"),
        },
        Some(Ref::Library { fragment, .. }) => {
            let name = library_name(&fragment);
            if name.starts_with('_') && name.len() > 20 {
                return element.error(format!("the type \"{name}\" of an unknown library is not supported"));
            }
            Some(primitive(&name).to_owned())
        }
    };
    let Some(given) = given else { return Ok(own) };
    let Some(mut ty) = given.get("type").map(|ty| ty.trim().to_owned()).or(own) else { return Ok(None) };
    if given.flag("pointsToConstType", false) || given.flag("pointsToConst", false) {
        ty = format!("const {ty}");
    }
    if given.flag("pointsToType", false) {
        ty.push_str(" *");
    }
    if given.flag("volatile", false) || given.flag("pointsToVolatileType", false) || given.flag("pointsToVolatile", false) {
        ty = format!("volatile {ty}");
    }
    Ok(Some(ty))
}

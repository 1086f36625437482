//! The renamer: makes a class refer to other classes, by its constants alone.
//!
//! Names of classes stand in class constants, in descriptors and in generic signatures. String constants may share their text with them and
//! must not change, so new texts are appended and only the constants that mean classes point to them.

use crate::bytes::{Reader, Writer};
use crate::class::{Attribute, ClassFile};
use crate::error::ClassError;
use crate::pool::Constant;

/// What a class is called instead, in internal form; `None` where it keeps its name.
pub type Renaming<'a> = dyn Fn(&str) -> Option<String> + 'a;

/// Renames the classes that a class refers to, itself included.
///
/// # Errors
/// Where the class is malformed or has too many constants.
pub fn rename(class: &mut ClassFile, renaming: &Renaming<'_>) -> Result<(), ClassError> {
    let numbers: Vec<u16> = class.pool.iter().map(|(number, _)| number).collect();
    for number in numbers {
        let Some(constant) = class.pool.get(number).cloned() else { continue };
        let renamed = match constant {
            Constant::Class(name) => name_in_class(class.pool.utf8(name)?, renaming).map(|new| (new, None)),
            Constant::MethodType(text) => in_descriptor(class.pool.utf8(text)?, renaming).map(|new| (new, None)),
            Constant::NameAndType(name, text) => in_descriptor(class.pool.utf8(text)?, renaming).map(|new| (new, Some(name))),
            _ => None,
        };
        let Some((new, name)) = renamed else { continue };
        let text = class.pool.add_utf8(&new)?;
        class.pool.put(
            number,
            match (constant, name) {
                (Constant::Class(_), _) => Constant::Class(text),
                (Constant::MethodType(_), _) => Constant::MethodType(text),
                (_, name) => Constant::NameAndType(name.expect("the third kind has one"), text),
            },
        );
    }
    let mut pool = std::mem::take(&mut class.pool);
    let mut text = |index: u16, pool: &mut crate::pool::Pool| -> Result<u16, ClassError> {
        match in_descriptor(pool.utf8(index)?, renaming) {
            Some(new) => pool.add_utf8(&new),
            None => Ok(index),
        }
    };
    for member in class.fields.iter_mut().chain(&mut class.methods) {
        member.descriptor = text(member.descriptor, &mut pool)?;
    }
    let lists = class.fields.iter_mut().chain(&mut class.methods).map(|member| &mut member.attributes);
    for attributes in lists.chain([&mut class.attributes]) {
        for attribute in attributes {
            if pool.utf8(attribute.name) == Ok("Signature") {
                signature(attribute, &mut pool, &mut text)?;
            }
        }
    }
    class.pool = pool;
    Ok(())
}

fn signature(
    attribute: &mut Attribute,
    pool: &mut crate::pool::Pool,
    text: &mut impl FnMut(u16, &mut crate::pool::Pool) -> Result<u16, ClassError>,
) -> Result<(), ClassError> {
    let index = text(Reader::new(&attribute.data).u2()?, pool)?;
    attribute.data.clear();
    attribute.data.u2(index);
    Ok(())
}

/// A class constant holds a name, or the descriptor of an array.
fn name_in_class(name: &str, renaming: &Renaming<'_>) -> Option<String> {
    if name.starts_with('[') { in_descriptor(name, renaming) } else { renaming(name) }
}

/// A descriptor or generic signature with other names; `None` where nothing changes.
///
/// The grammar is that of JVMS 4.7.9.1. Type arguments nest, but what follows a `>` is always the rest of a class type and what follows a `;`
/// always another type, so no stack is needed.
#[must_use]
pub fn in_descriptor(text: &str, renaming: &Renaming<'_>) -> Option<String> {
    let mut out = String::new();
    let mut copied = 0;
    let until = |from: usize, stops: &[char]| text[from..].find(stops).map_or(text.len(), |length| from + length);
    // In `<T:Ljava/lang/Object;U:…>` names stand where elsewhere types would; arguments of their bounds are deeper.
    let mut formal = text.starts_with('<');
    let mut depth = 0;
    let mut at = if formal { until(1, &[':']) } else { 0 };
    while at < text.len() {
        match text.as_bytes()[at] {
            b'L' => {
                let (start, end) = (at + 1, until(at + 1, &[';', '<', '.']));
                if let Some(new) = renaming(&text[start..end]) {
                    out.push_str(&text[copied..start]);
                    out.push_str(&new);
                    copied = end;
                }
                at = end;
                continue;
            }
            b'T' => at = until(at, &[';']),
            b'.' => {
                at = until(at, &[';', '<']);
                continue;
            }
            b'<' => depth += 1,
            b'>' if depth == 0 => formal = false,
            b'>' => depth -= 1,
            _ => {}
        }
        at += 1;
        let ended = text.as_bytes().get(at - 1) == Some(&b';');
        if formal && depth == 0 && ended && !matches!(text.as_bytes().get(at), Some(b':' | b'>')) {
            at = until(at, &[':']);
        }
    }
    if copied == 0 {
        return None;
    }
    out.push_str(&text[copied..]);
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_in_descriptors_and_signatures_are_found() {
        let renaming = |name: &str| name.strip_prefix("java/util/").map(|rest| format!("xj/util/{rest}"));
        for (text, expected) in [
            ("(ILjava/util/List;[Ljava/util/Map;)Lb;", Some("(ILxj/util/List;[Lxj/util/Map;)Lb;")),
            (
                "<T:Ljava/lang/Object;>Ljava/util/AbstractList<TT;>;Ljava/util/List<TT;>;",
                Some("<T:Ljava/lang/Object;>Lxj/util/AbstractList<TT;>;Lxj/util/List<TT;>;"),
            ),
            ("Ljava/util/HashMap<TK;TV;>.HashIterator;", Some("Lxj/util/HashMap<TK;TV;>.HashIterator;")),
            ("<LL:Ljava/util/X;>()V", Some("<LL:Lxj/util/X;>()V")),
            ("<A:Ljava/lang/Object;Ljava:Ljava/util/X;>()V", Some("<A:Ljava/lang/Object;Ljava:Lxj/util/X;>()V")),
            ("(IJ)V", None),
            ("TLjava;", None),
            (
                "<T::Ljava/util/A<-TT;+Ljava/util/B;*>;:Ljava/util/C;Lx:[TT;>(TT;[Ljava/util/D<[I>;)V^Ljava/util/E;",
                Some("<T::Lxj/util/A<-TT;+Lxj/util/B;*>;:Lxj/util/C;Lx:[TT;>(TT;[Lxj/util/D<[I>;)V^Lxj/util/E;"),
            ),
        ] {
            assert_eq!(in_descriptor(text, &renaming).as_deref(), expected, "{text}");
        }
    }
}

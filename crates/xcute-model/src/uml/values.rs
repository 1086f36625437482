//! Values, code and multiplicities of UML elements, as C++.

use super::document::El;
use super::names::identifier;
use crate::cpp::{Tok, joined, lex};
use crate::error::Result;
use crate::ir::{Bound, Code, Multiplicity};

/// The value of a literal or expression in C++.
pub fn value(element: El<'_, '_>) -> Result<Option<String>> {
    Ok(match element.kind() {
        "LiteralInteger" | "LiteralUnlimitedNatural" => Some(element.get("value").unwrap_or("0").to_owned()),
        "LiteralReal" => Some(element.get("value").unwrap_or("0.0").to_owned()),
        "LiteralBoolean" => Some(element.get("value").unwrap_or("false").to_owned()),
        "LiteralString" => element.get("value").map(|value| value.trim().to_owned()),
        "LiteralNull" => Some("nullptr".to_owned()),
        "InstanceValue" => element.here("instance")?.and_then(|instance| instance.name()).map(identifier),
        _ => body(element)?.map(|code| code.text.trim().to_owned()),
    }
    .filter(|value| !value.is_empty()))
}

/// The C++ of something opaque; none if there is nothing. Code in another language is refused.
pub fn body(element: El<'_, '_>) -> Result<Option<Code>> {
    let languages: Vec<String> = element.children("language").map(El::text).collect();
    let bodies: Vec<_> = element.children("body").collect();
    let is_cpp = |language: &String| matches!(language.trim().to_ascii_lowercase().as_str(), "c++" | "cpp" | "c" | "c/c++");
    if let Some(at) = languages.iter().position(is_cpp) {
        return Ok(bodies.get(at).map(|body| body.code()));
    }
    match (languages.first(), bodies.first()) {
        (_, None) => Ok(None),
        (None, Some(body)) => Ok(Some(body.code())),
        (Some(_), Some(body)) if body.text().trim().is_empty() => Ok(None),
        (Some(language), Some(_)) => element.error(format!("code in \"{language}\" is not supported, only C++")),
    }
}

/// The dimension that a multiplicity adds to a declaration.
pub fn dimension(element: El<'_, '_>) -> Result<String> {
    // Without a bound it is one object, as in the code that Papyrus-RT generates.
    if element.children("upperValue").next().map(value).transpose()?.flatten().is_some_and(|upper| is_unbounded(&upper)) {
        return Ok(String::new());
    }
    Ok(match multiplicity(element)?.upper {
        Bound::Number(1) => String::new(),
        Bound::Number(number) => format!("[{number}]"),
        Bound::Expression(text) => format!("[{text}]"),
    })
}

fn is_unbounded(bound: &str) -> bool {
    bound == "*" || bound == "-1"
}

/// The multiplicity of an element; one if it has none.
pub fn multiplicity(element: El<'_, '_>) -> Result<Multiplicity> {
    let bound = |tag: &'static str| -> Result<Option<Bound>> {
        let Some(element) = element.children(tag).next() else { return Ok(None) };
        let text = value(element)?.unwrap_or_else(|| "1".to_owned());
        if is_unbounded(&text) {
            return element.error("a multiplicity without a bound is not supported (write a number)");
        }
        let text = with_constants(element, &text)?;
        Ok(Some(text.parse().map_or(Bound::Expression(text), Bound::Number)))
    };
    Ok(Multiplicity { lower: bound("lowerValue")?, upper: bound("upperValue")?.unwrap_or(Bound::Number(1)) })
}

/// An expression with constants of the model, attributes that have a value, replaced by their values.
fn with_constants(element: El<'_, '_>, text: &str) -> Result<String> {
    let tokens = lex(text);
    let class = std::iter::successors(Some(element), |at| at.parent()).find(|at| at.kind() == "Class").and_then(|class| class.name());
    let mut out = String::new();
    let mut at = 0;
    while at < tokens.len() {
        let Some(word) = tokens[at].word() else {
            out.push_str(&joined(&tokens[at..=at]));
            at += 1;
            continue;
        };
        let (mut owner, mut name) = (class, word);
        while tokens.get(at + 1).is_some_and(|token| token.is("::"))
            && let Some(next) = tokens.get(at + 2).and_then(Tok::word)
        {
            (owner, name) = (Some(name), next);
            at += 2;
        }
        let found = owner.and_then(|owner| element.attribute_of(owner, name)).and_then(|property| property.children("defaultValue").next());
        match found.map(value).transpose()?.flatten() {
            Some(value) => out.push_str(&value),
            None => return Ok(text.to_owned()),
        }
        at += 1;
    }
    Ok(out)
}

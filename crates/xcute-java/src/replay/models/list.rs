//! Which methods are modelled.

use xcute_classfile::Kind;

use super::bits::BitModel;
use super::builder::BuilderModel;
use super::chars::CharModel;
use super::exact::ExactModel;
use super::math::MathModel;
use super::numbers::NumberModel;
use super::strings::TextModel;
use crate::inputs::candidate::BOXES;

/// A method that is modelled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Model {
    /// It neither decides anything by what it gets nor gives it to others: constructors of exceptions, `getClass`.
    Harmless,
    /// It writes what it gets where nobody reads it.
    Output,
    /// Boxes a value.
    Box(Kind),
    /// Gives back what a box of the first kind holds as the second.
    Unbox(Kind, Kind),
    /// Compares two boxes for equality.
    BoxEquals(Kind),
    /// The hash code of a box.
    BoxHash(Kind),
    /// Which of two boxes holds more.
    BoxCompare(Kind),
    /// Which of two values is more.
    Compare(Kind),
    /// The hash code of a value.
    Hash(Kind),
    /// A function on numbers.
    Math(MathModel, Kind),
    /// Arithmetic that throws where the result does not fit, or the divisor is zero.
    Exact(ExactModel),
    /// A method of `String`.
    Text(TextModel),
    /// A method of `StringBuilder` and `StringBuffer`.
    Builder(BuilderModel),
    /// From numbers to strings and back.
    Number(NumberModel),
    /// A property of characters.
    Char(CharModel),
    /// Makes a string out of what it gets, in a way that is not computed.
    Opaque,
    /// A function on the bits of a number of a kind.
    Bits(BitModel, Kind),
    /// `System.arraycopy`.
    Copy,
    /// `clone` of an array.
    Clone,
    /// The number of an enum constant.
    Ordinal,
    /// Makes an object that holds what it gets.
    Hold,
    /// Gives back what an object holds.
    Held,
}

/// The model of a method, by the class that declares it. `exception`: the class is one of exceptions; `prints`: output goes nowhere else.
pub(crate) fn find(class: &str, name: &str, descriptor: &str, exception: bool, prints: bool) -> Option<Model> {
    if exception && matches!(name, "<init>" | "getMessage" | "getCause" | "initCause" | "addSuppressed" | "fillInStackTrace") {
        return Some(Model::Harmless);
    }
    if let Some(&(_, kind)) = BOXES.iter().find(|b| b.0 == class) {
        return of_box(kind, name, descriptor);
    }
    match (class, name, descriptor) {
        ("java/lang/Object", "<init>" | "getClass", _) | ("java/lang/Enum" | "java/lang/Record", "<init>", _) => Some(Model::Harmless),
        ("java/lang/Object", "clone", _) => Some(Model::Clone),
        ("java/lang/Enum", "ordinal", _) => Some(Model::Ordinal),
        ("java/lang/System", "arraycopy", _) => Some(Model::Copy),
        ("java/util/Optional" | "java/util/OptionalDouble" | "java/util/OptionalInt" | "java/util/OptionalLong", ..) => match name {
            "of" | "ofNullable" => Some(Model::Hold),
            "get" | "getAsDouble" | "getAsInt" | "getAsLong" => Some(Model::Held),
            "empty" | "isEmpty" | "isPresent" => Some(Model::Harmless),
            _ => None,
        },
        ("java/lang/String", "format" | "formatted", _) => Some(Model::Opaque),
        ("java/lang/String", ..) => {
            TextModel::find(name, descriptor).map(Model::Text).or_else(|| NumberModel::of_string(name, descriptor).map(Model::Number))
        }
        ("java/lang/StringBuilder" | "java/lang/StringBuffer" | "java/lang/AbstractStringBuilder", ..) => {
            BuilderModel::find(name, descriptor).map(Model::Builder)
        }
        ("java/lang/Math" | "java/lang/StrictMath", ..) => {
            ExactModel::find(name, descriptor).map(Model::Exact).or_else(|| MathModel::find(name, descriptor).map(of_math))
        }
        ("java/io/PrintStream", "print" | "println" | "printf" | "format" | "append" | "write" | "flush", _) if prints => {
            Some(Model::Output)
        }
        _ => None,
    }
}

fn of_box(kind: Kind, name: &str, descriptor: &str) -> Option<Model> {
    let letter = kind.letter();
    let unboxed = match name {
        "booleanValue" => Some(Kind::Boolean),
        "byteValue" => Some(Kind::Byte),
        "charValue" => Some(Kind::Char),
        "shortValue" => Some(Kind::Short),
        "intValue" => Some(Kind::Int),
        "longValue" => Some(Kind::Long),
        "floatValue" => Some(Kind::Float),
        "doubleValue" => Some(Kind::Double),
        _ => None,
    };
    if let Some(to) = unboxed.filter(|_| descriptor.starts_with("()")) {
        return Some(Model::Unbox(kind, to));
    }
    let two = format!("({letter}{letter})I");
    match name {
        "valueOf" if descriptor.starts_with(&format!("({letter})L")) => Some(Model::Box(kind)),
        "equals" => Some(Model::BoxEquals(kind)),
        "hashCode" if descriptor == "()I" => Some(Model::BoxHash(kind)),
        "hashCode" => Some(Model::Hash(kind)),
        "compareTo" => Some(Model::BoxCompare(kind)),
        "compare" if descriptor == two => Some(Model::Compare(kind)),
        _ => NumberModel::find(kind, name, descriptor)
            .map(Model::Number)
            .or_else(|| CharModel::find(kind, name, descriptor).map(Model::Char))
            .or_else(|| MathModel::of_box(kind, name, descriptor).map(of_math))
            .or_else(|| BitModel::find(kind, name, descriptor).map(|of| Model::Bits(of, kind))),
    }
}

fn of_math((function, kind): (MathModel, Kind)) -> Model {
    Model::Math(function, kind)
}

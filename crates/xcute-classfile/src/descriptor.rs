//! Descriptors: the types of fields and methods as class files write them (`(I[JLjava/lang/String;)V`).

use crate::error::ClassError;

/// A type of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// `boolean`, in its 8 bits 0 or 1.
    Boolean,
    /// `byte`.
    Byte,
    /// `char`.
    Char,
    /// `short`.
    Short,
    /// `int`.
    Int,
    /// `long`.
    Long,
    /// `float`.
    Float,
    /// `double`.
    Double,
    /// A class, an interface, an array.
    Reference,
}

impl Kind {
    /// The kind of the type that a descriptor begins with; `None` for `V` and nonsense.
    #[must_use]
    pub fn of(descriptor: &str) -> Option<Kind> {
        Some(match descriptor.as_bytes().first()? {
            b'Z' => Kind::Boolean,
            b'B' => Kind::Byte,
            b'C' => Kind::Char,
            b'S' => Kind::Short,
            b'I' => Kind::Int,
            b'J' => Kind::Long,
            b'F' => Kind::Float,
            b'D' => Kind::Double,
            b'L' | b'[' => Kind::Reference,
            _ => return None,
        })
    }

    /// How many places a value takes among locals and on the stack.
    #[must_use]
    pub fn places(self) -> usize {
        if matches!(self, Kind::Long | Kind::Double) { 2 } else { 1 }
    }

    /// How many bits a value has; 32 for references.
    #[must_use]
    pub fn bits(self) -> u32 {
        match self {
            Kind::Boolean => 1,
            Kind::Byte => 8,
            Kind::Char | Kind::Short => 16,
            Kind::Int | Kind::Float | Kind::Reference => 32,
            Kind::Long | Kind::Double => 64,
        }
    }

    /// The kind of the elements of `newarray` with this operand.
    #[must_use]
    pub fn of_newarray(code: i32) -> Option<Kind> {
        let kinds = [Kind::Boolean, Kind::Char, Kind::Float, Kind::Double, Kind::Byte, Kind::Short, Kind::Int, Kind::Long];
        usize::try_from(code - 4).ok().and_then(|index| kinds.get(index)).copied()
    }

    /// The letter of a primitive type; `L` for references.
    #[must_use]
    pub fn letter(self) -> char {
        match self {
            Kind::Boolean => 'Z',
            Kind::Byte => 'B',
            Kind::Char => 'C',
            Kind::Short => 'S',
            Kind::Int => 'I',
            Kind::Long => 'J',
            Kind::Float => 'F',
            Kind::Double => 'D',
            Kind::Reference => 'L',
        }
    }
}

/// The parts of a method's descriptor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signature<'a> {
    /// The descriptors of the parameters.
    pub parameters: Vec<&'a str>,
    /// The descriptor of the result; `V` for none.
    pub result: &'a str,
}

impl<'a> Signature<'a> {
    /// Takes a method's descriptor apart.
    ///
    /// # Errors
    /// Where it is not one.
    pub fn parse(descriptor: &'a str) -> Result<Signature<'a>, ClassError> {
        let wrong = || ClassError::Descriptor(descriptor.to_owned());
        let (inside, result) = descriptor.strip_prefix('(').and_then(|rest| rest.rsplit_once(')')).ok_or_else(wrong)?;
        let mut parameters = Vec::new();
        let mut rest = inside;
        while !rest.is_empty() {
            let length = length(rest).ok_or_else(wrong)?;
            parameters.push(&rest[..length]);
            rest = &rest[length..];
        }
        if result != "V" && length(result) != Some(result.len()) {
            return Err(wrong());
        }
        Ok(Signature { parameters, result })
    }

    /// The kinds of the parameters.
    pub fn kinds(&self) -> impl Iterator<Item = Kind> {
        self.parameters.iter().map(|parameter| Kind::of(parameter).expect("parsed"))
    }

    /// How many places the parameters take, the receiver not counted.
    #[must_use]
    pub fn places(&self) -> usize {
        self.kinds().map(Kind::places).sum()
    }
}

/// How long the type at the start of `text` is.
#[must_use]
pub fn length(text: &str) -> Option<usize> {
    let dimensions = text.bytes().take_while(|&b| b == b'[').count();
    match text.as_bytes().get(dimensions)? {
        b'L' => text[dimensions..].find(';').map(|end| dimensions + end + 1),
        b'Z' | b'B' | b'C' | b'S' | b'I' | b'J' | b'F' | b'D' => Some(dimensions + 1),
        _ => None,
    }
}

/// The class that a field descriptor names (`Ljava/lang/String;`), in internal form; arrays are their own name. `None` for primitive types.
#[must_use]
pub fn class_of(descriptor: &str) -> Option<&str> {
    match descriptor.as_bytes().first()? {
        b'[' => Some(descriptor),
        b'L' => descriptor[1..].strip_suffix(';'),
        _ => None,
    }
}

/// The field descriptor of a class in internal form.
#[must_use]
pub fn descriptor_of(class: &str) -> String {
    if class.starts_with('[') { class.to_owned() } else { format!("L{class};") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn descriptors_are_taken_apart() {
        let signature = Signature::parse("(I[JLjava/lang/String;[[La;D)Lb;").unwrap();
        assert_eq!(signature.parameters, ["I", "[J", "Ljava/lang/String;", "[[La;", "D"]);
        assert_eq!((signature.result, signature.places()), ("Lb;", 6));
        assert_eq!(Signature::parse("()V").unwrap().parameters.len(), 0);
        for wrong in ["", "()", "(L)V", "(V)V", "I", "(I)Lx", "([)V"] {
            assert_eq!(Signature::parse(wrong).unwrap_err().to_string(), format!("`{wrong}` is not a descriptor"));
        }
    }

    #[test]
    fn classes_and_descriptors_are_each_other() {
        for class in ["a/B", "[I", "[[Lx;"] {
            assert_eq!(class_of(&descriptor_of(class)), Some(class));
        }
        assert_eq!(class_of("J"), None);
    }
}

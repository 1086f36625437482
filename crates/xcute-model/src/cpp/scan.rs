//! Finds declarations of types in the tokens of a C++ text.
//!
//! **Invariant.** A structure is known only if all its data members are: public, no bases, no bit-fields, nothing that looks like
//! anything else. An unknown type is opaque, never half known.

use super::types::{Declared, Field, Types};
use super::{Tok, joined, lex};

impl Types {
    /// Adds the declarations of a text.
    pub fn add(&mut self, text: &str) {
        let tokens = lex(text);
        Scanner::new(&tokens, self).all();
    }
}

struct Scanner<'a, 't> {
    tokens: &'a [Tok<'a>],
    at: usize,
    types: &'t mut Types,
}

impl<'a, 't> Scanner<'a, 't> {
    fn new(tokens: &'a [Tok<'a>], types: &'t mut Types) -> Scanner<'a, 't> {
        Scanner { tokens, at: 0, types }
    }

    /// All declarations.
    fn all(&mut self) {
        while self.peek().is_some() {
            self.scope("", false);
            // A brace without its partner.
            self.at += 1;
        }
    }

    fn peek(&self) -> Option<Tok<'a>> {
        self.tokens.get(self.at).copied()
    }

    fn is(&self, text: &str) -> bool {
        self.peek().is_some_and(|token| token.is(text))
    }

    fn accept(&mut self, text: &str) -> bool {
        let there = self.is(text);
        self.at += usize::from(there);
        there
    }

    /// Passes over a bracketed group, if there is one.
    fn group(&mut self, open: &str, close: &str) {
        if !self.is(open) {
            return;
        }
        let mut depth = 0;
        while let Some(token) = self.peek() {
            self.at += 1;
            depth += i32::from(token.is(open)) - i32::from(token.is(close));
            if depth == 0 {
                return;
            }
        }
    }

    fn attributes(&mut self) {
        while self.is("[") && self.tokens.get(self.at + 1).is_some_and(|token| token.is("[")) {
            self.group("[", "]");
        }
        while self.is("alignas") || self.is("__attribute__") {
            self.at += 1;
            self.group("(", ")");
        }
    }

    /// Declarations up to the end of a scope.
    fn scope(&mut self, path: &str, braced: bool) {
        while let Some(token) = self.peek() {
            if braced && self.accept("}") {
                return;
            }
            match token.word() {
                Some("namespace") => {
                    self.at += 1;
                    let name = self.peek().and_then(|token| token.word()).unwrap_or("");
                    self.at += usize::from(!name.is_empty());
                    if self.accept("{") {
                        self.scope(&join(path, name), true);
                    }
                }
                Some("struct" | "class") => self.structure(path, token.is("class")),
                Some("enum") => self.enumeration(path),
                Some("typedef") => {
                    self.at += 1;
                    self.typedef(path);
                }
                Some("using") => {
                    self.at += 1;
                    self.alias(path);
                }
                Some("template") => {
                    self.at += 1;
                    self.group("<", ">");
                    self.skip();
                }
                _ if self.is("}") => return,
                _ => self.skip(),
            }
        }
    }

    /// Passes over a declaration that is of no interest.
    fn skip(&mut self) {
        while let Some(token) = self.peek() {
            if token.is("{") {
                self.group("{", "}");
                self.accept(";");
                return;
            }
            if token.is("(") {
                self.group("(", ")");
                continue;
            }
            if token.is("}") {
                return;
            }
            self.at += 1;
            if token.is(";") {
                return;
            }
        }
    }

    fn structure(&mut self, path: &str, private: bool) {
        self.at += 1;
        self.attributes();
        let Some(name) = self.peek().and_then(|token| token.word()) else { return self.skip() };
        self.at += 1;
        self.attributes();
        self.accept("final");
        let full = join(path, name);
        if self.is(":") || !self.is("{") {
            // A base, a forward declaration, or a declaration that only begins with the word.
            if self.is(":") {
                self.types.declare(full, Declared::Opaque);
            }
            return self.skip();
        }
        self.at += 1;
        let declared = self.fields(&full, private).map_or(Declared::Opaque, Declared::Struct);
        // Whatever declarators follow the brace are not types.
        while self.peek().is_some() && !self.accept(";") {
            self.at += 1;
        }
        self.types.declare(full, declared);
    }

    /// The data members up to the closing brace; none if something is not understood.
    fn fields(&mut self, path: &str, mut private: bool) -> Option<Vec<Field>> {
        let mut fields = Some(Vec::new());
        loop {
            let token = self.peek()?;
            if self.accept("}") {
                return fields;
            }
            let next_colon = self.tokens.get(self.at + 1).is_some_and(|token| token.is(":"));
            match token.word() {
                Some(label @ ("public" | "private" | "protected")) if next_colon => {
                    self.at += 2;
                    private = label != "public";
                }
                Some("struct" | "class") if self.is_nested() => self.structure(path, token.is("class")),
                Some("enum") => self.enumeration(path),
                Some("using") => {
                    self.at += 1;
                    self.alias(path);
                }
                Some("typedef") => {
                    self.at += 1;
                    self.typedef(path);
                }
                Some("static" | "friend" | "template" | "constexpr") => self.skip(),
                _ => match self.member() {
                    Member::Fields(_) if private => fields = None,
                    Member::Fields(found) => {
                        let found: Vec<_> = found.into_iter().map(|field| self.qualified(path, field)).collect();
                        fields = fields.map(|fields| [fields, found].concat());
                    }
                    Member::Function => {}
                    Member::Unknown => fields = None,
                },
            }
        }
    }

    /// A field whose type may be nested in the same structure.
    fn qualified(&self, path: &str, field: Field) -> Field {
        let (base, dimensions) = field.ty.split_at(field.ty.find('[').unwrap_or(field.ty.len()));
        let nested = join(path, base);
        if self.types.is_declared(&nested) { Field { ty: format!("{nested}{dimensions}"), ..field } } else { field }
    }

    /// Whether a nested type is defined here, not a member of such a type declared.
    fn is_nested(&self) -> bool {
        let after = self.tokens[self.at..].iter().find(|token| token.is("{") || token.is(";") || token.is("="));
        after.is_some_and(|token| token.is("{"))
    }

    fn member(&mut self) -> Member {
        let start = self.at;
        let mut end = start;
        let mut initialised = false;
        while let Some(token) = self.peek() {
            if token.is("(") && !initialised {
                self.skip();
                return Member::Function;
            }
            if token.is(";") {
                end = self.at;
                self.at += 1;
                break;
            }
            if token.is("}") {
                break;
            }
            if token.is("=") {
                initialised = true;
            }
            if token.is("{") {
                self.group("{", "}");
            } else {
                self.at += 1;
            }
            end = self.at;
        }
        declarators(&self.tokens[start..end]).map_or(Member::Unknown, Member::Fields)
    }

    fn enumeration(&mut self, path: &str) {
        self.at += 1;
        let scoped = self.accept("class") || self.accept("struct");
        self.attributes();
        let Some(name) = self.peek().and_then(|token| token.word()) else { return self.skip() };
        self.at += 1;
        while self.peek().is_some() && !self.is("{") && !self.is(";") {
            self.at += 1;
        }
        if !self.accept("{") {
            return self.skip();
        }
        let full = join(path, name);
        let mut literals = Vec::new();
        while let Some(token) = self.peek() {
            if self.accept("}") {
                break;
            }
            if let Some(literal) = token.word() {
                literals.push(if scoped { join(&full, literal) } else { join(path, literal) });
            }
            while self.peek().is_some() && !self.is("}") && !self.accept(",") {
                self.at += 1;
            }
        }
        while self.peek().is_some() && !self.accept(";") {
            self.at += 1;
        }
        self.types.declare(full, Declared::Enum(literals));
    }

    /// `TYPE NAME;` after `typedef`, where the type may be a structure or enumeration without a name.
    fn typedef(&mut self, path: &str) {
        let opens = |offset: usize| self.tokens.get(self.at + offset).is_some_and(|token| token.is("{"));
        let is_struct = self.is("struct") || self.is("class");
        if (is_struct || self.is("enum")) && (opens(1) || opens(2)) {
            self.at += if opens(1) { 2 } else { 3 };
            let declared = if is_struct {
                self.fields(path, false).map_or(Declared::Opaque, Declared::Struct)
            } else {
                let mut literals = Vec::new();
                while let Some(token) = self.peek() {
                    self.at += 1;
                    if token.is("}") {
                        break;
                    }
                    literals.extend(token.word().map(|literal| join(path, literal)));
                    while self.peek().is_some() && !self.is("}") && !self.accept(",") {
                        self.at += 1;
                    }
                }
                Declared::Enum(literals)
            };
            if let Some(name) = self.peek().and_then(|token| token.word()) {
                self.types.declare(join(path, name), declared);
            }
            return self.skip();
        }
        let start = self.at;
        while self.peek().is_some_and(|token| !token.is(";")) {
            self.at += 1;
        }
        // Attributes of Art's code generator may stand before the name.
        let tokens: Vec<_> = without_attributes(&self.tokens[start..self.at]);
        self.accept(";");
        if let Some(mut fields) = declarators(&tokens)
            && let Some(field) = fields.pop()
        {
            self.types.declare(join(path, &field.name), Declared::Alias(field.ty));
        }
    }

    /// `NAME = TYPE;` after `using`.
    fn alias(&mut self, path: &str) {
        let name = self.peek().and_then(|token| token.word());
        self.at += 1;
        self.attributes();
        let (Some(name), true) = (name, self.accept("=")) else { return self.skip() };
        let start = self.at;
        while self.peek().is_some_and(|token| !token.is(";")) {
            self.at += 1;
        }
        let ty = joined(&self.tokens[start..self.at]);
        self.accept(";");
        self.types.declare(join(path, name), Declared::Alias(ty));
    }
}

enum Member {
    Fields(Vec<Field>),
    Function,
    Unknown,
}

fn without_attributes<'a>(tokens: &[Tok<'a>]) -> Vec<Tok<'a>> {
    let mut kept: Vec<Tok<'a>> = Vec::new();
    let mut depth = 0;
    for (at, token) in tokens.iter().enumerate() {
        let opens = token.is("[") && tokens.get(at + 1).is_some_and(|next| next.is("["));
        if opens || depth > 0 {
            depth += i32::from(token.is("[")) - i32::from(token.is("]"));
            continue;
        }
        kept.push(*token);
    }
    kept
}

/// `TYPE a, *b, c[3] = …`; none if it is something else.
fn declarators(tokens: &[Tok<'_>]) -> Option<Vec<Field>> {
    let mut parts: Vec<&[Tok<'_>]> = Vec::new();
    let (mut depth, mut start) = (0, 0);
    for (at, token) in tokens.iter().enumerate() {
        let opens = ["<", "[", "{", "("].iter().any(|mark| token.is(mark));
        let closes = [">", "]", "}", ")"].iter().any(|mark| token.is(mark));
        depth += i32::from(opens) - i32::from(closes);
        if depth == 0 && token.is(",") {
            parts.push(&tokens[start..at]);
            start = at + 1;
        }
    }
    parts.push(&tokens[start..]);
    let mut fields = Vec::new();
    let mut base: Vec<Tok<'_>> = Vec::new();
    for (number, part) in parts.into_iter().enumerate() {
        let end = part.iter().position(|token| token.is("=") || token.is("{")).unwrap_or(part.len());
        let part = &part[..end];
        // A colon outside of brackets is a bit-field.
        if part.iter().any(|token| token.is(":") || token.is("(") || token.is("operator")) {
            return None;
        }
        let bracket = part.iter().position(|token| token.is("[")).unwrap_or(part.len());
        let name = part[..bracket].last()?.word()?;
        let before = &part[..bracket - 1];
        let own: &[Tok<'_>] = if number == 0 {
            let stars = before.iter().rev().take_while(|token| token.is("*") || token.is("&")).count();
            base = before[..before.len() - stars].iter().filter(|token| !token.is("mutable")).copied().collect();
            &before[before.len() - stars..]
        } else {
            before
        };
        if base.is_empty() {
            return None;
        }
        let ty = format!("{}{}{}", joined(&base), joined(own), joined(&part[bracket..]));
        fields.push(Field { name: name.to_owned(), ty });
    }
    Some(fields)
}

fn join(path: &str, name: &str) -> String {
    if path.is_empty() { name.to_owned() } else { format!("{path}::{name}") }
}

#[cfg(test)]
mod tests {
    use super::super::Shape;
    use super::*;

    fn types(text: &str) -> Types {
        let mut types = Types::default();
        types.add(text);
        types
    }

    fn fields(text: &str, ty: &str) -> String {
        match types(text).shape(ty) {
            Shape::Struct { fields, .. } => fields.iter().map(|f| format!("{}: {}", f.name, f.ty)).collect::<Vec<_>>().join(", "),
            other => format!("{other:?}"),
        }
    }

    #[test]
    fn structures() {
        assert_eq!(fields("struct P { int x; unsigned long y = 3, z; };", "P"), "x: int, y: unsigned long, z: unsigned long");
        assert_eq!(
            fields("struct [[rt::auto_descriptor]] P { char a[4][2], *b; std::string s{}; };", "P"),
            "a: char[4][2], b: char*, s: std::string"
        );
        assert_eq!(fields("typedef struct { bool b; } P;", "P"), "b: bool");
        assert_eq!(fields("typedef struct Q_ { bool b; } Q; typedef Q P;", "P"), "b: bool");
        assert_eq!(fields("namespace a { struct P { int f() { return 1; } P(); ~P(); static int n; int x; }; }", "a::P"), "x: int");
        assert_eq!(fields("class P { public: int x; };", "const P"), "x: int");
        assert_eq!(fields("struct P { enum K { A }; K k; struct I { int i; } ; I j; };", "P"), "k: P::K, j: P::I");
    }

    #[test]
    fn what_is_not_plain_is_opaque() {
        for text in [
            "class P { int x; };",
            "struct P : Q { int x; };",
            "struct P { int x : 3; };",
            "template <class T> struct P { T t; };",
            "struct P;",
        ] {
            assert_eq!(types(text).shape("P"), Shape::Opaque, "{text}");
        }
        for ty in ["int *", "std::vector<int>", "Unknown", "char **", "int &"] {
            assert_eq!(types("").shape(ty), Shape::Opaque, "{ty}");
        }
    }

    #[test]
    fn enumerations_and_aliases() {
        let all = types("enum class C : char { Red = 1, Green }; enum E { A, B = f(2, 3), D }; using T = E; typedef int [[x::y]] N[3];");
        assert_eq!(all.shape("C"), Shape::Enum { name: "C".into(), literals: vec!["C::Red".into(), "C::Green".into()] });
        assert_eq!(all.shape("T"), Shape::Enum { name: "E".into(), literals: vec!["A".into(), "B".into(), "D".into()] });
        assert_eq!(all.shape("N"), Shape::Array { element: "int".into(), count: "3".into() });
        assert_eq!(all.known().collect::<Vec<_>>(), ["C", "E"]);
    }

    #[test]
    fn numbers_and_texts() {
        let none = Types::default();
        for (ty, shape) in [
            ("int", Shape::Integer { bits: 32, signed: true }),
            ("unsigned char", Shape::Integer { bits: 8, signed: false }),
            ("const long long int", Shape::Integer { bits: 64, signed: true }),
            ("uint16_t", Shape::Integer { bits: 16, signed: false }),
            ("double", Shape::Float(64)),
            ("const char *", Shape::Text),
            ("std::string", Shape::Text),
            ("bool", Shape::Bool),
        ] {
            assert_eq!(none.shape(ty), shape, "{ty}");
        }
    }

    #[test]
    fn recursion_of_aliases_ends() {
        assert_eq!(types("typedef B A; typedef A B;").shape("A"), Shape::Opaque);
    }
}

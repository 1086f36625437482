//! A small C: its grammar. `read()` gives any int, `bug()` fails, `ext(e)` is code that is not followed and gives `2 * e`.
//! `byte1(e)` is the second lowest byte of an int, `poke1(e, b)` the int with that byte replaced; the same for 0.

/// Expressions as they are written.
#[derive(Clone, Debug)]
pub enum Ast {
    Num(i32),
    Name(String),
    Index(Box<Ast>, Box<Ast>),
    Deref(Box<Ast>),
    AddressOf(String),
    Call(String, Vec<Ast>),
    Binary(&'static str, Box<Ast>, Box<Ast>),
}

#[derive(Clone, Debug)]
pub enum Stmt {
    /// Name, number of elements (arrays), initial value.
    Declare(String, Option<u32>, Option<Ast>),
    Assign(Ast, Ast),
    Eval(Ast),
    If(Ast, Vec<Stmt>, Vec<Stmt>),
    While(Ast, Vec<Stmt>),
    /// The n-th block for the value n, the last for all others.
    Switch(Ast, Vec<Vec<Stmt>>),
    Return(Ast),
    Assume(Ast),
    Bug,
}

#[derive(Clone, Debug, Default)]
pub struct Function {
    pub name: String,
    pub parameters: Vec<String>,
    pub body: Vec<Stmt>,
}

/// Globals and functions; `main` comes last.
#[derive(Clone, Debug, Default)]
pub struct Source {
    pub globals: Vec<(String, Option<u32>)>,
    pub functions: Vec<Function>,
}

pub struct Parser {
    tokens: Vec<String>,
    at: usize,
}

/// Parses globals and functions, and the body of `main`.
pub fn parse(outside: &str, main: &str) -> Source {
    let mut parser = Parser { tokens: tokens(outside), at: 0 };
    let mut source = Source::default();
    while parser.at < parser.tokens.len() {
        parser.expect("int");
        let name = parser.next();
        if parser.eat("(") {
            let mut function = Function { name, ..Function::default() };
            while !parser.eat(")") {
                parser.expect("int");
                function.parameters.push(parser.next());
                parser.eat(",");
            }
            function.body = parser.block();
            source.functions.push(function);
            continue;
        }
        let mut name = name;
        loop {
            let size = parser.size();
            source.globals.push((name, size));
            if parser.eat(";") {
                break;
            }
            parser.expect(",");
            name = parser.next();
        }
    }
    let mut parser = Parser { tokens: tokens(&format!("{{{main}}}")), at: 0 };
    source.functions.push(Function { name: "main".to_owned(), parameters: Vec::new(), body: parser.block() });
    source
}

fn tokens(text: &str) -> Vec<String> {
    let mut tokens: Vec<String> = Vec::new();
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        if c.is_whitespace() {
            continue;
        }
        let mut token = c.to_string();
        let word = |c: char| c.is_alphanumeric() || c == '_';
        while let Some(&next) = chars.peek() {
            let joined = (word(c) && word(next)) || (next == '=' && matches!(token.as_str(), "=" | "!" | "<" | ">"));
            if !joined {
                break;
            }
            token.push(next);
            chars.next();
        }
        tokens.push(token);
    }
    tokens
}

impl Parser {
    fn peek(&self) -> &str {
        self.tokens.get(self.at).map_or("", String::as_str)
    }

    fn next(&mut self) -> String {
        self.at += 1;
        self.tokens[self.at - 1].clone()
    }

    fn eat(&mut self, token: &str) -> bool {
        let there = self.peek() == token;
        self.at += usize::from(there);
        there
    }

    fn expect(&mut self, token: &str) {
        assert!(self.eat(token), "{token} expected, not {} at {:?}", self.peek(), &self.tokens[self.at.saturating_sub(5)..self.at]);
    }

    fn size(&mut self) -> Option<u32> {
        let size = self.eat("[").then(|| self.next().parse().expect("a number"));
        if size.is_some() {
            self.expect("]");
        }
        size
    }

    fn block(&mut self) -> Vec<Stmt> {
        if !self.eat("{") {
            return self.statement();
        }
        let mut all = Vec::new();
        while !self.eat("}") {
            all.extend(self.statement());
        }
        all
    }

    fn condition(&mut self) -> Ast {
        self.expect("(");
        let condition = self.expression();
        self.expect(")");
        condition
    }

    fn statement(&mut self) -> Vec<Stmt> {
        if self.peek() == "{" {
            return self.block();
        }
        if self.eat("int") {
            let mut all = Vec::new();
            loop {
                self.eat("*");
                let name = self.next();
                let size = self.size();
                let value = self.eat("=").then(|| self.expression());
                all.push(Stmt::Declare(name, size, value));
                if self.eat(";") {
                    return all;
                }
                self.expect(",");
            }
        }
        if self.eat("if") {
            let condition = self.condition();
            let yes = self.block();
            let no = if self.eat("else") { self.block() } else { Vec::new() };
            return vec![Stmt::If(condition, yes, no)];
        }
        if self.eat("while") {
            let condition = self.condition();
            return vec![Stmt::While(condition, self.block())];
        }
        if self.eat("switch") {
            let value = self.condition();
            let mut blocks = Vec::new();
            self.expect("{");
            while !self.eat("}") {
                blocks.push(self.block());
            }
            return vec![Stmt::Switch(value, blocks)];
        }
        let statement = if self.eat("return") {
            Stmt::Return(self.expression())
        } else if self.eat("assume") {
            Stmt::Assume(self.condition())
        } else if self.eat("bug") {
            self.expect("(");
            self.expect(")");
            Stmt::Bug
        } else {
            let left = self.expression();
            if self.eat("=") { Stmt::Assign(left, self.expression()) } else { Stmt::Eval(left) }
        };
        self.expect(";");
        vec![statement]
    }

    fn expression(&mut self) -> Ast {
        self.binary(0)
    }

    fn binary(&mut self, level: usize) -> Ast {
        const LEVELS: [&[&str]; 4] = [&["==", "!="], &["<", "<=", ">", ">="], &["+", "-"], &["*"]];
        let Some(operators) = LEVELS.get(level) else { return self.primary() };
        let mut left = self.binary(level + 1);
        while let Some(operator) = operators.iter().find(|operator| self.peek() == **operator) {
            self.at += 1;
            left = Ast::Binary(operator, Box::new(left), Box::new(self.binary(level + 1)));
        }
        left
    }

    fn primary(&mut self) -> Ast {
        let token = self.next();
        match token.as_str() {
            "(" => {
                let inner = self.expression();
                self.expect(")");
                inner
            }
            "-" => Ast::Binary("-", Box::new(Ast::Num(0)), Box::new(self.primary())),
            "*" => Ast::Deref(Box::new(self.primary())),
            "&" => Ast::AddressOf(self.next()),
            _ if token.starts_with(|c: char| c.is_ascii_digit()) => Ast::Num(token.parse().expect("a number")),
            _ if self.eat("[") => {
                let index = self.expression();
                self.expect("]");
                Ast::Index(Box::new(Ast::Name(token)), Box::new(index))
            }
            _ if self.eat("(") => {
                let mut arguments = Vec::new();
                while !self.eat(")") {
                    arguments.push(self.expression());
                    self.eat(",");
                }
                Ast::Call(token, arguments)
            }
            _ => Ast::Name(token),
        }
    }
}

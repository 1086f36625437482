//! The operator precedence parser, without recursion.
//!
//! Two stacks, operators at the side and operands out, after Dijkstra's shunting yard; brackets open a frame on a third. Where the standard
//! leaves a choice (a prefix operator as an atom, an infix one as postfix) SWI-Prolog's is taken: an operator becomes an atom when
//! what follows cannot be its argument. As there, arguments may have any priority: `f(a :- b)` is a term.
//!
//! **Invariant.** `side[frame.side..]` and `out[frame.out..]` belong to the frame on top; when a frame is closed its operators are all reduced to
//! one operand.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::error::Problem;
use super::lexer::{Lexer, Located};
use super::token::{Placed, Token};
use super::{Arena, Atom, Atoms, Fixity, Flags, Operator, Operators, Term, TermRef, TextFlag, quoting};

/// What the parser needs of the program read so far.
pub(super) struct Context<'a> {
    pub atoms: &'a mut Atoms,
    pub operators: &'a Operators,
    pub flags: Flags,
}

/// A term as it was read.
#[derive(Debug)]
pub(super) struct Parsed {
    pub terms: Arena,
    pub root: TermRef,
    pub variables: Vec<Option<Arc<str>>>,
    pub start: u32,
    pub end: u32,
}

/// Above all priorities: nothing may be left over.
const ALL: u16 = 1201;

#[derive(Clone, Copy)]
struct Side {
    atom: Atom,
    operator: Operator,
    start: u32,
    end: u32,
}

#[derive(Clone, Copy)]
struct Out {
    term: TermRef,
    priority: u16,
    start: u32,
    end: u32,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Open {
    Sentence,
    Group,
    Arguments(Atom),
    List,
    Tail,
    Braces,
}

#[derive(Clone, Copy)]
struct Frame {
    open: Open,
    start: u32,
    /// Where its bracket is.
    bracket: u32,
    side: usize,
    out: usize,
    /// Where the finished arguments or elements begin.
    done: usize,
    /// Whether an operand stands last, so that an operator must follow.
    operand: bool,
}

struct Parser<'a, 'c, 't> {
    lexer: &'a mut Lexer<'t>,
    context: &'a mut Context<'c>,
    terms: Arena,
    variables: Vec<Option<Arc<str>>>,
    numbers: FxHashMap<&'t str, u32>,
    side: Vec<Side>,
    out: Vec<Out>,
    done: Vec<TermRef>,
    frames: Vec<Frame>,
    frame: Frame,
}

/// Reads one term and its full stop; `None` at the end of the text.
pub(super) fn read<'t>(lexer: &mut Lexer<'t>, context: &mut Context<'_>) -> Result<Option<Parsed>, Located> {
    let first = lexer.next(context.atoms, false)?;
    if first.token == Token::EndOfFile {
        return Ok(None);
    }
    let mut parser = Parser {
        lexer,
        context,
        terms: Arena::default(),
        variables: Vec::new(),
        numbers: FxHashMap::default(),
        side: Vec::new(),
        out: Vec::new(),
        done: Vec::new(),
        frames: Vec::new(),
        frame: Frame { open: Open::Sentence, start: first.start, bracket: first.start, side: 0, out: 0, done: 0, operand: false },
    };
    let start = first.start;
    let (root, end) = parser.sentence(first)?;
    Ok(Some(Parsed { terms: parser.terms, root, variables: parser.variables, start, end }))
}

impl<'t> Parser<'_, '_, 't> {
    fn sentence(&mut self, first: Placed<'t>) -> Result<(TermRef, u32), Located> {
        let mut token = first;
        loop {
            let begun = self.out.len() > self.frame.out || self.side.len() > self.frame.side;
            if begun && stops(self.frame.open, &token.token) {
                let term = self.close()?;
                if self.frame.open == Open::Sentence {
                    return Ok((term, token.end));
                }
                self.stop(term, &token);
            } else if self.frame.open == Open::Tail && matches!(token.token, Token::Punctuation(b',' | b'|')) {
                return Err(Located { problem: Problem::ListTail, start: token.start, end: token.end });
            } else if !self.operator(&token)? {
                if self.frame.operand {
                    return Err(self.misplaced(&token, true));
                }
                self.operand(token)?;
            }
            token = self.lexer.next(self.context.atoms, self.frame.operand)?;
        }
    }

    /// Takes the token as an operator, if it can be one here.
    fn operator(&mut self, token: &Placed<'t>) -> Result<bool, Located> {
        let atom = match token.token {
            // After an operand the bracket belongs to the next term: `a =(b)`.
            Token::Name { functional: true, .. } if !self.frame.operand => return Ok(false),
            // A name in quotes that needs none is there to be no operator.
            Token::Name { atom, quoted: true, .. } if quoting::needs_no_quotes(self.context.atoms.name(atom)) => return Ok(false),
            Token::Name { atom, .. } => atom,
            Token::Punctuation(b',') if self.frame.operand => Atom::COMMA,
            Token::Punctuation(b'|') if self.frame.operand => Atom::BAR,
            _ => return Ok(false),
        };
        let side = |operator| Side { atom, operator, start: token.start, end: token.end };
        if !self.frame.operand
            && let Some(operator) = self.context.operators.prefix(atom)
        {
            self.side.push(side(operator));
            return Ok(true);
        }
        let operators = self.context.operators;
        for operator in [operators.infix(atom), operators.postfix(atom)].into_iter().flatten() {
            self.modify(operator.left());
            if self.frame.operand {
                self.reduce(operator.left())?;
                self.side.push(side(operator));
                self.frame.operand = !is_infix(operator);
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Makes the last operator an atom, or postfix, if something of this priority cannot be its argument.
    fn modify(&mut self, priority: u16) {
        let Some(&op) = self.side[self.frame.side..].last() else { return };
        if self.frame.operand || priority <= op.operator.right() {
            return;
        }
        if matches!(op.operator.fixity, Fixity::Fx | Fixity::Fy) {
            self.side.pop();
            let term = self.terms.atom(op.atom);
            self.push(term, op.start, op.end);
        } else if is_infix(op.operator)
            && self.out.len() > self.frame.out
            && let Some(operator) = self.context.operators.postfix(op.atom)
        {
            self.side.pop();
            self.build(Side { operator, ..op });
            self.frame.operand = true;
        }
    }

    /// Builds the terms of all operators that bind tighter than this priority.
    fn reduce(&mut self, priority: u16) -> Result<(), Located> {
        while let Some(&op) = self.side[self.frame.side..].last() {
            if priority < op.operator.priority {
                break;
            }
            let arity = if is_infix(op.operator) { 2 } else { 1 };
            if self.out.len() < self.frame.out + arity {
                break;
            }
            let last = self.out[self.out.len() - 1].priority;
            let fits = match op.operator.fixity {
                Fixity::Fx | Fixity::Fy => op.operator.right() >= last,
                Fixity::Xf | Fixity::Yf => op.operator.left() >= last,
                _ => op.operator.left() >= self.out[self.out.len() - 2].priority && op.operator.right() >= last,
            };
            if !fits {
                if priority < ALL {
                    break;
                }
                let problem = Problem::OperatorClash(self.context.atoms.name(op.atom).to_owned());
                return Err(Located { problem, start: op.start, end: op.end });
            }
            self.side.pop();
            self.build(op);
        }
        Ok(())
    }

    fn build(&mut self, op: Side) {
        let arity = if is_infix(op.operator) { 2 } else { 1 };
        let args = self.out.split_off(self.out.len() - arity);
        let (first, last) = (args[0], args[arity - 1]);
        let refs = [first.term, last.term];
        let term = self.terms.compound(op.atom, &refs[2 - arity..]);
        let (start, end) = (first.start.min(op.start), last.end.max(op.end));
        self.terms.set_span(term, start, end);
        self.out.push(Out { term, priority: op.operator.priority, start, end });
    }

    fn push(&mut self, term: TermRef, start: u32, end: u32) {
        self.terms.set_span(term, start, end);
        self.out.push(Out { term, priority: 0, start, end });
        self.frame.operand = true;
    }

    /// The one term that the frame on top comes to.
    fn close(&mut self) -> Result<TermRef, Located> {
        self.modify(ALL);
        self.reduce(ALL)?;
        if let Some(&op) = self.side[self.frame.side..].last() {
            let problem = Problem::MissingArgument(self.context.atoms.name(op.atom).to_owned());
            return Err(Located { problem, start: op.start, end: op.end });
        }
        let out = self.out.pop().expect("a frame that was begun without operators has an operand");
        debug_assert_eq!(self.out.len(), self.frame.out, "operators are missing before operands");
        self.frame.operand = false;
        Ok(out.term)
    }

    fn open(&mut self, open: Open, start: u32) {
        self.frames.push(self.frame);
        self.frame =
            Frame { open, start, bracket: start, side: self.side.len(), out: self.out.len(), done: self.done.len(), operand: false };
    }

    /// Goes on after a term that `token` ended.
    fn stop(&mut self, term: TermRef, token: &Placed<'t>) {
        let Token::Punctuation(mark) = token.token else { unreachable!("only punctuation stops an inner term") };
        match (self.frame.open, mark) {
            (Open::Arguments(_) | Open::List, b',') => self.done.push(term),
            (Open::List, b'|') => {
                self.done.push(term);
                self.frame.open = Open::Tail;
            }
            (open, _) => {
                let elements = self.done.split_off(self.frame.done);
                let term = self.bracketed(open, elements, term);
                let start = self.frame.start;
                self.pop(term, start, token.end);
            }
        }
    }

    fn bracketed(&mut self, open: Open, mut elements: Vec<TermRef>, last: TermRef) -> TermRef {
        match open {
            Open::Group | Open::Sentence => last,
            Open::Braces => self.terms.compound(Atom::CURLY, &[last]),
            Open::Tail => self.terms.list(&elements, last),
            Open::List => {
                elements.push(last);
                let nil = self.terms.atom(Atom::NIL);
                self.terms.list(&elements, nil)
            }
            Open::Arguments(name) => {
                elements.push(last);
                self.terms.compound(name, &elements)
            }
        }
    }

    fn pop(&mut self, term: TermRef, start: u32, end: u32) {
        self.frame = self.frames.pop().expect("the sentence is closed by its full stop only");
        self.push(term, start, end);
    }

    /// Takes the token as a term or its beginning.
    fn operand(&mut self, token: Placed<'t>) -> Result<(), Located> {
        let (start, end) = (token.start, token.end);
        let term = match token.token {
            Token::Name { atom, functional: true, .. } => {
                self.open(Open::Arguments(atom), start);
                let bracket = self.lexer.next(self.context.atoms, false)?;
                debug_assert_eq!(bracket.token, Token::Punctuation(b'('));
                self.frame.bracket = bracket.start;
                return self.without_arguments(atom, start);
            }
            Token::Name { atom, .. } => self.terms.atom(atom),
            Token::Var(name) => {
                let number = self.variable(name);
                self.terms.var(number)
            }
            Token::Integer(value) => self.terms.push(Term::Integer(value)),
            Token::Float(value) => self.terms.push(Term::Float(value)),
            Token::String(text) => self.text(&text, self.context.flags.double_quotes),
            Token::Codes(text) => self.text(&text, TextFlag::Codes),
            Token::Punctuation(b'(') => {
                self.open(Open::Group, start);
                return Ok(());
            }
            Token::Punctuation(b'[') => {
                self.open(Open::List, start);
                return Ok(());
            }
            Token::Punctuation(b'{') => {
                self.open(Open::Braces, start);
                return Ok(());
            }
            Token::Punctuation(_) | Token::End | Token::EndOfFile => return Err(self.misplaced(&token, false)),
        };
        self.push(term, start, end);
        Ok(())
    }

    /// `f()`, which SWI-Prolog has since version 7.
    fn without_arguments(&mut self, name: Atom, start: u32) -> Result<(), Located> {
        let before = self.lexer.offset();
        // What is wrong with the next token is said when it is read again.
        if let Ok(Placed { token: Token::Punctuation(b')'), end, .. }) = self.lexer.next(self.context.atoms, false) {
            let term = self.terms.compound(name, &[]);
            self.pop(term, start, end);
        } else {
            self.lexer.seek(before);
        }
        Ok(())
    }

    fn variable(&mut self, name: &'t str) -> u32 {
        let next = u32::try_from(self.variables.len()).expect("fewer than 2^32 variables");
        if name == "_" {
            self.variables.push(None);
            return next;
        }
        let number = *self.numbers.entry(name).or_insert(next);
        if number == next {
            self.variables.push(Some(Arc::from(name)));
        }
        number
    }

    fn text(&mut self, text: &str, flag: TextFlag) -> TermRef {
        let elements: Vec<TermRef> = match flag {
            TextFlag::String => return self.terms.push(Term::String(Arc::from(text))),
            TextFlag::Atom => {
                let atom = self.context.atoms.intern(text);
                return self.terms.atom(atom);
            }
            TextFlag::Codes => text.chars().map(|c| self.terms.integer(u32::from(c))).collect(),
            TextFlag::Chars => {
                let atoms = &mut self.context.atoms;
                text.chars().map(|c| self.terms.atom(atoms.intern(c.encode_utf8(&mut [0; 4])))).collect()
            }
        };
        let nil = self.terms.atom(Atom::NIL);
        self.terms.list(&elements, nil)
    }

    /// What is wrong with a token that cannot stand here.
    fn misplaced(&self, token: &Placed<'t>, operator: bool) -> Located {
        let open = match self.frame.open {
            Open::Sentence => None,
            Open::Group | Open::Arguments(_) => Some('('),
            Open::List | Open::Tail => Some('['),
            Open::Braces => Some('{'),
        };
        let text = self.lexer.text(token.start, token.end).chars().take(40).collect::<String>();
        let problem = match (&token.token, open) {
            (Token::End | Token::EndOfFile, Some(open)) => {
                let start = self.frame.bracket;
                return Located { problem: Problem::NeverClosed(open), start, end: start + 1 };
            }
            (Token::EndOfFile, None) => Problem::EndOfFile,
            (Token::Punctuation(b')' | b']' | b'}'), Some(open)) if operator => Problem::Unbalanced(open, text),
            _ if operator => Problem::MissingOperator(text),
            _ => Problem::MissingTerm(text),
        };
        Located { problem, start: token.start, end: token.end }
    }
}

fn is_infix(operator: Operator) -> bool {
    matches!(operator.fixity, Fixity::Xfx | Fixity::Xfy | Fixity::Yfx)
}

/// Whether a token ends the term inside such a bracket.
fn stops(open: Open, token: &Token<'_>) -> bool {
    match *token {
        Token::End => open == Open::Sentence,
        Token::Punctuation(mark) => match open {
            Open::Sentence => false,
            Open::Group => mark == b')',
            Open::Arguments(_) => matches!(mark, b',' | b')'),
            Open::List => matches!(mark, b',' | b'|' | b']'),
            Open::Tail => mark == b']',
            Open::Braces => mark == b'}',
        },
        _ => false,
    }
}

//! Loading a program: clauses to their predicates, grammar rules expanded, directives carried out, further files read.
//!
//! **Invariant.** Loading never fails as a whole: whatever is readable is in the program, and every error says where.

use std::io;
use std::path::{Component, Path, PathBuf};

use super::directive::{self, Request};
use super::error::Problem;
use super::{
    Arena, Atom, Clause, Declaration, Directive, Flags, Indicator, Mode, Program, Reader, Sentence, Source, SourceId, Span, SyntaxError,
    Term, TermRef, TypeDefinition,
};
use super::{dcg, declare, functions, record, type_definition};

/// The predicate of the clauses that a program adds to `error:has_type/2`; `must_be/2` asks it last.
pub(crate) const OWN_TYPE: &str = "$own_type";

/// Gives the text of a file.
pub type ReadFile<'a> = &'a dyn Fn(&Path) -> io::Result<String>;

/// The directory of the libraries of the pack that a file is of: `prolog`, next to `pack.pl`.
pub(crate) fn pack_root(file: &Path, read: ReadFile<'_>) -> Option<PathBuf> {
    let is_root = |directory: &&Path| {
        let pack = directory.parent().map(|above| above.join("pack.pl"));
        directory.file_name().is_some_and(|name| name == "prolog") && pack.is_some_and(|pack| read(&pack).is_ok())
    };
    file.ancestors().skip(1).find(is_root).map(Path::to_path_buf)
}

impl Program {
    /// Loads a file and the files it names.
    pub fn consult(path: &Path) -> Result<(Program, Vec<SyntaxError>), io::Error> {
        let text = std::fs::read(path).map(|bytes| String::from_utf8_lossy(&bytes).into_owned())?;
        Ok(Program::load(&path.to_string_lossy(), &text, &|path| std::fs::read_to_string(path)))
    }

    /// Loads a text of which everything is in it.
    pub fn read(name: &str, text: &str) -> (Program, Vec<SyntaxError>) {
        Program::load(name, text, &|_| Err(io::ErrorKind::NotFound.into()))
    }

    /// Loads a text; other files that it names come from `read`.
    pub fn load(path: &str, text: &str, read: ReadFile<'_>) -> (Program, Vec<SyntaxError>) {
        let mut program = Program::default();
        let errors = program.add(path, text, read);
        (program, errors)
    }

    /// Loads a further text into the program.
    pub fn add(&mut self, path: &str, text: &str, read: ReadFile<'_>) -> Vec<SyntaxError> {
        let mut loader = Loader { program: self, errors: Vec::new(), read, loaded: Vec::new(), open: Vec::new() };
        loader.file(path, text);
        loader.errors
    }
}

/// Reads a definition of a type.
type ReadType = fn(Arena, TermRef, Span) -> Result<TypeDefinition, Problem>;

struct Loader<'a> {
    program: &'a mut Program,
    errors: Vec<SyntaxError>,
    read: ReadFile<'a>,
    loaded: Vec<PathBuf>,
    /// The files that are being read, each named by the one before.
    open: Vec<PathBuf>,
}

/// Files do not name each other deeper than this.
const NESTED: usize = 64;

/// One `:- if` that is open.
#[derive(Clone, Copy)]
struct Condition {
    reading: bool,
    /// Whether a part was read already, or none may be.
    decided: bool,
    span: Span,
}

#[derive(Default)]
struct State {
    flags: Flags,
    conditions: Vec<Condition>,
    in_tests: bool,
    over: bool,
}

impl State {
    fn reading(&self) -> bool {
        !self.in_tests && self.conditions.iter().all(|condition| condition.reading)
    }
}

impl Loader<'_> {
    fn file(&mut self, path: &str, text: &str) {
        self.loaded.push(PathBuf::from(path));
        self.open.push(PathBuf::from(path));
        self.sentences(path, text);
        self.open.pop();
    }

    fn sentences(&mut self, path: &str, text: &str) {
        let id = SourceId(u32::try_from(self.program.sources.len()).expect("fewer than 2^32 files"));
        self.program.sources.push(Source::new(path, text));
        if u32::try_from(text.len()).is_err() {
            self.report(Problem::TooLarge, Span { source: id, start: 0, end: 0 });
            return;
        }
        let mut state = State::default();
        let mut reader = Reader::new(id, text);
        while !state.over {
            let before = reader.offset();
            let operators =
                reader.declares(&mut self.program.atoms).then(|| declare::operators(&mut self.program.atoms, &self.program.operators));
            let operators = operators.as_ref().unwrap_or(&self.program.operators);
            match reader.next(&mut self.program.atoms, operators, state.flags) {
                None => break,
                Some(Err(error)) if state.reading() => {
                    let of = (id, before, &text[before..reader.offset()]);
                    if error.problem != Problem::Dict || !self.without_dicts(of, state.flags) {
                        self.errors.push(error);
                    }
                }
                Some(Err(_)) => {}
                Some(Ok(sentence)) => {
                    if state.reading() {
                        self.comments(id, text, before, sentence.span);
                    }
                    self.sentence(sentence, &mut state);
                }
            }
        }
        if let Some(condition) = state.conditions.last() {
            self.report(Problem::Unended, condition.span);
        }
    }

    /// Reads a clause with dicts in its body as one whose body is not supported, and passes over functions on dicts; `false` if it is neither.
    fn without_dicts(&mut self, (id, at, text): (SourceId, usize, &str), flags: Flags) -> bool {
        let operators = self.program.operators.clone();
        // There may be comments before the clause.
        for (end, _) in text.match_indices(":-") {
            let clause = format!("{}{}:- '$dicts'.", " ".repeat(at), &text[..end]);
            if let Some(Ok(sentence)) = Reader::new(id, &clause).next(&mut self.program.atoms, &operators, flags)
                && self.clause(sentence).is_ok()
            {
                return true;
            }
        }
        let place = |offset: usize| u32::try_from(offset).expect("the text is shorter than 2^32");
        let function = text.contains(":=");
        if function {
            self.program.foreign.push(Span { source: id, start: place(at), end: place(at + text.len()) });
        }
        function
    }

    fn report(&mut self, problem: Problem, span: Span) {
        self.errors.push(SyntaxError { problem, span });
    }

    fn sentence(&mut self, sentence: Sentence, state: &mut State) {
        let Sentence { terms, root, variables, span } = sentence;
        let directive = terms.matches(root, Atom::NECK).or_else(|| terms.matches(root, Atom::QUERY));
        if let Some([goal]) = directive {
            let span = terms.span(goal, span).map_or(span, |goal| Span { end: goal.end, ..span });
            return self.directive(Directive { terms, goal, variables, span }, state);
        }
        if !state.reading() {
            return;
        }
        if *terms.get(root) == Term::Atom(Atom::END_OF_FILE) {
            state.over = true;
            return;
        }
        if let Err(problem) = self.clause(Sentence { terms, root, variables, span }) {
            self.report(problem, span);
        }
    }

    fn clause(&mut self, sentence: Sentence) -> Result<(), Problem> {
        let Sentence { mut terms, root, mut variables, span } = sentence;
        let mut single_sided = false;
        let mut guard = None;
        let (mut head, body) = if let Some([head, body]) = terms.matches(root, Atom::NECK) {
            (head, body)
        } else if let Some([head, body]) = terms.matches(root, Atom::GRAMMAR) {
            dcg::translate(&mut terms, &mut self.program.atoms, &mut variables, head, body)?
        } else if let Some([head, body]) = terms.matches(root, Atom::SINGLE_SIDED) {
            single_sided = true;
            match terms.matches(head, Atom::COMMA) {
                Some([head, condition]) => {
                    guard = Some(condition);
                    (head, body)
                }
                None => (head, body),
            }
        } else {
            let body = terms.atom(Atom::TRUE);
            (root, body)
        };
        let body = match &self.program.functions[..] {
            [] => body,
            functions => functions::expand(&mut terms, &mut self.program.atoms, &mut variables, functions, body),
        };
        if let Some([module, inner]) = terms.matches(head, Atom::COLON) {
            let own = self.program.module.as_ref().map(|(name, _)| *name);
            let Term::Atom(module) = *terms.get(module) else { return Err(self.bad_head(&terms, head)) };
            // Clauses for hooks of other modules are not part of what is tested.
            let module = Some(module).filter(|&module| own != Some(module)).map_or("user", |module| self.program.atoms.name(module));
            head = match (module, terms.callable(inner)) {
                ("user", _) => inner,
                ("error", Some((name, &[of, term]))) if self.program.atoms.name(name) == "has_type" => {
                    let name = self.program.atoms.intern(OWN_TYPE);
                    terms.compound(name, &[of, term])
                }
                _ => {
                    self.program.foreign.push(span);
                    return Ok(());
                }
            };
        }
        let Some((name, args)) = terms.callable(head).filter(|&(name, _)| name != Atom::NIL) else {
            return Err(self.bad_head(&terms, head));
        };
        let indicator = Indicator { name, arity: u32::try_from(args.len()).expect("fewer than 2^32 arguments") };
        let clause = Clause { terms, head, body, single_sided, guard, variables, span };
        self.program.predicate_mut(indicator).clauses.push(clause);
        Ok(())
    }

    fn bad_head(&self, terms: &Arena, head: TermRef) -> Problem {
        Problem::Head(match terms.get(head) {
            Term::Var(_) => "a variable".to_owned(),
            Term::Integer(value) => value.to_string(),
            Term::Float(value) => value.to_string(),
            Term::String(_) => "a string".to_owned(),
            _ => "this term".to_owned(),
        })
    }

    fn directive(&mut self, directive: Directive, state: &mut State) {
        let span = directive.span;
        if state.in_tests {
            let end = directive.terms.callable(directive.goal).is_some_and(|(name, _)| self.program.atoms.name(name) == "end_tests");
            state.in_tests = !end;
            return;
        }
        if !state.reading() && !self.conditional(&directive) {
            return;
        }
        if let Some([inner]) =
            directive.terms.matches(directive.goal, Atom::PRED).or_else(|| directive.terms.matches(directive.goal, Atom::MODE))
        {
            return self.declarations(directive.terms, inner, span);
        }
        let types = [(Atom::TYPE, type_definition::definition as ReadType), (Atom::REGTYPE, type_definition::predicate)];
        for (word, read) in types {
            if let Some([inner]) = directive.terms.matches(directive.goal, word) {
                match read(directive.terms, inner, span) {
                    Ok(definition) => self.program.types.push(definition),
                    Err(problem) => self.report(problem, span),
                }
                return;
            }
        }
        if let Some((name, &[specification])) = directive.terms.callable(directive.goal)
            && self.program.atoms.name(name) == "record"
            && self.records(&directive.terms, specification, span)
        {
            return;
        }
        // Conditions inside a part that is passed over, and those after a part that was read, need no answer.
        let elif = directive.terms.callable(directive.goal).is_some_and(|(name, _)| self.program.atoms.name(name) == "elif");
        let done = elif && state.conditions.last().is_some_and(|condition| condition.decided);
        let requests = match directive::carry_out(self.program, &directive.terms, directive.goal) {
            _ if done => vec![Request::Elif(false)],
            Err(Problem::Condition) if !state.reading() && !elif => vec![Request::If(false)],
            Err(problem) => {
                let open = problem == Problem::Condition;
                self.report(problem, span);
                match (open, elif) {
                    (true, true) => vec![Request::Elif(true)],
                    (true, false) => vec![Request::If(true)],
                    _ => Vec::new(),
                }
            }
            Ok(requests) => requests,
        };
        let mut run = false;
        for request in requests {
            match request {
                Request::Done => {}
                Request::Run => run = true,
                Request::Load(name) => self.load(&name, span, false),
                Request::Library(name) => self.library(&name, span),
                Request::Include(name) => self.load(&name, span, true),
                Request::BeginTests => {
                    state.in_tests = true;
                    self.unit(&directive);
                }
                Request::DoubleQuotes(flag) => state.flags.double_quotes = flag,
                Request::If(holds) => {
                    let reading = holds && state.reading();
                    state.conditions.push(Condition { reading, decided: holds || !state.reading(), span });
                }
                Request::Elif(_) | Request::Else | Request::Endif => self.branch(&request, state, span),
            }
        }
        if run {
            self.program.directives.push(directive);
        }
    }

    /// Adds the predicates for records; `false` if they are not understood.
    fn records(&mut self, terms: &Arena, specification: TermRef, span: Span) -> bool {
        let module = self.program.module.as_ref().map_or_else(|| "user".to_owned(), |(name, _)| self.program.atoms.name(*name).to_owned());
        let Some(text) = record::clauses(terms, &self.program.atoms, &self.program.operators, specification, &module) else { return false };
        let before = self.program.predicates.len();
        let mut reader = Reader::new(span.source, &text);
        let operators = self.program.operators.clone();
        while let Some(read) = reader.next(&mut self.program.atoms, &operators, Flags::default()) {
            let Ok(sentence) = read else { return false };
            if let Err(problem) = self.clause(Sentence { span, ..sentence }) {
                self.report(problem, span);
            }
        }
        for predicate in &mut self.program.predicates[before..] {
            predicate.library = true;
        }
        true
    }

    /// Takes note of the name of a unit of tests.
    fn unit(&mut self, directive: &Directive) {
        let name = directive.terms.callable(directive.goal).and_then(|(_, args)| args.first().copied());
        if let Some(Term::Atom(name)) = name.map(|name| directive.terms.get(name)) {
            self.program.units.push(*name);
        }
    }

    fn conditional(&self, directive: &Directive) -> bool {
        let name = directive.terms.callable(directive.goal).map(|(name, _)| self.program.atoms.name(name));
        matches!(name, Some("if" | "elif" | "else" | "endif"))
    }

    fn branch(&mut self, request: &Request, state: &mut State, span: Span) {
        let (name, holds) = match request {
            Request::Elif(holds) => (":- elif", *holds),
            Request::Else => (":- else", true),
            _ => (":- endif", false),
        };
        if matches!(request, Request::Endif) {
            if state.conditions.pop().is_none() {
                self.report(Problem::Unconditional(name.to_owned()), span);
            }
            return;
        }
        match state.conditions.last_mut() {
            Some(condition) => {
                condition.reading = holds && !condition.decided;
                condition.decided |= holds;
            }
            None => self.report(Problem::Unconditional(name.to_owned()), span),
        }
    }

    fn load(&mut self, name: &str, span: Span, again: bool) {
        let directory = Path::new(&self.program.source(span.source).path).parent().map(Path::to_path_buf).unwrap_or_default();
        let plain = lexical(&directory.join(name));
        let mut tried = Err(io::ErrorKind::NotFound.into());
        for path in [plain.with_extension("pl"), PathBuf::from(format!("{}.pl", plain.display())), plain.clone()] {
            if !again && self.loaded.contains(&path) {
                return;
            }
            if self.open.contains(&path) || self.open.len() >= NESTED {
                return self.report(Problem::File(name.to_owned(), "it includes itself".to_owned()), span);
            }
            tried = (self.read)(&path);
            if let Ok(text) = &tried {
                let text = text.clone();
                return self.file(&path.to_string_lossy(), &text);
            }
        }
        if let Err(error) = tried {
            let reason = if error.kind() == io::ErrorKind::NotFound { "no such file".to_owned() } else { error.to_string() };
            self.report(Problem::File(name.to_owned(), reason), span);
        }
    }

    /// Reads a library of the pack that a file is of; others are linked where they are called.
    fn library(&mut self, name: &str, span: Span) {
        let source = PathBuf::from(&self.program.source(span.source).path);
        let Some(root) = pack_root(&source, self.read) else { return };
        let path = root.join(format!("{name}.pl"));
        if self.loaded.contains(&path) || self.open.contains(&path) || self.open.len() >= NESTED {
            return;
        }
        if let Ok(text) = (self.read)(&path) {
            self.file(&path.to_string_lossy(), &text);
        }
    }

    /// `:- pred a(+), b(-).` declares both.
    fn declarations(&mut self, terms: Arena, list: TermRef, span: Span) {
        let mut work = vec![list];
        while let Some(term) = work.pop() {
            if let Some([first, second]) = terms.matches(term, Atom::COMMA) {
                work.extend([second, first]);
                continue;
            }
            match declare::declaration(terms.clone(), &self.program.atoms, term, span) {
                Ok(declaration) => self.program.declarations.push(Declaration { directive: true, ..declaration }),
                Err(problem) => self.report(problem, span),
            }
        }
    }

    /// The comments of PlDoc before a clause: `%! p(+List:list, -Sum:int) is det.`
    fn comments(&mut self, id: SourceId, text: &str, before: usize, clause: Span) {
        let gap = &text[before..clause.start as usize];
        if !gap.contains("%!") && !gap.contains("%%") {
            return;
        }
        let mut offset = before;
        for line in gap.split_inclusive('\n') {
            let trimmed = line.trim();
            if let Some(mode) = trimmed.strip_prefix("%!").or_else(|| trimmed.strip_prefix("%% ")) {
                let span = Span { source: id, start: offset as u32, end: (offset + line.trim_end().len()) as u32 };
                self.comment(mode, span);
            }
            offset += line.len();
        }
    }

    fn comment(&mut self, mode: &str, span: Span) {
        let text = format!("{} .", mode.trim().trim_end_matches('.'));
        let operators = declare::operators(&mut self.program.atoms, &self.program.operators);
        let mut reader = Reader::new(span.source, &text);
        if let Some(Ok(sentence)) = reader.next(&mut self.program.atoms, &operators, Flags::default())
            && let Ok(declaration) = declare::declaration(sentence.terms, &self.program.atoms, sentence.root, span)
            // Any comment could begin with a term; one that declares something says how many solutions there are, or what is an input.
            && (declaration.determinism.is_some() || declaration.arguments.iter().any(|argument| argument.mode != Mode::Either))
        {
            self.program.declarations.push(declaration);
        }
    }
}

/// A path without detours, so that a file has one name however it is reached.
fn lexical(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir if matches!(plain.components().next_back(), Some(Component::Normal(_))) => drop(plain.pop()),
            Component::CurDir => {}
            part => plain.push(part),
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::{Determinism, Style, Writer};

    fn clean(text: &str) -> Program {
        let (program, errors) = Program::read("p.pl", text);
        assert_eq!(errors, [], "{text}");
        program
    }

    fn indicator(program: &Program, name: &str, arity: u32) -> Indicator {
        Indicator { name: program.atoms.get(name).unwrap(), arity }
    }

    /// The clauses of a predicate, canonically, one per line.
    fn canonical(program: &Program, name: &str, arity: u32) -> Vec<String> {
        let writer = Writer::new(&program.atoms, &program.operators, Style::Canonical);
        let predicate = program.predicate(indicator(program, name, arity)).unwrap();
        let show = |clause: &Clause| {
            let mut terms = clause.terms.clone();
            let rule = terms.compound(Atom::NECK, &[clause.head, clause.body]);
            writer.term(&terms, rule, &clause.variables)
        };
        predicate.clauses.iter().map(show).collect()
    }

    #[test]
    fn clauses_come_to_their_predicates_in_order() {
        let program = clean("p(a). q. p(X) :- q, r(X).\np --> [x].");
        assert_eq!(canonical(&program, "p", 1), [":-(p(a),true)", ":-(p(A),','(q,r(A)))"]);
        assert_eq!(canonical(&program, "p", 2), [":-(p(A,B),=(A,[x|B]))"]);
        assert_eq!(program.predicates.len(), 3);
        let second = &program.predicate(indicator(&program, "p", 1)).unwrap().clauses[1];
        assert_eq!(&program.source(second.span.source).text[second.span.range()], "p(X) :- q, r(X).");
        let body = second.terms.span(second.body, second.span).unwrap();
        assert_eq!(&program.source(body.source).text[body.range()], "q, r(X)");
    }

    #[test]
    fn operators_hold_from_their_directive_on() {
        let program = clean(":- op(700, xfx, [===>, likes]). john likes mary. :- op(200, xfy, m: &). x(1&2&3).");
        assert_eq!(canonical(&program, "likes", 2), [":-(likes(john,mary),true)"]);
        assert_eq!(canonical(&program, "x", 1), [":-(x(&(1,&(2,3))),true)"]);
        let (_, errors) =
            Program::read("p.pl", "a likes b.\n:- op(1201, xfx, x).\n:- op(700, yfy, x).\n:- op(700, xfx, ',').\n:- op(700, xfx, '|').");
        let shown: Vec<String> = errors.iter().map(|error| error.problem.to_string()).collect();
        assert_eq!(
            shown,
            [
                "an operator is missing before likes",
                "the priority 1201 is not between 0 and 1200",
                "yfy is not a kind of operator (xfx, xfy, yfx, fy, fx, xf or yf)",
                ", cannot be made an operator",
                "| cannot be made an operator"
            ]
        );
    }

    #[test]
    fn libraries_bring_their_operators() {
        let program = clean(":- use_module(library(clpfd)). p(X) :- X #= Y+1, Y in 1..3, #\\ X #< 2.");
        assert_eq!(canonical(&program, "p", 1), [":-(p(A),','(#=(A,+(B,1)),','(in(B,..(1,3)),#\\(#<(A,2)))))"]);
        assert_eq!(program.libraries.len(), 1);
    }

    #[test]
    fn declarations_are_understood_in_all_spellings() {
        let program = clean(
            ":- pred p(+list(int), -int) is det.\n:- pred(q(list(atom)::in, int::out)).\n:- mode r(+, -, ?).\n\
             %! s(+Xs:list, ?Y) is semidet.\ns(_, _).\n%! this is text\n:- pred t(+), u(-).",
        );
        let of = |name: &str, arity| program.declaration(indicator(&program, name, arity)).unwrap();
        let modes = |name: &str, arity| of(name, arity).arguments.iter().map(|argument| argument.mode).collect::<Vec<_>>();
        assert_eq!(modes("p", 2), [Mode::Input, Mode::Output]);
        assert_eq!(modes("q", 2), [Mode::Input, Mode::Output]);
        assert_eq!(modes("r", 3), [Mode::Input, Mode::Output, Mode::Either]);
        assert_eq!(modes("s", 2), [Mode::Input, Mode::Either]);
        assert_eq!((modes("t", 1), modes("u", 1)), (vec![Mode::Input], vec![Mode::Output]));
        assert_eq!((of("p", 2).determinism, of("s", 2).determinism), (Some(Determinism::Det), Some(Determinism::Semidet)));
        let writer = Writer::new(&program.atoms, &program.operators, Style::Canonical);
        let type_of = |name: &str| writer.term(&of(name, 2).terms, of(name, 2).arguments[0].type_.unwrap(), &[]);
        assert_eq!((type_of("p"), type_of("s")), ("list(int)".to_owned(), "list".to_owned()));
    }

    #[test]
    fn parts_are_read_as_their_conditions_say() {
        let program = clean(
            ":- if(false). a. :- if(current_op(_,_,_)). b. :- else. c. :- endif. :- else. d. :- endif.\n\
             :- if(\\+ true). e. :- elif(true). f. :- else. g. :- endif. :- begin_tests(x). h. test(a) :- h. :- end_tests(x). i.\nend_of_file. ((",
        );
        let names: Vec<&str> = program.predicates.iter().map(|predicate| program.atoms.name(predicate.indicator.name)).collect();
        assert_eq!(names, ["d", "f", "i"]);
        let program = clean(
            ":- if(current_prolog_flag(bounded, false)). a. :- elif(foo). b. :- endif.\n\
             :- if((current_prolog_flag(version, V), V >= 80000)). c. :- else. d. :- endif. p(1).\n\
             :- if(current_predicate(p/1)). e. :- endif. :- if(\\+ current_predicate(q/1)). f. :- endif.\n\
             :- if(catch(exists_source(library(clpfd)), _, fail)). g. :- endif. :- if((1 > 2 ; a == a)). h. :- endif.\n\
             :- if(current_prolog_flag(dialect, yap)). i. :- elif((1 < 2 -> true ; fail)). j. :- endif.",
        );
        let names: Vec<&str> = program.predicates.iter().map(|predicate| program.atoms.name(predicate.indicator.name)).collect();
        assert_eq!(names, ["a", "c", "p", "e", "f", "g", "h", "j"]);
        let (_, errors) =
            Program::read("p.pl", ":- if(fail).\n:- elif(foo(1)).\na.\n:- endif.\n:- if(current_predicate(append/3)).\n:- endif.\n");
        let places: Vec<u32> = errors.iter().map(|error| error.span.start).collect();
        assert!(errors.iter().all(|error| error.problem == Problem::Condition) && places.len() == 2, "{errors:?}");
        let (_, errors) = Program::read("p.pl", ":- endif.\n:- if(foo).\na.\n");
        assert_eq!(
            errors.iter().map(|error| error.problem.clone()).collect::<Vec<_>>(),
            [Problem::Unconditional(":- endif".into()), Problem::Condition, Problem::Unended]
        );
    }

    #[test]
    fn other_files_are_read_once() {
        let read = |path: &Path| match path.to_str().unwrap() {
            "dir/b.pl" => Ok(":- module(b, [b/0, op(700, xfx, ===>)]).\n:- use_module(a).\nb :- x ===> y.".to_owned()),
            _ => Err(io::ErrorKind::NotFound.into()),
        };
        let (program, errors) = Program::load("dir/a.pl", ":- use_module(b).\n:- [b, c].\na ===> b.", &read);
        assert_eq!(errors.len(), 1);
        assert_eq!(
            errors[0].show(program.source(errors[0].span.source)).to_string().lines().next(),
            Some("dir/a.pl:2:1: cannot read c: no such file")
        );
        assert_eq!(program.predicates.len(), 2);
    }

    #[test]
    fn an_error_hides_only_its_clause() {
        let text = "a :- b c.\nd.\ne(.\nf.\nh.\ni(\"\\q\").\nj. k) .\n1 :- x.\nX :- y.\nl :- (m.\nn";
        let (program, errors) = Program::read("p.pl", text);
        let shown: Vec<String> =
            errors.iter().map(|error| error.show(&program.sources[0]).to_string().lines().next().unwrap().to_owned()).collect();
        assert_eq!(
            shown,
            [
                "p.pl:1:8: an operator is missing before c",
                "p.pl:3:2: ( is never closed",
                "p.pl:6:4: unknown escape sequence \\q",
                "p.pl:7:5: an operator is missing before )",
                "p.pl:8:1: 1 cannot be the head of a clause",
                "p.pl:9:1: a variable cannot be the head of a clause",
                "p.pl:10:6: ( is never closed",
                "p.pl:11:2: end of file inside a clause (is a full stop missing?)"
            ]
        );
        let names: Vec<&str> = program.predicates.iter().map(|predicate| program.atoms.name(predicate.indicator.name)).collect();
        assert_eq!(names, ["d", "f", "h", "j"]);
    }

    #[test]
    fn a_quote_that_is_never_closed_ends_on_its_line() {
        let (program, errors) = Program::read("p.pl", "a.\nb('x).\nc.\n");
        assert_eq!(
            errors[0].show(&program.sources[0]).to_string(),
            "p.pl:2:3: end of file in quotes that begin here\n 2 | b('x).\n   |   ^"
        );
        assert_eq!((errors.len(), program.predicates.len()), (1, 2));
    }

    #[test]
    fn single_sided_rules_keep_their_guards() {
        let program = clean("p(X), X > 0 => q. p(_) => true.");
        let clauses = &program.predicate(indicator(&program, "p", 1)).unwrap().clauses;
        assert!(clauses.iter().all(|clause| clause.single_sided));
        assert!(clauses[0].guard.is_some() && clauses[1].guard.is_none());
    }

    #[test]
    fn bodies_with_dicts_are_not_supported_and_heads_are_refused() {
        let text = "% a :- b\np(X) :- Y = _{a: X}, q(Y.a).\n_.twice() := X :- X = 1.\nq(1).\n";
        let (program, errors) = Program::read("dicts.pl", text);
        assert!(errors.is_empty(), "{errors:?}");
        let body = |at: usize| {
            (program.predicates[at].clauses[0].terms.callable(program.predicates[at].clauses[0].body))
                .map(|(name, _)| program.atoms.name(name))
        };
        assert_eq!((program.predicates.len(), body(0)), (2, Some("$dicts")));
        assert_eq!(Program::read("dicts.pl", "p(_{a: 1}).\n").1.len(), 1);
    }

    #[test]
    fn conditions_may_catch_errors() {
        let text = ":- if(catch((A = f(A), variant_hash(A, _)), _, fail)).\np(1).\n:- else.\np(2).\n:- endif.\n";
        let (program, errors) = Program::read("conditions.pl", text);
        assert!(errors.is_empty() && program.predicates.len() == 1, "{errors:?}");
        let (unknown, errors) = Program::read("conditions.pl", ":- if(catch(variant_hash(a, _), _, fail)).\n:- endif.\n");
        assert!(unknown.predicates.is_empty() && errors.len() == 1);
    }
}

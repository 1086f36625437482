//! Code: programs as instructions. Calls and reads inside of expressions get a place of their own first, so expressions have no effects.

use std::collections::BTreeMap;

use crate::syntax::{Ast, Source, Stmt};

/// Expressions without effects. Variables are loads from their address.
#[derive(Clone, Debug)]
pub enum Expr {
    Num(i32),
    /// An address.
    Global(u32),
    /// An address in the frame.
    Local(u32),
    Load(Box<Expr>),
    Binary(&'static str, Box<Expr>, Box<Expr>),
}

#[derive(Clone, Debug)]
pub enum Instr {
    Store(Expr, Expr),
    Read(Expr),
    Ext(Expr, Expr),
    /// Goes on, or to the target where the condition does not hold.
    Branch(Expr, usize),
    Assume(Expr),
    /// To the n-th target for the value n, to the last for all others.
    Switch(Expr, Vec<usize>),
    Jump(usize),
    /// Function, arguments, where the result goes.
    Call(usize, Vec<Expr>, u32),
    Return(Expr),
    Bug,
}

#[derive(Clone, Debug)]
pub struct Program {
    pub code: Vec<Instr>,
    /// Where functions begin and how large their frames are.
    pub functions: Vec<(usize, u32)>,
    /// Names of globals and of `main`'s variables, by address.
    pub names: BTreeMap<u32, String>,
}

/// Where the frame of `main` begins.
pub const MAIN: u32 = 1000;

/// Operations on a part of an int.
const BYTES: [&str; 4] = ["byte0", "byte1", "poke0", "poke1"];

struct Compiler {
    code: Vec<Instr>,
    globals: Vec<(String, u32, bool)>,
    functions: Vec<String>,
    /// Name, slot, whether it is an array.
    locals: Vec<(String, u32, bool)>,
    size: u32,
}

/// Compiles a program.
pub fn compile(source: &Source) -> Program {
    let mut globals = Vec::new();
    let mut next = 100;
    for (name, size) in &source.globals {
        globals.push((name.clone(), next, size.is_some()));
        next += size.unwrap_or(1);
    }
    let names = source.functions.iter().map(|function| function.name.clone()).collect();
    let mut compiler = Compiler { code: Vec::new(), globals, functions: names, locals: Vec::new(), size: 0 };
    let mut functions = Vec::new();
    for function in &source.functions {
        let start = compiler.code.len();
        compiler.locals.clear();
        compiler.size = 0;
        for parameter in &function.parameters {
            compiler.declare(parameter, None);
        }
        compiler.block(&function.body);
        compiler.code.push(Instr::Return(Expr::Num(0)));
        functions.push((start, compiler.size));
    }
    let places = compiler.globals.iter().map(|global| (global.1, global.0.clone()));
    let names = places.chain(compiler.locals.iter().map(|local| (MAIN + local.1, local.0.clone()))).collect();
    Program { code: compiler.code, functions, names }
}

impl Compiler {
    fn declare(&mut self, name: &str, size: Option<u32>) -> u32 {
        let slot = self.size;
        self.locals.push((name.to_owned(), slot, size.is_some()));
        self.size += size.unwrap_or(1);
        slot
    }

    fn block(&mut self, block: &[Stmt]) {
        for statement in block {
            self.statement(statement);
        }
    }

    fn statement(&mut self, statement: &Stmt) {
        match statement {
            Stmt::Declare(name, size, value) => {
                let slot = self.declare(name, *size);
                if let Some(value) = value {
                    self.assign(Expr::Local(slot), value);
                }
            }
            Stmt::Assign(place, value) => {
                let address = self.address(place);
                self.assign(address, value);
            }
            Stmt::Eval(ast) => drop(self.expr(ast)),
            Stmt::If(condition, yes, no) => {
                let condition = self.expr(condition);
                let branch = self.emit(Instr::Branch(condition, 0));
                self.block(yes);
                let jump = self.emit(Instr::Jump(0));
                self.target(branch);
                self.block(no);
                self.target(jump);
            }
            Stmt::While(condition, body) => {
                let top = self.code.len();
                let condition = self.expr(condition);
                let branch = self.emit(Instr::Branch(condition, 0));
                self.block(body);
                self.emit(Instr::Jump(top));
                self.target(branch);
            }
            Stmt::Switch(value, blocks) => {
                let value = self.expr(value);
                let switch = self.emit(Instr::Switch(value, Vec::new()));
                let mut jumps = Vec::new();
                for block in blocks {
                    let here = self.code.len();
                    if let Instr::Switch(_, targets) = &mut self.code[switch] {
                        targets.push(here);
                    }
                    self.block(block);
                    jumps.push(self.emit(Instr::Jump(0)));
                }
                jumps.into_iter().for_each(|jump| self.target(jump));
            }
            Stmt::Return(value) => {
                let value = self.expr(value);
                self.emit(Instr::Return(value));
            }
            Stmt::Assume(condition) => {
                let condition = self.expr(condition);
                self.emit(Instr::Assume(condition));
            }
            Stmt::Bug => drop(self.emit(Instr::Bug)),
        }
    }

    fn assign(&mut self, address: Expr, value: &Ast) {
        match value {
            Ast::Call(name, _) if name == "read" => drop(self.emit(Instr::Read(address))),
            _ => {
                let value = self.expr(value);
                self.emit(Instr::Store(address, value));
            }
        }
    }

    fn emit(&mut self, instr: Instr) -> usize {
        self.code.push(instr);
        self.code.len() - 1
    }

    fn target(&mut self, at: usize) {
        let here = self.code.len();
        match &mut self.code[at] {
            Instr::Branch(_, target) | Instr::Jump(target) => *target = here,
            other => panic!("{other:?} has no target"),
        }
    }

    fn place(&self, name: &str) -> (Expr, bool) {
        if let Some(local) = self.locals.iter().rev().find(|local| local.0 == name) {
            return (Expr::Local(local.1), local.2);
        }
        let global = self.globals.iter().find(|global| global.0 == name).unwrap_or_else(|| panic!("{name} is not declared"));
        (Expr::Global(global.1), global.2)
    }

    fn address(&mut self, ast: &Ast) -> Expr {
        match ast {
            Ast::Name(name) => self.place(name).0,
            Ast::Index(array, index) => {
                let (array, index) = (self.expr(array), self.expr(index));
                Expr::Binary("+", Box::new(array), Box::new(index))
            }
            Ast::Deref(pointer) => self.expr(pointer),
            other => panic!("{other:?} has no address"),
        }
    }

    fn expr(&mut self, ast: &Ast) -> Expr {
        match ast {
            Ast::Num(number) => Expr::Num(*number),
            Ast::Name(name) => match self.place(name) {
                (address, true) => address,
                (address, false) => Expr::Load(Box::new(address)),
            },
            Ast::AddressOf(name) => self.place(name).0,
            Ast::Index(..) | Ast::Deref(_) => Expr::Load(Box::new(self.address(ast))),
            Ast::Binary(operator, a, b) => {
                let (a, b) = (self.expr(a), self.expr(b));
                Expr::Binary(operator, Box::new(a), Box::new(b))
            }
            Ast::Call(name, arguments) if BYTES.contains(&name.as_str()) => {
                let operator = BYTES.into_iter().find(|known| known == name).expect("it is one");
                let mut arguments = arguments.iter().map(|argument| self.expr(argument)).collect::<Vec<_>>().into_iter();
                let (a, b) = (arguments.next().expect("an argument"), arguments.next().unwrap_or(Expr::Num(0)));
                Expr::Binary(operator, Box::new(a), Box::new(b))
            }
            Ast::Call(name, arguments) => {
                let arguments: Vec<Expr> = arguments.iter().map(|argument| self.expr(argument)).collect();
                let slot = self.declare("", None);
                self.emit(match name.as_str() {
                    "read" => Instr::Read(Expr::Local(slot)),
                    "ext" => Instr::Ext(Expr::Local(slot), arguments[0].clone()),
                    _ => {
                        let function = self.functions.iter().position(|known| known == name);
                        Instr::Call(function.unwrap_or_else(|| panic!("{name} is not a function")), arguments, slot)
                    }
                });
                Expr::Load(Box::new(Expr::Local(slot)))
            }
        }
    }
}

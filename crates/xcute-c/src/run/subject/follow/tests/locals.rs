//! Locals of followed programs stay in memory without making other decisions.

use tempfile::TempDir;

use super::known_answers::READ;
use super::search::budgets;
use crate::instrument::compiled::Compiled;
use crate::instrument::passes::{Code, Locals, instrument_files};
use crate::run::subject::tests::of_text;

#[test]
fn no_local_makes_a_decision() {
    for text in [
        // Neither a pointer to a pointer keeps something in memory, nor an index in an array or a struct, a divisor, or a size.
        "int g,t[4]; void f(void) { int i=0,*p=&g,**pp=&p; if(t[i]==7 && read()) { *p=3; } }",
        "int t[4]; void f(void) { int i=0,a[2]={1,2},s=0; a[0]=i; if(read()) s=1; if(t[a[0]]>s) t[a[1]]=s; }",
        "struct i { int of, s; }; int t[4]; void f(void) { int k=1; struct i i={0,0}, j; i.of=k; j=i; if(read()) t[j.of]=1; assert(t[j.of]<2); }",
        "int t[4]; void f(void) { int d=2,s=read(),i=0; while(i<4) { t[i]=s/d; i=i+1; } assert(s!=7); }",
        "#include <stdlib.h>\nvoid f(void) { int n=4; char *p=malloc(n); if(!p) return; p[0]=(char)read(); assert(p[0]!=9); free(p); }",
    ] {
        let dir = TempDir::new().unwrap();
        let program = format!("{READ}{}", text.replace("read()", "read1()"));
        let ordinary = of_text(&program, "f", budgets(), dir.path()).compiled;
        let parts = ordinary.made_of.as_ref().expect("they are kept");
        let mut again = Compiled { language: ordinary.language, closed: ordinary.closed, ..Compiled::default() };
        instrument_files(&parts.bitcode, &dir.path().join("again.o"), &mut again, Code::Followed(Locals::InMemory)).unwrap();
        assert_eq!(again.sites, ordinary.sites, "{text}");
    }
}

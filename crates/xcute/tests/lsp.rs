//! `xcute lsp`, as an editor sees it: a client of the protocol over pipes.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on panics")]

use crate::support;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// The longest that anything may take here: the machine may be busy.
const PATIENCE: Duration = Duration::from_secs(240);

/// A server and what it said.
struct Client {
    server: Child,
    input: Option<ChildStdin>,
    heard: Receiver<Value>,
    /// What was heard and not yet looked at.
    left: Vec<Value>,
    asked: u64,
    place: tempfile::TempDir,
}

impl Client {
    /// Starts a server, with these files in the folder of the editor.
    fn start(files: &[(&str, &str)], options: Value) -> Client {
        Client::saying(files, options, Stdio::inherit())
    }

    /// The same; `talk`: where it says what it has to say to the user.
    fn saying(files: &[(&str, &str)], options: Value, talk: Stdio) -> Client {
        let place = tempfile::tempdir().unwrap();
        for (name, text) in files {
            let path = place.path().join("project").join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        let mut command = support::marked(place.path());
        command.arg("lsp").env("XCUTE_CACHE", place.path().join("cache"));
        let mut server = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(talk).spawn().unwrap();
        let (input, mut output) = (server.stdin.take(), BufReader::new(server.stdout.take().unwrap()));
        let (sender, heard) = channel();
        std::thread::spawn(move || {
            while let Some(message) = read(&mut output) {
                let _ = sender.send(message);
            }
        });
        let mut client = Client { server, input, heard, left: Vec::new(), asked: 0, place };
        let folder = json!([{ "uri": client.uri(""), "name": "project" }]);
        let capabilities = json!({ "window": { "workDoneProgress": true } });
        let params = json!({ "processId": null, "rootUri": null, "workspaceFolders": folder, "capabilities": capabilities, "initializationOptions": options });
        let answer = client.request("initialize", params).unwrap();
        assert_eq!(answer["serverInfo"]["name"], "xcute");
        client.notify("initialized", json!({}));
        client
    }

    fn path(&self, name: &str) -> PathBuf {
        self.place.path().join("project").join(name)
    }

    fn uri(&self, name: &str) -> String {
        format!("file://{}", self.path(name).display())
    }

    fn send_text(&mut self, text: &str) {
        let input = self.input.as_mut().unwrap();
        write!(input, "Content-Length: {}\r\n\r\n{text}", text.len()).unwrap();
        input.flush().unwrap();
    }

    fn notify(&mut self, method: &str, params: Value) {
        self.send_text(&json!({ "jsonrpc": "2.0", "method": method, "params": params }).to_string());
    }

    fn ask(&mut self, method: &str, params: Value) -> u64 {
        self.asked += 1;
        self.send_text(&json!({ "jsonrpc": "2.0", "id": self.asked, "method": method, "params": params }).to_string());
        self.asked
    }

    /// The answer to a request; the code of the error where there is one.
    fn request(&mut self, method: &str, params: Value) -> Result<Value, Value> {
        let id = self.ask(method, params);
        let mut answer = self.wait(&format!("the answer to {method}"), |message| message["id"] == id && message.get("method").is_none());
        if answer.get("error").is_some() { Err(answer["error"].take()) } else { Ok(answer["result"].take()) }
    }

    /// The first message that is like this, of those that were not looked at.
    fn wait(&mut self, what: &str, wanted: impl Fn(&Value) -> bool) -> Value {
        let end = Instant::now() + PATIENCE;
        loop {
            if let Some(at) = self.left.iter().position(&wanted) {
                return self.left.remove(at);
            }
            match self.heard.recv_timeout(end.saturating_duration_since(Instant::now())) {
                Ok(message) => self.left.push(message),
                Err(error) => panic!("{what} did not come ({error}); there was {:#?}", self.left),
            }
        }
    }

    fn open(&mut self, name: &str) {
        let text = fs::read_to_string(self.path(name)).unwrap();
        let document = json!({ "uri": self.uri(name), "languageId": "x", "version": 1, "text": text });
        self.notify("textDocument/didOpen", json!({ "textDocument": document }));
    }

    fn change(&mut self, name: &str, text: &str) {
        let document = json!({ "uri": self.uri(name), "version": 2 });
        self.notify("textDocument/didChange", json!({ "textDocument": document, "contentChanges": [{ "text": text }] }));
    }

    /// The next diagnostics of a file.
    fn diagnostics(&mut self, name: &str) -> Vec<Value> {
        let uri = self.uri(name);
        let wanted = |message: &Value| message["method"] == "textDocument/publishDiagnostics" && message["params"]["uri"] == uri;
        let mut message = self.wait(&format!("diagnostics of {name}"), wanted);
        serde_json::from_value(message["params"]["diagnostics"].take()).unwrap()
    }

    /// The titles of the lenses of a file, with their lines from 1.
    fn lenses(&mut self, name: &str) -> Vec<(String, u64)> {
        let document = json!({ "textDocument": { "uri": self.uri(name) } });
        let lenses = self.request("textDocument/codeLens", document).unwrap();
        let lens =
            |lens: &Value| (lens["command"]["title"].as_str().unwrap().to_owned(), lens["range"]["start"]["line"].as_u64().unwrap() + 1);
        lenses.as_array().unwrap().iter().map(lens).collect()
    }

    fn test(&mut self, file: &str, name: &str) -> Result<Value, Value> {
        let arguments = json!([self.uri(file), name]);
        self.request("workspace/executeCommand", json!({ "command": "xcute.test", "arguments": arguments }))
    }

    /// What is said when a search is over.
    fn verdict(&mut self) -> String {
        let message = self.wait("the verdict", |message| message["method"] == "window/showMessage");
        message["params"]["message"].as_str().unwrap().to_owned()
    }

    /// A notification of progress of this kind.
    fn progress(&mut self, kind: &str) -> Value {
        let wanted = |message: &Value| message["method"] == "$/progress" && message["params"]["value"]["kind"] == kind;
        self.wait(&format!("progress: {kind}"), wanted)["params"].take()
    }

    /// Ends the server as an editor does; nothing that it started is left.
    fn end(mut self) {
        assert_eq!(self.request("shutdown", Value::Null), Ok(Value::Null));
        self.notify("exit", Value::Null);
        assert_eq!(self.server.wait().unwrap().code(), Some(0));
        assert!(!support::left(self.place.path()), "a process is left");
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

fn read(output: &mut impl BufRead) -> Option<Value> {
    let mut length = 0;
    loop {
        let mut line = String::new();
        if output.read_line(&mut line).ok()? == 0 {
            return None;
        }
        match line.trim_end() {
            "" => break,
            line => length = line.strip_prefix("Content-Length: ")?.parse().ok()?,
        }
    }
    let mut bytes = vec![0; length];
    output.read_exact(&mut bytes).ok()?;
    serde_json::from_slice(&bytes).ok()
}

/// The diagnostics of one kind: severity, line from 1, message.
fn of_kind<'a>(all: &'a [Value], kind: &str) -> Vec<(u64, u64, &'a str)> {
    let one = |diagnostic: &'a Value| {
        let line = diagnostic["range"]["start"]["line"].as_u64().unwrap() + 1;
        (diagnostic["severity"].as_u64().unwrap(), line, diagnostic["message"].as_str().unwrap())
    };
    all.iter().filter(|diagnostic| diagnostic["code"] == kind).map(one).collect()
}

/// A search as a user types it.
fn xcute(place: &Path, words: &[&str]) {
    let output = support::marked(place).args(words).output().unwrap();
    assert!(matches!(output.status.code(), Some(0 | 1)), "{}", String::from_utf8_lossy(&output.stderr));
}

const LEVEL: &str = "#include <assert.h>

static int level(int pressure) {
  if (pressure > 9000 && pressure < 8000) return 3;
  return pressure > 100 ? 2 : 1;
}

void valve(int pressure, int open) {
  assert(!(level(pressure) == 2 && open == 7));
}
";

#[test]
fn results_of_a_search_are_diagnostics() {
    let mut client = Client::start(&[("level.c", LEVEL)], json!({}));
    xcute(&client.path(""), &["c", "level.c", "--entry", "valve", "-q"]);
    client.open("level.c");
    let all = client.diagnostics("level.c");
    let failures = of_kind(&all, "assertion");
    let [(1, 9, message)] = failures[..] else { panic!("{all:#?}") };
    assert!(message.contains("open = 7") && message.contains("replay: xcute replay xcute-out/failures/f1.json"), "{message}");
    let unreachable = of_kind(&all, "unreachable");
    assert!(matches!(unreachable[..], [(4, 4, message)] if message.starts_with("no input takes")), "{all:#?}");
    let tagged = all.iter().find(|one| one["code"] == "unreachable").unwrap();
    assert_eq!(tagged["tags"], json!([1]), "{tagged}");
    // Another text: nothing stands at a wrong line. The old text: all is there again.
    client.change("level.c", &format!("\n{LEVEL}"));
    let older = client.diagnostics("level.c");
    assert!(
        matches!(of_kind(&older, "older-results")[..], [(3, 1, message)] if message.contains("valve")) && older.len() == 1,
        "{older:#?}"
    );
    client.change("level.c", LEVEL);
    assert_eq!(client.diagnostics("level.c"), all);
    // What can be done about the failure.
    let failure = all.iter().find(|one| one["code"] == "assertion").unwrap();
    let context =
        json!({ "textDocument": { "uri": client.uri("level.c") }, "range": failure["range"], "context": { "diagnostics": [failure] } });
    let actions = client.request("textDocument/codeAction", context).unwrap();
    let titles: Vec<&str> = actions.as_array().unwrap().iter().map(|action| action["title"].as_str().unwrap()).collect();
    assert_eq!(titles, ["xcute: open the test of f1", "xcute: open the page of results"]);
    client.request("workspace/executeCommand", actions[0]["command"].clone()).unwrap();
    let shown = client.wait("a request to show the test", |message| message["method"] == "window/showDocument");
    assert!(shown["params"]["uri"].as_str().unwrap().ends_with("xcute-out/failures/f1.c"), "{shown}");
    // Results that are gone are taken back, without a word of the editor.
    fs::remove_dir_all(client.path("xcute-out")).unwrap();
    assert_eq!(client.diagnostics("level.c"), Vec::<Value>::new());
    client.end();
}

#[test]
fn bad_messages_are_answered() {
    let mut client = Client::saying(&[], json!({ "time": "soon" }), Stdio::piped());
    client.send_text("{\"jsonrpc\": ");
    let parse = client.wait("an error", |message| message["error"]["code"] == -32700);
    assert_eq!(parse["id"], Value::Null);
    let code = |answer: Result<Value, Value>| answer.unwrap_err()["code"].as_i64().unwrap();
    assert_eq!(code(client.request("textDocument/rename", json!({}))), -32601);
    assert_eq!(code(client.request("textDocument/codeLens", json!({ "textDocument": 7 }))), -32602);
    assert_eq!(code(client.request("textDocument/codeLens", json!({ "textDocument": { "uri": "untitled:a" } }))), -32602);
    assert_eq!(code(client.request("initialize", json!({ "capabilities": {} }))), -32600);
    assert_eq!(code(client.request("workspace/executeCommand", json!({ "command": "rm", "arguments": ["-rf"] }))), -32602);
    assert_eq!(code(client.request("workspace/executeCommand", json!({ "command": "xcute.test", "arguments": [] }))), -32602);
    client.notify("textDocument/didOpen", json!([]));
    client.notify("no/such", json!({}));
    // A file of no language has no lens.
    fs::write(client.path("a.txt"), "x").unwrap_or_else(|_| {
        fs::create_dir_all(client.path("")).unwrap();
        fs::write(client.path("a.txt"), "x").unwrap();
    });
    assert_eq!(client.lenses("a.txt"), []);
    assert_eq!(client.request("shutdown", Value::Null), Ok(Value::Null));
    assert_eq!(code(client.request("textDocument/codeLens", json!({}))), -32600);
    client.notify("exit", Value::Null);
    assert_eq!(client.server.wait().unwrap().code(), Some(0));
    let mut said = String::new();
    std::io::Read::read_to_string(client.server.stderr.as_mut().unwrap(), &mut said).unwrap();
    assert!(said.contains("initializationOptions.time: unknown unit of time `soon`"), "{said}");
}

#[test]
fn an_editor_that_goes_away_ends_the_server() {
    let mut client = Client::start(&[("slow.c", SLOW)], json!({ "time": "200s" }));
    client.open("slow.c");
    client.test("slow.c", "slow").unwrap();
    client.progress("begin");
    drop(client.input.take());
    assert_eq!(client.server.wait().unwrap().code(), Some(1));
    assert!(!support::left(client.place.path()), "a process is left");
}

/// Nobody knows whether it ends for all numbers.
const SLOW: &str = "int slow(unsigned n) {
  int steps = 0;
  for (unsigned m = n; m > 1; m = m % 2 ? 3 * m + 1 : m / 2)
    steps++;
  return steps;
}
";

#[test]
fn a_function_of_c_is_tested() {
    let files = [("level.c", LEVEL), ("slow.c", SLOW)];
    let mut client = Client::start(&files, json!({ "time": "100s", "copy": true }));
    client.open("level.c");
    client.open("slow.c");
    assert_eq!(client.lenses("level.c"), [("test level with xcute".to_owned(), 3), ("test valve with xcute".to_owned(), 8)]);
    // While one search runs, another waits; the same one is refused.
    client.test("slow.c", "slow").unwrap();
    client.test("level.c", "valve").unwrap();
    assert!(client.test("slow.c", "slow").unwrap_err()["message"].as_str().unwrap().contains("being tested already"));
    let begin = client.progress("begin");
    assert_eq!((&begin["value"]["title"], &begin["value"]["cancellable"]), (&json!("xcute: testing slow"), &json!(true)));
    let report = client.progress("report");
    assert!(report["value"]["message"].as_str().unwrap().contains("s of 100 s"), "{report}");
    // The server answers while a search runs.
    assert_eq!(client.lenses("slow.c").len(), 1);
    client.notify("window/workDoneProgress/cancel", json!({ "token": begin["token"] }));
    client.progress("end");
    assert!(client.verdict().contains("slow"));
    let begin = client.progress("begin");
    assert_eq!(begin["value"]["title"], "xcute: testing valve");
    assert!(client.verdict().contains("1 failure in valve"));
    let failing = |client: &mut Client| {
        let all = client.diagnostics("level.c");
        of_kind(&all, "assertion").len()
    };
    while failing(&mut client) == 0 {}
    // A text that is not saved cannot be tested.
    client.change("level.c", &format!("\n\n{LEVEL}"));
    assert_eq!(client.lenses("level.c")[1].1, 10, "lenses move with the text");
    assert!(client.test("level.c", "valve").unwrap_err()["message"].as_str().unwrap().contains("save level.c first"));
    // The fixed program has no failure, and nothing says that its results are old.
    let fixed = LEVEL.replace("open == 7", "open == 7 && open == 8");
    fs::write(client.path("level.c"), &fixed).unwrap();
    client.change("level.c", &fixed);
    client.test("level.c", "valve").unwrap();
    assert!(client.verdict().contains("no failure in valve"));
    let last = std::iter::from_fn(|| Some(client.diagnostics("level.c"))).find(|all| of_kind(all, "older-results").is_empty()).unwrap();
    assert!(of_kind(&last, "assertion").is_empty(), "{last:#?}");
    assert!(client.test("level.c", "gone").is_ok());
    assert!(client.verdict().contains("there is nothing to test of the name gone"));
    client.end();
}

/// The extension of VS Code, as it is: it starts the server with the settings, its commands do what they say, and a program that is not there is named.
#[test]
fn the_extension_of_vs_code_talks_to_the_server() {
    let place = tempfile::tempdir().unwrap();
    fs::write(place.path().join("level.c"), LEVEL).unwrap();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let script = root.join("tests/lsp/extension.js");
    let extension = root.join("../../editors/vscode/extension.js").canonicalize().unwrap();
    let mut node = std::process::Command::new("node");
    node.arg(script).arg(&extension).arg(env!("CARGO_BIN_EXE_xcute")).arg(place.path().join("level.c"));
    let output = node.env("XCUTE_CACHE", place.path().join("cache")).output().expect("node is there (./x setup installs nodejs)");
    let told = String::from_utf8_lossy(&output.stderr);
    let seen: Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {told}"));
    assert_eq!((&seen["server"], &seen["subscriptions"]), (&json!("xcute"), &json!(3)), "{seen:#}");
    assert_eq!(seen["options"]["initializationOptions"], json!({ "time": "20s", "copy": true }), "{seen:#}");
    assert_eq!(seen["lenses"], json!(["test level with xcute", "test valve with xcute"]), "{seen:#}");
    assert!(!seen["diagnostics"].as_array().unwrap().is_empty(), "{seen:#}");
    assert_eq!((&seen["clipboard"], &seen["status"]), (&json!("xcute replay it"), &json!(["copied: xcute replay it"])), "{seen:#}");
    // A restart ends one server and starts another; settings of others change nothing; each server ends as it should.
    assert_eq!((&seen["servers"], &seen["kept"], &seen["ended"]), (&json!(2), &json!(2), &json!([0, 0])), "{seen:#}");
    let shown = seen["shown"][0].as_str().unwrap();
    assert!(shown.starts_with("xcute: cannot run /nowhere/xcute lsp (set xcute.path): "), "{shown}");
    assert_eq!(seen["defaults"], json!({ "time": "30s", "copy": true }), "{seen:#}");
    // What the manifest of the extension names is there: its commands, its settings, and a file of each language.
    let manifest: Value = serde_json::from_str(&fs::read_to_string(extension.with_file_name("package.json")).unwrap()).unwrap();
    let names = |what: &Value| what.as_array().unwrap().iter().map(|one| one["command"].as_str().unwrap().to_owned()).collect::<Vec<_>>();
    let known: Vec<String> =
        ["commands", "provided"].iter().flat_map(|from| serde_json::from_value::<Vec<String>>(seen[*from].clone()).unwrap()).collect();
    assert!(names(&manifest["contributes"]["commands"]).iter().all(|name| known.contains(name)), "{known:?}");
    let pattern = seen["options"]["documentSelector"][0]["pattern"].as_str().unwrap();
    for end in ["c", "cpp", "java", "erl", "pl", "art", "uml"] {
        assert!(
            pattern.contains(&format!("{{{end},")) || pattern.contains(&format!(",{end},")) || pattern.contains(&format!(",{end}}}")),
            "{end}"
        );
    }
}

/// Tests something of a file by its lens: the lenses are these, and a failure of this kind is at this line then.
fn tested(files: &[(&str, &str)], lenses: &[(&str, u64)], name: &str, kind: &str, line: u64) {
    let file = files[0].0;
    let mut client = Client::start(files, json!({ "time": "100s" }));
    client.open(file);
    let expected: Vec<(String, u64)> = lenses.iter().map(|(name, line)| (format!("test {name} with xcute"), *line)).collect();
    assert_eq!(client.lenses(file), expected);
    client.test(file, name).unwrap();
    let verdict = client.verdict();
    assert!(verdict.contains("1 failure"), "{verdict}");
    let all = std::iter::from_fn(|| Some(client.diagnostics(file))).find(|all| !all.is_empty()).unwrap();
    let failures = of_kind(&all, kind);
    assert!(matches!(failures[..], [(1, at, message)] if at == line && message.contains("replay: ")), "{all:#?}");
    client.end();
}

#[test]
fn a_function_of_c_plus_plus_is_tested() {
    let shelf = "#include <vector>\n\nint slot(const std::vector<int> &books, unsigned at) {\n  if (at < 3)\n    return 10 / (int)(at - 2);\n  return 0;\n}\n";
    tested(&[("shelf.cpp", shelf)], &[("slot", 3)], "slot", "division-by-zero", 5);
}

#[test]
fn a_method_of_java_is_tested() {
    let shop = "package shop;\n\npublic class Shop {\n    private int none;\n\n    public static int each(int price,\n                           int people) {\n        if (price > 100)\n            return price / people;\n        return 0;\n    }\n\n    public int twice(int x) { return Other.same(x) * 2; }\n}\n";
    let other = "package shop;\n\nclass Other {\n    static int same(int x) { return x; }\n}\n";
    let lenses = [("shop.Shop.each(int, int)", 6), ("shop.Shop.twice(int)", 13)];
    tested(&[("src/shop/Shop.java", shop), ("src/shop/Other.java", other)], &lenses, "shop.Shop.each(int, int)", "division-by-zero", 9);
}

#[test]
fn a_function_of_erlang_is_tested() {
    let shop = "-module(shop).\n-export([price/1, none/0]).\n\n%% What it costs.\nprice({apple, N}) when N > 3 -> 100 div (N - 4);\nprice({pear, N}) when is_integer(N) -> N;\nprice(_) -> 0.\n\nnone() -> 1.\n";
    tested(&[("shop.erl", shop)], &[("price/1", 5)], "price/1", "uncaught-exception", 5);
}

#[test]
fn a_predicate_of_prolog_is_tested() {
    let text = "grade(N, low) :- integer(N), N < 3.\ngrade(N, G) :- integer(N), N >= 3, G is 10 // (N - 7).\n\nother(_, _).\n";
    tested(&[("grade.pl", text)], &[("grade/2", 1), ("other/2", 4)], "grade/2", "uncaught-exception", 2);
}

/// What is a branch elsewhere is a clause here.
#[test]
fn clauses_that_nothing_matches_are_hints() {
    let text = "p(X) :- X = f(_), q(X).\n\nq(f(_)).\nq(g(_)).\n\nother(a).\nother(b).\n";
    let mut client = Client::start(&[("p.pl", text)], json!({ "time": "100s" }));
    xcute(&client.path(""), &["clp", "p.pl", "--goal", "p/1", "--ground", "1", "--term-depth", "2", "-q"]);
    client.open("p.pl");
    let hints = client.diagnostics("p.pl");
    let [(4, 4, message)] = of_kind(&hints, "unreachable")[..] else {
        panic!("a predicate that is not searched is not blamed: {hints:#?}")
    };
    assert!(message.starts_with("no input comes here"), "{hints:#?}");
    client.end();
}

#[test]
fn a_capsule_of_a_model_is_tested() {
    let lift = "protocol Door {\n    in open(`int`);\n};\n\ncapsule Cabin {\n    service behavior port door : Door;\n\n    statemachine {\n        state Shut;\n        state Wide { on door.open; };\n        initial -> Shut;\n        open: Shut -> Wide on door.open `int share = 10 / (*rtdata - 7); (void)share;`;\n    };\n};\n";
    tested(&[("lift.art", lift)], &[("Cabin", 1)], "Cabin", "division-by-zero", 12);
}

#[test]
fn entries_of_a_project_say_how_they_are_tested() {
    let manifest = "[defaults]\nout = \"res\"\n\n[[entry]]\nname = \"valves\"\nlanguage = \"c\"\nfiles = [\"level.c\"]\nentry = \"valve\"\npre = \"shut\"\n";
    let level = format!("{LEVEL}\nint shut(int pressure, int open) {{ return open != 7; }}\n");
    let mut client = Client::start(&[("level.c", &level), ("xcute.toml", manifest)], json!({ "time": "100s" }));
    client.open("level.c");
    client.test("level.c", "valve").unwrap();
    assert!(client.verdict().contains("no failure in valve"));
    // Results of the project are found where it says.
    fs::write(client.path("xcute.toml"), manifest.replace("pre = \"shut\"\n", "")).unwrap();
    xcute(&client.path(""), &["test", "-q"]);
    std::iter::from_fn(|| Some(client.diagnostics("level.c"))).find(|all| of_kind(all, "assertion").len() == 1).unwrap();
    client.end();
}

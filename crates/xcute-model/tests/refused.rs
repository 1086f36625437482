//! Models that are refused: what is wrong, and where, in Art and in UML.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on panics")]

use std::fs;
use std::path::PathBuf;

use xcute_model::load;
use xcute_model::property::Property;

/// What is said of a model in a file of this name.
fn said(name: &str, text: &[u8]) -> String {
    let place = tempfile::tempdir().unwrap();
    let file = place.path().join(name);
    fs::write(&file, text).unwrap();
    match load::load(std::slice::from_ref(&file)) {
        Ok(_) => String::new(),
        Err(error) => error.to_string(),
    }
}

const PROTOCOL: &str = "protocol P {\n    in m(`int`);\n    out n();\n};\n";

/// A capsule with these members, and this state machine.
fn capsule(members: &str, machine: &str) -> String {
    format!("{PROTOCOL}capsule C {{\n    service behavior port p : P;\n    {members}\n    statemachine {{\n{machine}\n    }};\n}};\n")
}

/// The same, and another one that inherits from it.
fn derived(members: &str, machine: &str) -> String {
    let base = capsule("", "        state A;\n        state B;\n        initial -> A;\n        t: A -> B on p.m;");
    format!("{base}capsule D : C {{\n    {members}\n    statemachine {{\n{machine}\n    }};\n}};\n")
}

#[test]
fn mistakes_in_art() {
    let machine = "        state A;\n        initial -> A;";
    for (model, wanted) in [
        (format!("// xcute: nonsense x\n{PROTOCOL}"), "unknown comment for xcute: \"nonsense x\""),
        (capsule("loud port q : P;", machine), "\"loud\" is not a property of a port"),
        (format!("{PROTOCOL}capsule C {{\n    large part c : C;\n}};\n"), "\"large\" is not a property of a part"),
        (capsule("[[rt::nonsense]] `int x;`", machine), "\"rt::nonsense\" is not possible here (known: rt::header_preface, "),
        (
            capsule("", "        state A;\n        initial -> A;\n        redefine A -> A on p.m;"),
            "a transition that redefines another must have its name",
        ),
        (capsule("", "        state A;\n        initial -> A;\n        t: A -> A on q.m;"), "C has no port \"q\""),
        (
            capsule("", "        state A;\n        initial -> A;\n        t: A -> A on loud();"),
            "C has no trigger operation \"loud\" with these parameters",
        ),
        (derived("", "        state redefine Z;"), "no state \"Z\" is inherited here"),
        (derived("", "        redefine u: A -> B on p.m;"), "no transition \"u\" is inherited here that could be redefined"),
        (derived("", "        exclude u;"), "no transition \"u\" is inherited here that could be excluded"),
        (derived("service behavior port p : P;", ""), "a port \"p\" is inherited already (write \"redefine\")"),
        (derived("service behavior port redefine q : P;", ""), "no port \"q\" is inherited"),
        (format!("{PROTOCOL}capsule C {{\n    port p : P;\n    port o : P;\n    connect p with z;\n}};\n"), "capsule C has no port \"z\""),
        (format!("{PROTOCOL}capsule C {{\n    text = \"it goes on\n}};\n"), "the text has no end (add a double quote)"),
    ] {
        let message = said("bad.art", model.as_bytes());
        assert!(message.contains("bad.art:") && message.contains(wanted), "{wanted}: {message}\n{model}");
    }
    assert!(said("bad.art", b"capsule \xff\xfe {\n};\n").contains("is not a text in UTF-8"));
}

/// A model of Papyrus-RT in which something is replaced.
fn uml(from: &str, to: &str) -> String {
    let text = fs::read_to_string(PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../subjects/model/ca.uml")).unwrap();
    assert!(text.contains(from), "{from}");
    text.replacen(from, to, 1)
}

#[test]
fn mistakes_in_uml() {
    let class = "xmi:id=\"_C54\" name=\"CAController\"";
    let port = "<ownedAttribute xmi:type=\"uml:Port\" xmi:id=\"_P56\" name=\"lidar\"";
    let inside = "<ownedBehavior xmi:type=\"uml:StateMachine\"";
    let with = |more: &str| format!("{more}\n    {inside}");
    let connector = |ends: &str| with(&format!("<ownedConnector xmi:type=\"uml:Connector\" xmi:id=\"_k1\">{ends}</ownedConnector>"));
    let end = "<end xmi:type=\"uml:ConnectorEnd\" xmi:id=\"_n1\" role=\"_P56\"/>";
    let state = "<subvertex xmi:type=\"uml:State\" xmi:id=\"_V71\" name=\"Idle\">";
    let trigger = "event=\"_e22\" port=\"_P58\"";
    for (from, to, wanted) in [
        (class, "xmi:id=\"_C54\"".to_owned(), "a capsule must have a name"),
        (port, port.replace(" name=\"lidar\"", ""), "a port must have a name"),
        (port, format!("{port} redefinedPort=\"_P56\""), "the element redefines itself"),
        (
            inside,
            with("<generalization xmi:type=\"uml:Generalization\" xmi:id=\"_g1\"><general href=\"#_zz\"/></generalization>"),
            "\"#_zz\" is not in ",
        ),
        (inside, connector(""), "the connector has no ends"),
        (inside, connector("<end xmi:type=\"uml:ConnectorEnd\" xmi:id=\"_n1\"/>"), "the end of a connector leads to no port"),
        (inside, connector(end), "a connector must have two ends"),
        (inside, with("<generalization xmi:type=\"uml:Generalization\" xmi:id=\"_g1\"/>"), "the generalization has no base class"),
        (
            inside,
            with("<generalization xmi:type=\"uml:Generalization\" xmi:id=\"_g1\"><general href=\"other.uml#_x\"/></generalization>"),
            "the base class is in other.uml, which was not given",
        ),
        ("<ownedAttribute xmi:type=\"uml:Property\" xmi:id=\"_A64\" name=\"warnings\">", "<ownedAttribute xmi:type=\"uml:Property\" xmi:id=\"_A64\">".to_owned(), "an attribute must have a name"),
        ("type=\"_p2\"", "type=\"_p99\"".to_owned(), "type refers to \"_p99\", which is not there"),
        ("target=\"_V71\">\n        </transition>", ">\n        </transition>".to_owned(), "a transition must have a source and a target"),
        (trigger, "event=\"_e22\"><port href=\"other.uml#_x\"/></trigger><trigger xmi:type=\"uml:Trigger\" xmi:id=\"_g99\"".to_owned(), "the port of a trigger is in other.uml, which was not given"),
        ("xmi:id=\"_o17\" name=\"enableHVI\"", "xmi:id=\"_o17\"".to_owned(), "a message must have a name"),
        (state, format!("{state}<connectionPoint xmi:type=\"uml:Pseudostate\" xmi:id=\"_z1\" kind=\"join\"/>"), "a connection point must be an entry or exit point"),
        ("source=\"_V73\" target=\"_V71\"", "source=\"_z1\" target=\"_V71\"><x/></transition><subvertex xmi:type=\"uml:Pseudostate\" xmi:id=\"_z1\" kind=\"shallowHistory\"/><transition xmi:type=\"uml:Transition\" xmi:id=\"_z2\" source=\"_V73\" target=\"_V71\"".to_owned(), "a transition cannot start at a history"),
        ("<language>C++</language>", "<language>Pascal</language>".to_owned(), "code in \"Pascal\" is not supported, only C++"),
    ] {
        let message = said("bad.uml", uml(from, &to).as_bytes());
        assert!(message.contains("bad.uml:") && message.contains(wanted), "{wanted}: {message}");
    }
}

#[test]
fn models_of_both_kinds_do_not_mix() {
    let place = tempfile::tempdir().unwrap();
    let files = ["a.art", "b.uml"].map(|name| place.path().join(name));
    fs::write(&files[0], PROTOCOL).unwrap();
    fs::write(&files[1], uml("CAController", "CAController")).unwrap();
    let message = load::load(&files).unwrap_err().to_string();
    assert!(message.contains("a model is either in UML or in Art, but ") && message.contains("b.uml is in UML"), "{message}");
}

#[test]
fn messages_that_cannot_be_meant() {
    let place = tempfile::tempdir().unwrap();
    let file = place.path().join("a.art");
    fs::write(&file, capsule("", "        state A;\n        initial -> A;\n        t: A -> A on p.m `p.n().send();`;")).unwrap();
    let flat = load::load(&[file]).unwrap();
    let message = Property::together("p.x,p.n", &flat, 0, false).unwrap_err();
    assert!(message.starts_with("cannot use --never p.x,p.n: no message x is sent through port p"), "{message}");
    let message = Property::read("never send foo until p.n", &flat, 0, false).unwrap_err();
    assert!(message.contains("foo is not a message (write PORT.MESSAGE, or \"enter foo\" for a state)"), "{message}");
    let message = Property::together("c[z].p.n,p.n", &flat, 0, true).unwrap_err();
    assert!(message.contains("c[z] has no index"), "{message}");
}

//! The rules of the house that a compiler does not know: which layer may use which, and what may
//! stand where.

use std::path::Path;

use extscope_tests::source::{self, Mention};

/// The engine, from the ground up: modules of one line do not use each other.
///
/// Only the words at the bottom do.
const ENGINE: &[&[&str]] = &[
    &["units", "error", "task", "limits"],
    &["bitmap", "io", "ondisk"],
    &["fs"],
    &["analysis"],
    &["check", "resize", "lesson", "scenario"],
    &["report", "export"],
];

/// What the engine's root passes on from its bottom layer.
const ENGINE_ROOT: &[&str] = &["Error", "ErrorKind", "Result"];

/// The page, from the ground up.
const PAGE: &[&[&str]] = &[
    &["protocol", "text"],
    &["state"],
    &["select", "render"],
    &["worker", "client", "canvas"],
    &["views"],
];

/// Neighbours of one line that may use each other.
const MAY_USE: &[(&str, &str)] = &[("client", "canvas")];

/// Lower modules that a module must not use all the same.
const MUST_NOT_USE: &[(&str, &str)] = &[("views", "worker")];

/// Modules of the engine that read or work; on the page, only the worker calls them. The protocol
/// passes on their words, which the rest of the page has from there.
const ENGINE_AT_WORK: &[&str] = &["io", "fs", "analysis", "check", "resize", "scenario", "lesson"];

/// Crates that only run in a browser.
const BROWSER: &[&str] = &["web_sys", "js_sys", "gloo", "wasm_bindgen", "wasm_bindgen_futures"];

/// Modules of the page that are compiled and tested on the host.
const PURE: &[&str] = &["protocol", "text", "state", "select", "render"];

/// The one line of `state` that knows Yew: `impl Reducible`.
const REDUCIBLE: &str = "web/src/state/mod.rs";

/// The layer of a module, from 0.
fn layer(layers: &[&[&str]], module: &str) -> Option<usize> {
    layers.iter().position(|modules| modules.contains(&module))
}

/// The module at the root of `src` that a file belongs to; `None` for the root itself.
fn module<'a>(src: &Path, file: &'a Path) -> Option<&'a str> {
    let inside = file.strip_prefix(src).expect("the file lies in src");
    let first = inside.components().next()?.as_os_str().to_str()?;
    match first.trim_end_matches(".rs") {
        "lib" | "main" | "bin" => None,
        module => Some(module),
    }
}

/// How many `super`s lead from a file to the root of its crate.
fn depth(src: &Path, file: &Path) -> usize {
    let inside = file.strip_prefix(src).expect("the file lies in src");
    let is_mod = inside.file_name().is_some_and(|name| name == "mod.rs");
    inside.components().count() - usize::from(is_mod)
}

/// Adds a fault with the place where it is.
fn fault(faults: &mut Vec<String>, file: &Path, line: usize, what: &str) {
    faults.push(format!("{}:{line}: {what}", source::short(file)));
}

/// Fails with every fault.
fn assert_none(faults: &[String]) {
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
}

/// Every use of a module of the same crate that points upward or sideways.
fn upward_edges(src: &Path, layers: &[&[&str]], root: &[&str]) -> Vec<String> {
    let mut faults = Vec::new();
    for file in source::rust_files(src) {
        let Some(from) = module(src, &file) else { continue };
        let Some(own) = layer(layers, from) else {
            fault(&mut faults, &file, 1, &format!("`{from}` has no layer"));
            continue;
        };
        let used = source::below_root(&source::tokens(&file), "crate", depth(src, &file));
        for Mention { name: to, line } in used {
            let allowed = match layer(layers, &to) {
                _ if to == from => true,
                Some(other) if other == own => {
                    own == 0 && layers == ENGINE || MAY_USE.contains(&(from, &to))
                }
                Some(other) => other < own && !MUST_NOT_USE.contains(&(from, &to)),
                None => root.contains(&to.as_str()),
            };
            if !allowed {
                fault(&mut faults, &file, line, &format!("`{from}` uses `{to}`"));
            }
        }
    }
    faults
}

#[test]
fn the_engine_uses_only_what_lies_below() {
    let src = source::root().join("crate/src");
    let mut faults = upward_edges(&src, ENGINE, ENGINE_ROOT);
    for file in source::rust_files(&src.join("ondisk")) {
        let used = source::below_root(&source::tokens(&file), "crate", depth(&src, &file));
        for Mention { name, line } in used {
            if name != "units" && name != "ondisk" {
                fault(&mut faults, &file, line, &format!("`ondisk` uses `{name}`, not only units"));
            }
        }
    }
    assert_none(&faults);
}

#[test]
fn the_page_uses_only_what_lies_below() {
    assert_none(&upward_edges(&source::root().join("web/src"), PAGE, &[]));
}

#[test]
fn only_the_worker_calls_the_engine() {
    let src = source::root().join("web/src");
    let mut faults = Vec::new();
    for file in source::rust_files(&src) {
        if matches!(module(&src, &file), Some("worker" | "protocol")) {
            continue;
        }
        for Mention { name, line } in source::below_root(&source::tokens(&file), "extscope", 0) {
            if ENGINE_AT_WORK.contains(&name.as_str()) {
                fault(&mut faults, &file, line, &format!("calls the engine's `{name}`"));
            }
        }
    }
    assert_none(&faults);
}

#[test]
fn pure_modules_know_neither_yew_nor_the_browser() {
    let src = source::root().join("web/src");
    let mut faults = Vec::new();
    for file in source::rust_files(&src) {
        if !module(&src, &file).is_some_and(|module| PURE.contains(&module)) {
            continue;
        }
        for Mention { name, line } in source::identifiers(&source::tokens(&file)) {
            let yew = name == "yew" && source::short(&file) != REDUCIBLE;
            if yew || BROWSER.contains(&name.as_str()) {
                fault(&mut faults, &file, line, &format!("uses `{name}`"));
            }
        }
    }
    assert_none(&faults);
}

#[test]
fn only_canvas_draws() {
    let src = source::root().join("web/src");
    let mut faults = Vec::new();
    for file in source::rust_files(&src) {
        for Mention { name, line } in source::identifiers(&source::tokens(&file)) {
            let draws = name.contains("CanvasRenderingContext2d");
            if draws && module(&src, &file) != Some("canvas") {
                fault(&mut faults, &file, line, &format!("uses `{name}`"));
            }
        }
    }
    assert_none(&faults);
}

/// Where instructions of one machine are used: the kernels, and what they are measured against. And
/// where names are given that a host of wasm can call.
const UNSAFE: &[&str] =
    &["crate/src/bitmap/kernel", "bench/src/read.rs", "bench/examples/kernels.rs"];

#[test]
fn only_the_kernels_are_unsafe() {
    let mut faults = Vec::new();
    for file in source::rust_files(source::root()) {
        if UNSAFE.iter().any(|place| file.starts_with(source::root().join(place))) {
            continue;
        }
        for Mention { name, line } in source::identifiers(&source::tokens(&file)) {
            if name == "unsafe" {
                fault(&mut faults, &file, line, "unsafe code");
            }
        }
    }
    assert_none(&faults);
}

#[test]
fn every_module_opens_with_a_charter() {
    let mut faults = Vec::new();
    for folder in ["crate/src", "web/src"] {
        let src = source::root().join(folder);
        for file in source::rust_files(&src) {
            if file.file_name().is_none_or(|name| name != "mod.rs") {
                continue;
            }
            let text = source::text(&file);
            let opening: Vec<&str> =
                text.lines().map_while(|line| line.strip_prefix("//!")).map(str::trim).collect();
            let opening = opening.join(" ");
            let mut parts = vec!["*Belongs here:*", "*Does not:*"];
            if depth(&src, &file) == 1 {
                parts.push("*May use:*");
            }
            for part in parts.into_iter().filter(|part| !opening.contains(part)) {
                fault(&mut faults, &file, 1, &format!("no {part} in the charter"));
            }
        }
    }
    assert_none(&faults);
}

#[test]
fn no_file_names_a_place_of_one_machine() {
    let places = ["work", "root", "home", "tmp"].map(|folder| format!("/{folder}/"));
    let mut faults = Vec::new();
    for file in source::files(source::root()) {
        // A picture or a compressed image is no text, and has no place to name.
        let Ok(text) = String::from_utf8(std::fs::read(&file).expect("the file can be read"))
        else {
            continue;
        };
        for (i, line) in text.lines().enumerate() {
            for place in &places {
                let at = line.find(place.as_str());
                let starts = |at: usize| {
                    let before = line[..at].chars().next_back();
                    before.is_none_or(|c| !c.is_alphanumeric() && !"._-/}".contains(c))
                };
                if at.is_some_and(starts) {
                    fault(&mut faults, &file, i + 1, &format!("names {place}"));
                }
            }
        }
    }
    assert_none(&faults);
}

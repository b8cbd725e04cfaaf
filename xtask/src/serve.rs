//! A small server for the built page, on this machine alone.

use std::fs;
use std::net::{Ipv4Addr, TcpListener};
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;
use std::thread;

use anyhow::{Context, Result, anyhow, bail};
use tiny_http::{Header, Method, Request, Response, Server};

use crate::setup::{self, Tool};
use crate::{page, paths};

const DEFAULT_PORT: u16 = 8080;

/// Requests answered at a time; a page asks for a handful of files.
const THREADS: usize = 4;

/// Media types by the extension of the file.
const MEDIA_TYPES: &[(&str, &str)] = &[
    ("css", "text/css; charset=utf-8"),
    ("gz", "application/gzip"),
    ("html", "text/html; charset=utf-8"),
    ("ico", "image/x-icon"),
    ("js", "text/javascript; charset=utf-8"),
    ("json", "application/json"),
    ("png", "image/png"),
    ("svg", "image/svg+xml"),
    ("txt", "text/plain; charset=utf-8"),
    ("wasm", "application/wasm"),
    ("woff2", "font/woff2"),
];

/// Sent with every answer: nothing old is shown, nothing is guessed, nothing leaks to other sites.
const HEADERS: &[(&str, &str)] = &[
    ("Cache-Control", "no-cache"),
    ("Cross-Origin-Opener-Policy", "same-origin"),
    ("Cross-Origin-Resource-Policy", "same-origin"),
    ("Referrer-Policy", "no-referrer"),
    ("X-Content-Type-Options", "nosniff"),
];

/// `cargo xtask serve [--port N]`.
///
/// # Errors
/// The set-up or the build fails, or the port is taken.
pub(crate) fn task(arguments: &[String]) -> Result<()> {
    // A port that is taken is known before minutes of building, not after.
    let listener = listen(port_from(arguments)?)?;
    page::build(&setup::bring(Tool::PAGE)?)?;
    let site = Site::start(listener, paths::site(), "/")?;
    println!("extscope is at {} (end with Ctrl-C)", site.address());
    site.wait();
    Ok(())
}

/// The port that the arguments ask for.
fn port_from(arguments: &[String]) -> Result<u16> {
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let number = match words.as_slice() {
        [] => return Ok(DEFAULT_PORT),
        ["--port", number] => number,
        [one] if one.starts_with("--port=") => &one["--port=".len()..],
        _ => bail!("serve takes --port N and nothing else"),
    };
    number.parse().with_context(|| format!("{number:?} is no port: give a number up to 65535"))
}

/// Takes a port of 127.0.0.1; port 0 takes any that is free.
///
/// # Errors
/// The port is taken, or not for users.
pub(crate) fn listen(port: u16) -> Result<TcpListener> {
    TcpListener::bind((Ipv4Addr::LOCALHOST, port))
        .with_context(|| format!("port {port} cannot be used; choose another with --port N"))
}

/// A folder being served until it is dropped.
pub(crate) struct Site {
    server: Arc<Server>,
    threads: Vec<thread::JoinHandle<()>>,
    address: String,
}

impl Site {
    /// Serves `folder` below the path `prefix`, which begins and ends with a slash.
    ///
    /// # Errors
    /// The listener has no address any more.
    pub(crate) fn start(
        listener: TcpListener,
        folder: PathBuf,
        prefix: &'static str,
    ) -> Result<Self> {
        let address = format!("http://{}{prefix}", listener.local_addr()?);
        let server = Server::from_listener(listener, None)
            .map_err(|error| anyhow!("the server cannot be started: {error}"))?;
        let server = Arc::new(server);
        let threads = (0..THREADS)
            .map(|_| {
                let (server, folder) = (Arc::clone(&server), folder.clone());
                thread::spawn(move || {
                    while let Ok(request) = server.recv() {
                        // The other side may go away at any time; that is its own affair.
                        let _ = answer(request, &folder, prefix);
                    }
                })
            })
            .collect();
        Ok(Self { server, threads, address })
    }

    /// The address of the page.
    pub(crate) fn address(&self) -> &str {
        &self.address
    }

    /// Serves until the program is ended.
    fn wait(mut self) {
        for thread in self.threads.drain(..) {
            let _ = thread.join();
        }
    }
}

impl Drop for Site {
    fn drop(&mut self) {
        for _ in 0..self.threads.len() {
            self.server.unblock();
        }
    }
}

/// Answers one request with a file of the folder.
fn answer(request: Request, folder: &Path, prefix: &str) -> std::io::Result<()> {
    if !matches!(request.method(), Method::Get | Method::Head) {
        return request.respond(with_headers(
            Response::from_string("only GET and HEAD"),
            405,
            None,
        ));
    }
    let found = file_of(request.url(), prefix).map(|file| folder.join(file));
    let found = found.filter(|file| file.is_file());
    match found.as_ref().and_then(|file| fs::File::open(file).ok()) {
        Some(file) => {
            let media_type = found.as_deref().and_then(media_type);
            request.respond(with_headers(Response::from_file(file), 200, media_type))
        }
        None => request.respond(with_headers(Response::from_string("not found"), 404, None)),
    }
}

/// The file of the served folder that an address names; nothing for one that leads outside.
fn file_of(url: &str, prefix: &str) -> Option<PathBuf> {
    let path = url.split(['?', '#']).next()?.strip_prefix(prefix)?;
    let path = if path.is_empty() { "index.html" } else { path };
    let is_plain = |part| matches!(part, Component::Normal(_));
    let path = PathBuf::from(path);
    path.components().all(is_plain).then_some(path)
}

/// The media type of a file, by its extension.
fn media_type(file: &Path) -> Option<&'static str> {
    let extension = file.extension()?.to_str()?;
    MEDIA_TYPES.iter().find(|(known, _)| *known == extension).map(|(_, media_type)| *media_type)
}

fn with_headers<R: std::io::Read>(
    mut response: Response<R>,
    status: u16,
    media_type: Option<&str>,
) -> Response<R> {
    let media_type = media_type.map(|value| ("Content-Type", value));
    for (name, value) in HEADERS.iter().copied().chain(media_type) {
        if let Ok(header) = Header::from_bytes(name, value) {
            response.add_header(header);
        }
    }
    response.with_status_code(status)
}

#[cfg(test)]
mod tests {
    use std::io::{Read, Write};
    use std::net::TcpStream;

    use super::*;

    #[test]
    fn an_address_names_a_file_of_the_folder_and_nothing_outside() {
        let file = |url| file_of(url, "/");
        assert_eq!(file("/"), Some(PathBuf::from("index.html")));
        assert_eq!(file("/samples/a.img.gz?x=1"), Some(PathBuf::from("samples/a.img.gz")));
        assert_eq!(file("/../Cargo.toml"), None);
        assert_eq!(file("//etc/passwd"), None);
        assert_eq!(file("Cargo.toml"), None);
    }

    #[test]
    fn only_what_lies_below_the_prefix_is_served() {
        assert_eq!(file_of("/a/b/", "/a/b/"), Some(PathBuf::from("index.html")));
        assert_eq!(file_of("/a/b/app.js", "/a/b/"), Some(PathBuf::from("app.js")));
        assert_eq!(file_of("/app.js", "/a/b/"), None);
    }

    #[test]
    fn a_folder_is_no_file_and_is_not_found() {
        let folder = paths::root().join("xtask");
        let site = Site::start(listen(0).expect("a port"), folder, "/").expect("it starts");
        let status = |path: &str| {
            let host = site.address().trim_start_matches("http://").trim_end_matches('/');
            let mut stream = TcpStream::connect(host).expect("it listens");
            write!(stream, "GET {path} HTTP/1.0\r\n\r\n").expect("it takes questions");
            let mut answer = String::new();
            stream.read_to_string(&mut answer).expect("it answers");
            answer.split(' ').nth(1).map(str::to_owned)
        };
        assert_eq!(status("/Cargo.toml").as_deref(), Some("200"));
        assert_eq!(status("/src").as_deref(), Some("404"));
        assert_eq!(status("/src/").as_deref(), Some("404"));
    }

    #[test]
    fn wasm_is_sent_as_wasm_so_that_it_is_compiled_while_it_loads() {
        assert_eq!(media_type(Path::new("app_bg.wasm")), Some("application/wasm"));
        assert_eq!(media_type(Path::new("README")), None);
    }

    #[test]
    fn a_port_is_taken_from_the_arguments_or_is_8080() {
        let words = |text: &str| text.split_whitespace().map(String::from).collect::<Vec<_>>();
        assert_eq!(port_from(&words("")).expect("none given"), DEFAULT_PORT);
        assert_eq!(port_from(&words("--port 9000")).expect("a number"), 9000);
        assert_eq!(port_from(&words("--port=9000")).expect("a number"), 9000);
        assert!(port_from(&words("--port many")).is_err());
        assert!(port_from(&words("--host here")).is_err());
    }
}

//! A small server for the built page, on this machine alone.

use std::fs;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{Ipv4Addr, Shutdown, TcpListener, TcpStream};
use std::path::{Component, Path, PathBuf};
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result, bail};

use crate::setup::{self, Tool};
use crate::{page, paths};

const DEFAULT_PORT: u16 = 8080;

/// How long a connection may say nothing; browsers open some that they may never use.
const PATIENCE: Duration = Duration::from_secs(60);

/// The longest head of a request that is read.
const HEAD_BYTES: u64 = 64 * 1024;

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
    ("webmanifest", "application/manifest+json"),
    ("woff2", "font/woff2"),
];

/// Sent with every answer: nothing old is shown, nothing is guessed, nothing leaks to other sites.
const HEADERS: &[(&str, &str)] = &[
    ("Cache-Control", "no-cache"),
    ("Connection", "close"),
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

/// A folder being served until the program ends.
pub(crate) struct Site {
    address: String,
    accepting: thread::JoinHandle<()>,
}

impl Site {
    /// Serves `folder` below the path `prefix`, which begins and ends with a slash.
    ///
    /// Each connection has a thread and carries one request, so that none waits for another.
    ///
    /// # Errors
    /// The listener has no address any more.
    pub(crate) fn start(
        listener: TcpListener,
        folder: PathBuf,
        prefix: &'static str,
    ) -> Result<Self> {
        let address = format!("http://{}{prefix}", listener.local_addr()?);
        let accepting = thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let folder = folder.clone();
                // The other side may go away at any time; that is its own affair.
                thread::spawn(move || answer(&stream, &folder, prefix));
            }
        });
        Ok(Self { address, accepting })
    }

    /// The address of the page.
    pub(crate) fn address(&self) -> &str {
        &self.address
    }

    /// Serves until the program is ended.
    fn wait(self) {
        let _ = self.accepting.join();
    }
}

/// Answers the one request of a connection with a file of the folder.
fn answer(mut stream: &TcpStream, folder: &Path, prefix: &str) -> io::Result<()> {
    stream.set_read_timeout(Some(PATIENCE))?;
    let (method, url) = request(BufReader::new(stream.take(HEAD_BYTES)))?;
    let file = file_of(&url, prefix).map(|file| folder.join(file));
    let found = file.as_ref().and_then(|file| fs::read(file).ok());
    let (status, body) = match (method.as_str(), found) {
        ("GET" | "HEAD", Some(body)) => ("200 OK", body),
        ("GET" | "HEAD", None) => ("404 Not Found", b"not found".to_vec()),
        _ => ("405 Method Not Allowed", b"only GET and HEAD".to_vec()),
    };
    let mut head = format!("HTTP/1.1 {status}\r\nContent-Length: {}\r\n", body.len());
    let media_type = file.as_deref().and_then(media_type).filter(|_| status == "200 OK");
    let media_type = media_type.map(|value| ("Content-Type", value));
    for (name, value) in HEADERS.iter().copied().chain(media_type) {
        head.push_str(&format!("{name}: {value}\r\n"));
    }
    head.push_str("\r\n");
    stream.write_all(head.as_bytes())?;
    if method != "HEAD" {
        stream.write_all(&body)?;
    }
    stream.shutdown(Shutdown::Write)
}

/// The method and the address of a request, read to the end of its head.
fn request(head: impl BufRead) -> io::Result<(String, String)> {
    let mut lines = head.lines();
    let first = lines.next().transpose()?.unwrap_or_default();
    for line in lines {
        if line?.is_empty() {
            break;
        }
    }
    let mut words = first.split(' ').map(str::to_owned);
    Ok((words.next().unwrap_or_default(), words.next().unwrap_or_default()))
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

    #[test]
    fn idle_connections_keep_no_request_waiting() {
        let listener = listen(0).expect("some port is free");
        let port = listener.local_addr().expect("it listens").port();
        let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
        let _site = Site::start(listener, folder, "/").expect("it has an address");
        let connect = || TcpStream::connect((Ipv4Addr::LOCALHOST, port)).expect("it accepts");
        let _idle: Vec<TcpStream> = (0..20).map(|_| connect()).collect();
        for method in ["GET", "HEAD"] {
            let mut stream = connect();
            write!(stream, "{method} /Cargo.toml HTTP/1.1\r\nHost: here\r\n\r\n").expect("sent");
            let mut answer = String::new();
            stream.read_to_string(&mut answer).expect("answered");
            assert!(answer.starts_with("HTTP/1.1 200 OK\r\n"), "{answer}");
            assert_eq!(answer.contains("name = \"xtask\""), method == "GET", "{answer}");
        }
    }
}

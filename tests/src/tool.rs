//! The tools of e2fsprogs, run so that the same input always gives the same output.

use std::env;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::LazyLock;

use crate::skip;

/// The release whose output the oracles were written against.
pub const VERSION: &str = "1.47.0";

/// Seconds since 1970 that the tools take for now: 2024-01-01 00:00:00 UTC.
pub const NOW: &str = "1704067200";

/// Where tools lie that an ordinary `PATH` does not list.
const SBIN: [&str; 3] = ["/usr/sbin", "/sbin", "/usr/local/sbin"];

/// `mke2fs.conf` as e2fsprogs ships it in spirit: fixed, so that no machine's own file matters.
const MKE2FS_CONF: &str = "\
[defaults]
\tbase_features = sparse_super,large_file,filetype,resize_inode,dir_index,ext_attr
\tdefault_mntopts = acl,user_xattr
\tenable_periodic_fsck = 0
\tblocksize = 4096
\tinode_size = 256
\tinode_ratio = 16384
[fs_types]
\text3 = {
\t\tfeatures = has_journal
\t}
\text4 = {
\t\tfeatures = has_journal,extent,huge_file,flex_bg,metadata_csum,64bit,dir_nlink,extra_isize
\t}
";

/// The configuration file, written once per process.
static CONF: LazyLock<tempfile::NamedTempFile> = LazyLock::new(|| {
    let mut file = tempfile::NamedTempFile::new().expect("a temporary file can be made");
    file.write_all(MKE2FS_CONF.as_bytes()).expect("a temporary file can be written");
    file
});

/// The path of a tool, or `None` where it is not installed.
#[must_use]
pub fn find(name: &str) -> Option<PathBuf> {
    let path = env::var_os("PATH").unwrap_or_default();
    env::split_paths(&path)
        .chain(SBIN.iter().map(PathBuf::from))
        .map(|folder| folder.join(name))
        .find(|file| file.is_file())
}

/// Whether all `tools` are here in the release that the oracles know; if not, says so aloud.
///
/// # Panics
/// Where `CI` is set and a tool is missing.
#[must_use]
pub fn have(tools: &[&str], test: &str) -> bool {
    let missing: Vec<&str> = tools.iter().copied().filter(|name| find(name).is_none()).collect();
    let why = if missing.is_empty() {
        match version() {
            Some(found) if found == VERSION => return true,
            Some(found) => format!("e2fsprogs is {found}, the oracle is {VERSION}"),
            None => "the release of e2fsprogs could not be told".to_owned(),
        }
    } else {
        format!("not installed: {} (Debian: apt-get install e2fsprogs)", missing.join(", "))
    };
    assert!(!skip::must_run(), "{test} must run where CI is set; {why}");
    skip::aloud(test, &why);
    false
}

/// The release that `mke2fs -V` names.
fn version() -> Option<String> {
    let output = Command::new(find("mke2fs")?).arg("-V").output().ok()?;
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    Some(text.split_whitespace().nth(1)?.to_owned())
}

/// A command of a tool with the fixed surroundings; nothing of the caller's settings leaks in.
///
/// # Panics
/// When the tool is not installed; ask [`have`] first.
#[must_use]
pub fn command(name: &str) -> Command {
    surrounded(Command::new(found(name)))
}

/// The same, which is ended after a while: a damaged image may send a tool round in circles.
///
/// # Panics
/// When the tool is not installed; ask [`have`] first.
#[must_use]
pub fn hasty(name: &str) -> Command {
    let mut command = Command::new("timeout");
    command.arg("60").arg(found(name));
    surrounded(command)
}

fn found(name: &str) -> PathBuf {
    find(name).unwrap_or_else(|| panic!("{name} is not installed"))
}

fn surrounded(mut command: Command) -> Command {
    command
        .env_clear()
        .env("LC_ALL", "C")
        .env("TZ", "GMT0")
        .env("E2FSPROGS_FAKE_TIME", NOW)
        .env("E2FSPROGS_SKIP_PROGRESS", "1")
        .env("E2FSCK_CONFIG", "/dev/null")
        .env("MKE2FS_CONFIG", CONF.path())
        .env("DEBUGFS_PAGER", "cat")
        .stdin(Stdio::null());
    command
}

/// Runs a tool that must succeed and gives what it wrote to standard output.
///
/// # Panics
/// When it fails; the message holds what it said.
pub fn run<'a>(name: &str, args: impl IntoIterator<Item = &'a str>, image: &Path) -> String {
    let mut command = command(name);
    command.args(args).arg(image);
    let output = output(&mut command);
    assert!(output.status.success(), "{command:?} failed: {}", stderr(&output));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// Runs `debugfs` requests, one a line, on an image that it may write to.
///
/// # Panics
/// When `debugfs` cannot be run, or a request fails.
pub fn debugfs(image: &Path, requests: &str) {
    let script = image.with_extension("debugfs");
    fs::write(&script, requests).expect("a script can be written beside the image");
    let mut command = command("debugfs");
    command.arg("-w").arg("-f").arg(&script).arg(image);
    let output = output(&mut command);
    // The status stays 0 when a request fails; the first line is the banner.
    let stderr = stderr(&output);
    let mut complaints = stderr.lines().skip(1).filter(|line| !line.contains("Warning:"));
    assert!(output.status.success() && complaints.next().is_none(), "{command:?}: {stderr}");
    fs::remove_file(&script).expect("the script can be removed");
}

/// Bytes of a block of an image, as `dumpe2fs -h` prints them.
///
/// # Panics
/// When it prints none.
#[must_use]
pub fn block_size(image: &Path) -> u64 {
    let header = run("dumpe2fs", ["-h"], image);
    let line = header.lines().find_map(|line| line.strip_prefix("Block size:"));
    line.and_then(|size| size.trim().parse().ok()).expect("a block size")
}

/// Runs a command to its end.
fn output(command: &mut Command) -> Output {
    command.output().unwrap_or_else(|error| panic!("{command:?} cannot be run: {error}"))
}

/// What a tool complained about.
fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

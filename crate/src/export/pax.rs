//! Headers of a tar archive: ustar, with a pax header ahead for what ustar has no room for.
//! Ref: POSIX.1-2001, `pax`.

use tar::{EntryType, Header};

use crate::ondisk::InodeTime;

/// Bytes of a block of an archive.
pub(super) const TAR_BLOCK: usize = 512;

/// Longest name that ustar keeps whole.
const USTAR_NAME: usize = 100;

/// Records of a pax header: what ustar has no room for.
#[derive(Debug, Default)]
pub(super) struct PaxRecords {
    bytes: Vec<u8>,
}

impl PaxRecords {
    /// Adds a record; its length counts its own digits.
    pub(super) fn add(&mut self, key: &[u8], value: &[u8]) {
        // A space, an equals sign and a newline.
        let rest = key.len().saturating_add(value.len()).saturating_add(3);
        let mut len = rest;
        while len != rest.saturating_add(len.to_string().len()) {
            len = rest.saturating_add(len.to_string().len());
        }
        self.bytes.extend(len.to_string().bytes());
        for part in [b" ".as_slice(), key, b"=", value, b"\n"] {
            self.bytes.extend(part);
        }
    }

    /// Adds a time, seconds since 1970 with their fraction.
    pub(super) fn add_time(&mut self, key: &str, time: InodeTime) {
        self.add(key.as_bytes(), decimal(time).as_bytes());
    }
}

/// A time as a decimal number of seconds since 1970. Nanoseconds count forward, even before it.
fn decimal(time: InodeTime) -> String {
    let nanoseconds = i128::from(time.seconds)
        .saturating_mul(1_000_000_000)
        .saturating_add(i128::from(time.nanoseconds));
    let (sign, size) = if nanoseconds < 0 {
        ("-", nanoseconds.unsigned_abs())
    } else {
        ("", nanoseconds.unsigned_abs())
    };
    let (whole, part) = (size.div_euclid(1_000_000_000), size.rem_euclid(1_000_000_000));
    if part == 0 { format!("{sign}{whole}") } else { format!("{sign}{whole}.{part:09}") }
}

/// What an entry of an archive is.
#[derive(Debug)]
pub(super) struct TarHeader<'a> {
    pub(super) kind: EntryType,
    pub(super) path: &'a [u8],
    /// Where a link leads; empty for anything else.
    pub(super) link: &'a [u8],
    pub(super) mode: u16,
    pub(super) uid: u32,
    pub(super) gid: u32,
    pub(super) mtime: InodeTime,
    pub(super) device: Option<(u32, u32)>,
    /// Bytes of data that follow.
    pub(super) size: u64,
}

impl TarHeader<'_> {
    /// The bytes ahead of the data: a pax header where there is anything for it, then ustar's.
    pub(super) fn bytes(&self, mut records: PaxRecords) -> Vec<u8> {
        if self.path.len() > USTAR_NAME {
            records.add(b"path", self.path);
        }
        if self.link.len() > USTAR_NAME {
            records.add(b"linkpath", self.link);
        }
        let mut bytes = Vec::new();
        if !records.bytes.is_empty() {
            let size = u64::try_from(records.bytes.len()).unwrap_or(u64::MAX);
            let header = TarHeader {
                kind: EntryType::XHeader,
                path: b"PaxHeaders/entry",
                link: b"",
                mode: 0o644,
                device: None,
                size,
                ..*self
            };
            bytes.extend(header.ustar());
            bytes.extend(&records.bytes);
            pad(&mut bytes);
        }
        bytes.extend(self.ustar());
        bytes
    }

    /// ustar's header; what does not fit is cut, and told by the pax header.
    fn ustar(&self) -> [u8; TAR_BLOCK] {
        let mut header = Header::new_ustar();
        header.set_entry_type(self.kind);
        header.set_mode(u32::from(self.mode & 0o7777));
        header.set_uid(self.uid.into());
        header.set_gid(self.gid.into());
        header.set_mtime(self.mtime.seconds.try_into().unwrap_or(0));
        header.set_size(self.size);
        if let Some(ustar) = header.as_ustar_mut() {
            ustar.name = cut(self.path);
            ustar.linkname = cut(self.link);
            let (major, minor) = self.device.unwrap_or_default();
            ustar.set_device_major(major);
            ustar.set_device_minor(minor);
        }
        header.set_cksum();
        *header.as_bytes()
    }
}

/// As much of a name as ustar keeps.
fn cut(name: &[u8]) -> [u8; USTAR_NAME] {
    let mut field = [0; USTAR_NAME];
    for (to, byte) in field.iter_mut().zip(name) {
        *to = *byte;
    }
    field
}

/// Fills the last block with zeros.
pub(super) fn pad(bytes: &mut Vec<u8>) {
    bytes.resize(bytes.len().next_multiple_of(TAR_BLOCK), 0);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_length_of_a_record_counts_itself() {
        for (len, due) in [(0, "5 k=\n"), (4, "9 k=xxxx\n"), (5, "11 k=xxxxx\n")] {
            let mut records = PaxRecords::default();
            records.add(b"k", "x".repeat(len).as_bytes());
            assert_eq!(String::from_utf8_lossy(&records.bytes), due);
        }
    }

    #[test]
    fn times_before_1970_are_negative() {
        let told = |seconds, nanoseconds| decimal(InodeTime { seconds, nanoseconds });
        assert_eq!(told(5, 0), "5");
        assert_eq!(told(5, 70), "5.000000070");
        assert_eq!(told(-2, 500_000_000), "-1.500000000");
        assert_eq!(told(-1, 999_999_999), "-0.000000001");
    }
}

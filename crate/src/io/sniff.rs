//! What a thing is that is not an ext filesystem, and how to get at the one inside.

use super::partition::PartitionTable;
use super::{ByteSource, ReadKind, Reader};
use crate::error::{Error, ErrorKind, Result};

/// Bytes looked at: up to past the magic of btrfs, the last in the table.
pub(crate) const HEAD_BYTES: u64 = 128 << 10;

/// Bytes up to the end of the primary superblock.
const SUPERBLOCK_END: usize = 2048;

/// A mark by which a format is known.
struct Signature {
    name: &'static str,
    offset: usize,
    magic: &'static [u8],
    advice: Advice,
}

/// What to do with it.
enum Advice {
    /// Unpack it with this command.
    Unpack(&'static str),
    /// Turn it into a raw image with this command.
    Convert(&'static str),
    /// There is another filesystem or volume in it.
    Volume,
    /// It is no disk image.
    NoImage,
}

const fn row(name: &'static str, offset: usize, magic: &'static [u8], advice: Advice) -> Signature {
    Signature { name, offset, magic, advice }
}

const QEMU: &str = "qemu-img convert -O raw IMAGE disk.img";

/// Every format known by its magic; the first that fits wins.
const SIGNATURES: &[Signature] = &[
    row("a gzip file", 0, &[0x1f, 0x8b], Advice::Unpack("gzip -dk")),
    row("an xz file", 0, b"\xfd7zXZ\0", Advice::Unpack("xz -dk")),
    row("a zstd file", 0, &[0x28, 0xb5, 0x2f, 0xfd], Advice::Unpack("zstd -d")),
    row("a bzip2 file", 0, b"BZh", Advice::Unpack("bzip2 -dk")),
    row("an lz4 file", 0, &[0x04, 0x22, 0x4d, 0x18], Advice::Unpack("lz4 -dk")),
    row("a zip archive", 0, b"PK\x03\x04", Advice::Unpack("unzip")),
    row("a 7z archive", 0, b"7z\xbc\xaf\x27\x1c", Advice::Unpack("7z x")),
    row("a tar archive", 257, b"ustar", Advice::Unpack("tar -xf")),
    row("a qcow2 image", 0, b"QFI\xfb", Advice::Convert(QEMU)),
    row("a VMDK image", 0, b"KDMV", Advice::Convert(QEMU)),
    row("a VHDX image", 0, b"vhdxfile", Advice::Convert(QEMU)),
    row("a VHD image", 0, b"conectix", Advice::Convert(QEMU)),
    row("a VDI image", 64, &[0x7f, 0x10, 0xda, 0xbe], Advice::Convert(QEMU)),
    row(
        "an Android sparse image",
        0,
        &[0x3a, 0xff, 0x26, 0xed],
        Advice::Convert("simg2img IMAGE disk.img"),
    ),
    row("a LUKS volume", 0, b"LUKS\xba\xbe", Advice::Volume),
    row("an LVM physical volume", 512, b"LABELONE", Advice::Volume),
    row("an XFS filesystem", 0, b"XFSB", Advice::Volume),
    row("a Btrfs filesystem", 65600, b"_BHRfS_M", Advice::Volume),
    row("an NTFS filesystem", 3, b"NTFS    ", Advice::Volume),
    row("an exFAT filesystem", 3, b"EXFAT   ", Advice::Volume),
    row("a FAT filesystem", 82, b"FAT32   ", Advice::Volume),
    row("a FAT filesystem", 54, b"FAT1", Advice::Volume),
    row("an F2FS filesystem", 1024, &[0x10, 0x20, 0xf5, 0xf2], Advice::Volume),
    row("an HFS+ filesystem", 1024, b"H+\0\x04", Advice::Volume),
    row("an APFS container", 32, b"NXSB", Advice::Volume),
    row("a SquashFS filesystem", 0, b"hsqs", Advice::Volume),
    row("Linux swap space", 4086, b"SWAPSPACE2", Advice::Volume),
    row("an ISO 9660 image", 32769, b"CD001", Advice::Volume),
    row("a JPEG picture", 0, &[0xff, 0xd8, 0xff], Advice::NoImage),
    row("a PNG picture", 0, b"\x89PNG\r\n", Advice::NoImage),
    row("a GIF picture", 0, b"GIF8", Advice::NoImage),
    row("a PDF document", 0, b"%PDF", Advice::NoImage),
    row("an ELF program", 0, b"\x7fELF", Advice::NoImage),
];

const CHOOSE_ANOTHER: &str = "Choose the image of an ext2, ext3 or ext4 filesystem.";

/// The error for a source without a primary superblock: what was looked for, what is there
/// instead, and what to try if that is known.
///
/// # Errors
/// [`ErrorKind::Io`] when the source cannot be read.
pub fn not_ext<S: ByteSource>(reader: &Reader<S>) -> Result<Error> {
    let len = reader.len().min(HEAD_BYTES);
    let mut head = vec![0; usize::try_from(len).unwrap_or(0)];
    reader.read(ReadKind::Superblock, 0, &mut head)?;
    let (found, hint) = identify(reader, &head)?;
    let error = Error::new(ErrorKind::NotExt, format!("no ext superblock 1024 bytes in: {found}"));
    Ok(match hint {
        Some(hint) => error.with_hint(hint),
        None => error,
    })
}

/// What the first bytes of a partition or an image are the mark of, such as `FAT filesystem`.
pub(crate) fn known(head: &[u8]) -> Option<&'static str> {
    let signature = SIGNATURES.iter().find(|signature| signature.matches(head))?;
    Some(signature.name.trim_start_matches("a ").trim_start_matches("an "))
}

fn identify<S: ByteSource>(reader: &Reader<S>, head: &[u8]) -> Result<(String, Option<String>)> {
    if head.is_empty() {
        return Ok(("the image is empty".to_owned(), Some(CHOOSE_ANOTHER.to_owned())));
    }
    if let Some(signature) = SIGNATURES.iter().find(|signature| signature.matches(head)) {
        return Ok((format!("this is {}", signature.name), Some(signature.advice.hint())));
    }
    if head.len() < SUPERBLOCK_END {
        let found = format!("the image has {} bytes, too few for a superblock", head.len());
        return Ok((found, Some(CHOOSE_ANOTHER.to_owned())));
    }
    if let Some(table) = PartitionTable::read(reader)? {
        let found = format!("this is a disk with {} partitions", table.kind.name());
        return Ok((found, Some("Open one of its partitions.".to_owned())));
    }
    if head.iter().all(|byte| *byte == 0) {
        return Ok((format!("the first {} bytes are all zero", head.len()), None));
    }
    Ok(("nothing known is here instead".to_owned(), None))
}

impl Signature {
    fn matches(&self, head: &[u8]) -> bool {
        head.get(self.offset..).is_some_and(|rest| rest.starts_with(self.magic))
    }
}

impl Advice {
    fn hint(&self) -> String {
        match self {
            Self::Unpack(command) => {
                format!("Unpack it first ({command} IMAGE) and open what comes out.")
            }
            Self::Convert(command) => format!("Make a raw image of it first: {command}"),
            Self::Volume => format!("It is another kind of volume. {CHOOSE_ANOTHER}"),
            Self::NoImage => CHOOSE_ANOTHER.to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error_of(bytes: Vec<u8>) -> Error {
        not_ext(&Reader::new(bytes)).expect("reads")
    }

    #[test]
    fn every_signature_is_recognised_where_it_lies() {
        for signature in SIGNATURES {
            let mut bytes = vec![0; 70_000];
            bytes[signature.offset..][..signature.magic.len()].copy_from_slice(signature.magic);
            let error = error_of(bytes);
            assert_eq!(error.kind(), ErrorKind::NotExt);
            assert!(error.what().ends_with(&format!("this is {}", signature.name)), "{error}");
            assert!(error.hint().is_some());
        }
    }

    #[test]
    fn a_short_file_is_recognised_too() {
        let error = error_of(b"\x1f\x8b\x08".to_vec());
        assert!(error.what().ends_with("this is a gzip file"), "{error}");
    }

    #[test]
    fn nothing_zeros_and_noise_are_told_apart() {
        assert!(error_of(Vec::new()).what().ends_with("the image is empty"));
        for bytes in [vec![0; 1], vec![0; 1023], vec![7; 2047]] {
            let error = error_of(bytes);
            assert!(error.what().ends_with("too few for a superblock"), "{error}");
        }
        assert!(error_of(vec![0; 5000]).what().ends_with("the first 5000 bytes are all zero"));
        assert!(error_of(vec![7; 5000]).what().ends_with("nothing known is here instead"));
    }

    #[test]
    fn a_disk_with_partitions_is_told_from_a_filesystem() {
        let mut bytes = vec![0; 8 << 20];
        super::super::partition::testing::write_mbr(&mut bytes, 0, &[(0x83, 2048, 2048)]);
        let error = error_of(bytes);
        assert!(error.what().ends_with("this is a disk with MBR partitions"), "{error}");
        assert_eq!(error.hint(), Some("Open one of its partitions."));
    }
}

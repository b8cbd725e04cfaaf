//! Whole disks: partition tables written byte by byte, with images in their partitions.

use std::fs::{self, File};
use std::os::unix::fs::FileExt as _;
use std::path::{Path, PathBuf};

use flate2::Crc;

/// The type of a Linux partition in an MBR.
const LINUX: u8 = 0x83;

/// The type of what holds logical partitions.
const EXTENDED: u8 = 0x05;

/// The type of a Linux partition in a GPT, as its bytes lie on the disk.
const LINUX_GUID: [u8; 16] = [
    0xaf, 0x3d, 0xc6, 0x0f, 0x83, 0x84, 0x72, 0x47, 0x8e, 0x79, 0x3d, 0x69, 0xd8, 0x47, 0x7d, 0xe4,
];

/// A disk that is being made: sectors of so many bytes, and what lies in them.
pub struct Disk {
    path: PathBuf,
    file: File,
    sector: u64,
    sectors: u64,
}

impl Disk {
    /// A disk of zeros, in a file.
    ///
    /// # Panics
    /// When the file cannot be made.
    #[must_use]
    pub fn new(path: &Path, sector: u64, sectors: u64) -> Self {
        let file = File::create(path).expect("a file can be made");
        file.set_len(sector * sectors).expect("the scratch folder takes sparse files");
        Self { path: path.to_owned(), file, sector, sectors }
    }

    /// Where it lies.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Puts an image into the disk, from a sector on; gives how many sectors it takes.
    ///
    /// # Panics
    /// When one of the files cannot be read or written.
    pub fn put(&self, image: &Path, first: u64) -> u64 {
        let bytes = fs::read(image).expect("the image can be read");
        self.write(first * self.sector, &bytes);
        (bytes.len() as u64).div_ceil(self.sector)
    }

    /// Writes bytes.
    ///
    /// # Panics
    /// When that cannot be done.
    pub fn write(&self, at: u64, bytes: &[u8]) {
        self.file.write_all_at(bytes, at).expect("the disk can be written");
    }

    /// Writes a boot record at a sector: type, first sector as counted there, sectors.
    fn write_record(&self, at: u64, entries: &[(u8, u64, u64)]) {
        let mut record = [0; 512];
        record[510..].copy_from_slice(&[0x55, 0xaa]);
        for (index, (kind, first, count)) in entries.iter().enumerate() {
            let entry = &mut record[446 + 16 * index..][..16];
            entry[4] = *kind;
            entry[8..12].copy_from_slice(&low(*first));
            entry[12..].copy_from_slice(&low(*count));
        }
        self.write(at * self.sector, &record);
    }

    /// Writes an MBR: primary partitions, and logical ones, each with a sector in front of it for
    /// its record. First sector and sectors of each.
    pub fn write_mbr(&self, primary: &[(u64, u64)], logical: &[(u64, u64)]) {
        let mut entries: Vec<_> =
            primary.iter().map(|(first, count)| (LINUX, *first, *count)).collect();
        let base = logical.first().map_or(0, |(first, _)| first - 1);
        entries.extend(logical.last().map(|(first, count)| (EXTENDED, base, first + count - base)));
        self.write_record(0, &entries);
        for (index, (first, count)) in logical.iter().enumerate() {
            let mut entries = vec![(LINUX, 1, *count)];
            let next = logical.get(index + 1);
            entries.extend(next.map(|(first, count)| (EXTENDED, first - 1 - base, count + 1)));
            self.write_record(first - 1, &entries);
        }
    }

    /// Writes both copies of a GPT, and the MBR that stands for it. First sector, sectors and name
    /// of each partition; `None` leaves an entry out.
    pub fn write_gpt(&self, partitions: &[Option<(u64, u64, &str)>]) {
        self.write_record(0, &[(0xee, 1, self.sectors - 1)]);
        let mut entries = vec![0; 128 * 128];
        for (index, partition) in partitions.iter().enumerate() {
            let Some((first, count, name)) = partition else { continue };
            let entry = &mut entries[128 * index..][..128];
            entry[..16].copy_from_slice(&LINUX_GUID);
            entry[16..32].fill(index as u8 + 1);
            entry[32..40].copy_from_slice(&first.to_le_bytes());
            entry[40..48].copy_from_slice(&(first + count - 1).to_le_bytes());
            for (at, unit) in name.encode_utf16().enumerate() {
                entry[56 + 2 * at..][..2].copy_from_slice(&unit.to_le_bytes());
            }
        }
        let array = (entries.len() as u64).div_ceil(self.sector);
        let last = self.sectors - 1;
        let usable = (2 + array, last - array - 1);
        for (at, other, entries_at) in [(1, last, 2), (last, 1, last - array)] {
            self.write(entries_at * self.sector, &entries);
            let mut header = Vec::new();
            header.extend(b"EFI PART");
            header.extend(0x0001_0000_u32.to_le_bytes());
            header.extend(92_u32.to_le_bytes());
            header.extend([0; 8]);
            for lba in [at, other, usable.0, usable.1] {
                header.extend(lba.to_le_bytes());
            }
            header.extend([0x77; 16]);
            header.extend(entries_at.to_le_bytes());
            header.extend(128_u32.to_le_bytes());
            header.extend(128_u32.to_le_bytes());
            header.extend(crc32(&entries).to_le_bytes());
            let crc = crc32(&header);
            header[16..20].copy_from_slice(&crc.to_le_bytes());
            self.write(at * self.sector, &header);
        }
    }
}

fn crc32(bytes: &[u8]) -> u32 {
    let mut crc = Crc::new();
    crc.update(bytes);
    crc.sum()
}

fn low(n: u64) -> [u8; 4] {
    u32::try_from(n).expect("a small disk").to_le_bytes()
}

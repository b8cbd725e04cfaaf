//! What a scenario is like, in a few numbers and in one line of text.

use core::fmt;
use core::str::FromStr;

use serde::{Deserialize, Serialize};

use super::named;
use crate::error::{Error, ErrorKind, Result};

/// What a made-up filesystem is like.
///
/// As text it is a name, settings, or both: `half-full`, `half-full,fill=40,seed=7`,
/// `size=64m,block=1k`. [`KEYS`] lists the settings.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Recipe {
    /// Bytes of the filesystem, at most; a last group too short for its own metadata is left out.
    pub size: u64,
    /// Bytes of a block.
    pub block_size: u32,
    /// Blocks of a cluster; more than 1 is bigalloc.
    pub cluster_ratio: u32,
    /// Groups of a flex group; 1 is without flex_bg.
    pub groups_per_flex: u32,
    /// Whether block numbers have 64 bits.
    pub is_64bit: bool,
    /// Whether descriptors lie in their metablock groups; they do wherever their table would not
    /// leave half of a group.
    pub meta_bg: bool,
    /// Whether only some groups have a backup superblock.
    pub sparse_super: bool,
    /// What has a checksum.
    pub csum: Checksums,
    /// Bytes for each inode; more where there would be 2³² inodes.
    pub inode_ratio: u64,
    /// Of a hundred flex groups, how many hold files, from the first on. The others were never
    /// written, where there are checksums to say so.
    pub reach: u8,
    /// Of a hundred clusters there, how many are in use by files.
    pub fill: u8,
    /// The files of a flex group; where there are several kinds, flex groups have them in turn.
    pub files: Vec<FileKind>,
    /// Whether extents and the fill of flex groups vary about their mean.
    pub is_varied: bool,
    /// Whether files are preallocated and never written.
    pub is_unwritten: bool,
    /// What varies, varies by this.
    pub seed: u64,
}

/// What has a checksum.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Checksums {
    /// All metadata, by metadata_csum.
    Metadata,
    /// Descriptors alone, by uninit_bg.
    Gdt,
    /// Nothing.
    None,
}

/// One kind of files: `512x3` is three extents of 512 clusters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileKind {
    /// Clusters of an extent, on average; more where the fill leaves too little room for gaps, fewer
    /// where no extent holds so many.
    pub run: u32,
    /// Extents of a file.
    pub extents: u32,
}

impl Default for Recipe {
    fn default() -> Self {
        Self {
            size: 1 << 30,
            block_size: 4096,
            cluster_ratio: 1,
            groups_per_flex: 16,
            is_64bit: true,
            meta_bg: false,
            sparse_super: true,
            csum: Checksums::Metadata,
            inode_ratio: 16384,
            reach: 100,
            fill: 50,
            files: vec![FileKind { run: 512, extents: 1 }],
            is_varied: true,
            is_unwritten: false,
            seed: 1,
        }
    }
}

/// A setting: its key, what it takes, and how it is read and written.
pub struct Key {
    /// The key.
    pub name: &'static str,
    /// What it sets, in a few words.
    pub about: &'static str,
    read: fn(&mut Recipe, &str) -> Option<()>,
    write: fn(&Recipe) -> String,
}

/// All settings, in the order that they are written.
pub const KEYS: &[Key] = &[
    Key {
        name: "size",
        about: "bytes of the filesystem: 8m to 1p; more than 128t with larger blocks or clusters",
        read: |recipe, text| set(&mut recipe.size, parse_bytes(text)),
        write: |recipe| bytes(recipe.size),
    },
    Key {
        name: "block",
        about: "bytes of a block: 1k to 64k",
        read: |recipe, text| set(&mut recipe.block_size, narrow(parse_bytes(text)?)),
        write: |recipe| bytes(recipe.block_size.into()),
    },
    Key {
        name: "cluster",
        about: "blocks of a cluster: 1 to 256; more than 1 is bigalloc",
        read: |recipe, text| set(&mut recipe.cluster_ratio, text.parse().ok()),
        write: |recipe| recipe.cluster_ratio.to_string(),
    },
    Key {
        name: "flex",
        about: "groups of a flex group: 1 to 1024; 1 is without flex_bg",
        read: |recipe, text| set(&mut recipe.groups_per_flex, text.parse().ok()),
        write: |recipe| recipe.groups_per_flex.to_string(),
    },
    Key {
        name: "64bit",
        about: "yes or no: block numbers of 64 bits",
        read: |recipe, text| set(&mut recipe.is_64bit, parse_yes(text)),
        write: |recipe| yes(recipe.is_64bit),
    },
    Key {
        name: "meta_bg",
        about: "yes or no: descriptors in their metablock groups",
        read: |recipe, text| set(&mut recipe.meta_bg, parse_yes(text)),
        write: |recipe| yes(recipe.meta_bg),
    },
    Key {
        name: "sparse_super",
        about: "yes or no: backup superblocks in some groups alone",
        read: |recipe, text| set(&mut recipe.sparse_super, parse_yes(text)),
        write: |recipe| yes(recipe.sparse_super),
    },
    Key {
        name: "csum",
        about: "metadata, gdt or none: what has a checksum",
        read: |recipe, text| set(&mut recipe.csum, Checksums::parse(text)),
        write: |recipe| recipe.csum.name().to_owned(),
    },
    Key {
        name: "inodes",
        about: "bytes for each inode: 1k to 64m",
        read: |recipe, text| set(&mut recipe.inode_ratio, parse_bytes(text)),
        write: |recipe| bytes(recipe.inode_ratio),
    },
    Key {
        name: "reach",
        about: "0 to 100: percent of flex groups with files, from the first on",
        read: |recipe, text| set(&mut recipe.reach, text.parse().ok()),
        write: |recipe| recipe.reach.to_string(),
    },
    Key {
        name: "fill",
        about: "0 to 100: percent of clusters there that files use",
        read: |recipe, text| set(&mut recipe.fill, text.parse().ok()),
        write: |recipe| recipe.fill.to_string(),
    },
    Key {
        name: "files",
        about: "clusters of an extent and extents of a file, 512x3; kinds in turn, 512x1+8x40",
        read: |recipe, text| set(&mut recipe.files, parse_files(text)),
        write: |recipe| {
            let kinds = recipe.files.iter().map(ToString::to_string);
            kinds.collect::<Vec<_>>().join("+")
        },
    },
    Key {
        name: "varied",
        about: "yes or no: extents and fill vary about their mean",
        read: |recipe, text| set(&mut recipe.is_varied, parse_yes(text)),
        write: |recipe| yes(recipe.is_varied),
    },
    Key {
        name: "unwritten",
        about: "yes or no: files are preallocated and never written",
        read: |recipe, text| set(&mut recipe.is_unwritten, parse_yes(text)),
        write: |recipe| yes(recipe.is_unwritten),
    },
    Key {
        name: "seed",
        about: "a number: what varies, varies by it",
        read: |recipe, text| set(&mut recipe.seed, text.parse().ok()),
        write: |recipe| recipe.seed.to_string(),
    },
];

/// Puts a value that could be read in its place.
fn set<T>(place: &mut T, value: Option<T>) -> Option<()> {
    *place = value?;
    Some(())
}

/// A number of bytes such as `4k` or `1p`; letters stand for powers of 1024.
fn parse_bytes(text: &str) -> Option<u64> {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let (number, unit) = text.split_at_checked(digits.len())?;
    let power = match unit.to_ascii_lowercase().as_str() {
        "" => 0,
        "k" => 10,
        "m" => 20,
        "g" => 30,
        "t" => 40,
        "p" => 50,
        _ => return None,
    };
    number.parse::<u64>().ok()?.checked_mul(1 << power)
}

fn bytes(bytes: u64) -> String {
    let units = [(50, "p"), (40, "t"), (30, "g"), (20, "m"), (10, "k")];
    let whole = |power: u32| bytes > 0 && bytes.trailing_zeros() >= power;
    match units.into_iter().find(|(power, _)| whole(*power)) {
        Some((power, unit)) => format!("{}{unit}", bytes >> power),
        None => bytes.to_string(),
    }
}

fn narrow(value: u64) -> Option<u32> {
    u32::try_from(value).ok()
}

fn parse_yes(text: &str) -> Option<bool> {
    match text {
        "yes" => Some(true),
        "no" => Some(false),
        _ => None,
    }
}

fn yes(is_so: bool) -> String {
    if is_so { "yes" } else { "no" }.to_owned()
}

fn parse_files(text: &str) -> Option<Vec<FileKind>> {
    text.split('+').map(FileKind::parse).collect()
}

impl FileKind {
    fn parse(text: &str) -> Option<Self> {
        let (run, extents) = text.split_once('x')?;
        Some(Self { run: run.parse().ok()?, extents: extents.parse().ok()? })
    }
}

impl fmt::Display for FileKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{}", self.run, self.extents)
    }
}

impl Checksums {
    const ALL: [Self; 3] = [Self::Metadata, Self::Gdt, Self::None];

    fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|csum| csum.name() == text)
    }

    const fn name(self) -> &'static str {
        match self {
            Self::Metadata => "metadata",
            Self::Gdt => "gdt",
            Self::None => "none",
        }
    }
}

/// The recipe's name where it has one, or else each setting that is not the default.
impl fmt::Display for Recipe {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(named) = named::all().find(|named| named.recipe() == *self) {
            return f.write_str(named.name);
        }
        let default = Self::default();
        // A recipe without any setting is one all the same.
        let is_told = |key: &&Key| key.name == "size" || (key.write)(self) != (key.write)(&default);
        for (key, separator) in KEYS.iter().filter(is_told).zip([""].into_iter().chain([","; 32])) {
            write!(f, "{separator}{}={}", key.name, (key.write)(self))?;
        }
        Ok(())
    }
}

impl FromStr for Recipe {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let mut recipe = Self::default();
        let mut given: Vec<&str> = Vec::new();
        for (at, part) in text.split(',').enumerate() {
            let Some((name, value)) = part.split_once('=') else {
                let named = named::all().find(|named| at == 0 && named.name == part);
                recipe = named.ok_or_else(|| no_such_name(part))?.recipe();
                continue;
            };
            let key = KEYS.iter().find(|key| key.name == name).ok_or_else(|| no_such_key(name))?;
            if given.contains(&name) {
                let what =
                    format!("a scenario's {name} is given twice, the second time as {value}");
                return Err(refused(what).with_hint("Leave one of them out."));
            }
            given.push(name);
            (key.read)(&mut recipe, value).ok_or_else(|| {
                refused(format!("a scenario's {name} cannot be {value}"))
                    .with_hint(format!("It is {}.", key.about))
            })?;
        }
        Ok(recipe)
    }
}

/// The error for a recipe that there can be no filesystem of.
pub(super) fn refused(what: impl Into<std::borrow::Cow<'static, str>>) -> Error {
    Error::new(ErrorKind::Unsupported, what)
}

fn no_such_name(name: &str) -> Error {
    let names: Vec<_> = named::all().map(|named| named.name).collect();
    refused(format!("there is no scenario named {name}")).with_hint(format!(
        "There are {}; settings follow, as in size=1g,fill=40.",
        names.join(", ")
    ))
}

fn no_such_key(name: &str) -> Error {
    let names: Vec<_> = KEYS.iter().map(|key| key.name).collect();
    refused(format!("a scenario has no setting named {name}"))
        .with_hint(format!("There are {}.", names.join(", ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_and_recipe_say_the_same() {
        for text in [
            "half-full",
            "size=1g",
            "size=64m,block=1k,flex=1,64bit=no,meta_bg=yes,sparse_super=no,csum=gdt,inodes=8k",
            "size=2t,cluster=16,reach=40,fill=97,files=8x1+100x4,varied=no,unwritten=yes,seed=9",
        ] {
            let recipe: Recipe = text.parse().expect("a recipe");
            assert_eq!(recipe.to_string(), text);
            assert_eq!(recipe.to_string().parse::<Recipe>(), Ok(recipe));
        }
    }

    #[test]
    fn settings_change_a_named_recipe() {
        let recipe: Recipe = "half-full,fill=40,seed=7".parse().expect("a recipe");
        let named: Recipe = "half-full".parse().expect("a recipe");
        assert_eq!(recipe, Recipe { fill: 40, seed: 7, ..named });
    }

    #[test]
    fn what_makes_no_sense_is_told_with_what_does() {
        for text in ["", "nothing", "size=1g,half-full", "size=", "size=4x", "fill=300", "file=1x1"]
        {
            let error = text.parse::<Recipe>().unwrap_err();
            assert!(error.hint().is_some(), "{text}: {error}");
        }
        assert!("size=99999999p".parse::<Recipe>().is_err());
    }

    #[test]
    fn a_setting_given_twice_is_refused_and_one_of_a_named_recipe_is_not_given() {
        let error = "half-full,fill=40,seed=7,fill=50".parse::<Recipe>().unwrap_err();
        assert_eq!(error.what(), "a scenario's fill is given twice, the second time as 50");
        assert!("half-full,fill=40".parse::<Recipe>().is_ok());
    }
}

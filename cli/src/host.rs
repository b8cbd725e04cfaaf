//! What was named to be looked at: a file, or a scenario that is made up where it is read.

use std::path::Path;

use extscope::Result;
use extscope::io::{ByteSource, FileSource};
use extscope::scenario::Scenario;

/// What a scenario's recipe follows where a file could be named.
const SCENARIO: &str = "scenario:";

/// The bytes of what was named.
#[derive(Debug)]
pub(crate) enum Host {
    /// A file or block device.
    File(FileSource),
    /// A made-up filesystem.
    Scenario(Box<Scenario>),
}

impl Host {
    /// Opens a file; `scenario:RECIPE` makes one up instead. A file of such a name can be named
    /// with a folder ahead of it.
    pub(crate) fn open(path: &Path) -> Result<Self> {
        match path.to_str().and_then(|text| text.strip_prefix(SCENARIO)) {
            Some(recipe) => Ok(Self::Scenario(Box::new(Scenario::new(&recipe.parse()?)?))),
            None => Ok(Self::File(FileSource::open(path)?)),
        }
    }

    fn source(&self) -> &(dyn ByteSource + Sync) {
        match self {
            Self::File(file) => file,
            Self::Scenario(scenario) => &**scenario,
        }
    }
}

impl ByteSource for Host {
    fn len(&self) -> u64 {
        self.source().len()
    }

    fn read_at(&self, offset: u64, buf: &mut [u8]) -> Result<()> {
        self.source().read_at(offset, buf)
    }
}

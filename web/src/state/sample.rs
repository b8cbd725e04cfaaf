//! The built-in samples.

/// An image that comes with the page, fetched only when chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sample {
    /// The file below `samples/`, without `.img.gz`.
    pub file: &'static str,
    /// Its name in the list.
    pub label: &'static str,
    /// What there is to see in it, in a sentence.
    pub description: &'static str,
}

/// The samples, in the order they are listed.
pub const SAMPLES: [Sample; 3] = [
    Sample {
        file: "small-server",
        label: "Small server disk",
        description: "ext4 with 4 KiB blocks in 56 short groups, half full and scattered.",
    },
    Sample {
        file: "bigalloc",
        label: "Big clusters",
        description: "ext4 with bigalloc: a bit stands for a cluster of 4 blocks.",
    },
    Sample {
        file: "one-bitmap",
        label: "One bitmap",
        description: "8 MiB with 1 KiB blocks: a single group, good for a first look.",
    },
];

impl Sample {
    /// The sample's address, relative to the page.
    #[must_use]
    pub fn url(&self) -> String {
        format!("samples/{}.img.gz", self.file)
    }

    /// The name of the image inside.
    #[must_use]
    pub fn image_name(&self) -> String {
        format!("{}.img", self.file)
    }
}

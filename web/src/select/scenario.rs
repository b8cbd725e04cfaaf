//! The made-up filesystems that are offered, and what the sliders for one of a person's own say.

use crate::protocol::{FileKind, NamedScenario, Recipe};
use crate::text::{number, size};

/// How a scenario's name is shown.
#[must_use]
pub fn label(named: &NamedScenario) -> String {
    let words = named.name.replace('-', " ");
    let mut letters = words.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

/// Whose case it is.
#[must_use]
pub fn case(named: &NamedScenario) -> Option<String> {
    named.report.map(|report| format!("The case of a public report: {report}"))
}

/// A slider; its steps are powers of two, or whole numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Slider {
    /// Bytes of the filesystem.
    Size,
    /// Percent in use.
    Fill,
    /// Blocks of an extent.
    Run,
    /// Groups of a flex group.
    Flex,
}

impl Slider {
    /// All of them, in the order that they are shown.
    pub const ALL: [Self; 4] = [Self::Size, Self::Fill, Self::Run, Self::Flex];

    /// What it sets.
    #[must_use]
    pub const fn label(self) -> &'static str {
        match self {
            Self::Size => "Size",
            Self::Fill => "In use",
            Self::Run => "Extent length",
            Self::Flex => "Flex group",
        }
    }

    /// Its first and last step.
    #[must_use]
    pub const fn ends(self) -> (u32, u32) {
        match self {
            Self::Size => (23, 40),
            Self::Fill => (0, 100),
            Self::Run => (0, 13),
            Self::Flex => (0, 8),
        }
    }
}

/// Where the sliders of a scenario of one's own stand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sliders {
    size: u32,
    fill: u32,
    run: u32,
    flex: u32,
    seed: u64,
}

impl Default for Sliders {
    fn default() -> Self {
        Self { size: 32, fill: 50, run: 6, flex: 4, seed: 1 }
    }
}

impl Sliders {
    /// Where one of them stands.
    #[must_use]
    pub const fn at(&self, slider: Slider) -> u32 {
        match slider {
            Slider::Size => self.size,
            Slider::Fill => self.fill,
            Slider::Run => self.run,
            Slider::Flex => self.flex,
        }
    }

    /// The same with one of them moved.
    #[must_use]
    pub fn with(&self, slider: Slider, step: u32) -> Self {
        let (first, last) = slider.ends();
        let step = step.clamp(first, last);
        let mut sliders = self.clone();
        match slider {
            Slider::Size => sliders.size = step,
            Slider::Fill => sliders.fill = step,
            Slider::Run => sliders.run = step,
            Slider::Flex => sliders.flex = step,
        }
        sliders
    }

    /// The seed.
    #[must_use]
    pub const fn seed(&self) -> u64 {
        self.seed
    }

    /// The same with another seed.
    #[must_use]
    pub const fn with_seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self
    }

    /// What a slider's step means.
    #[must_use]
    pub fn value(&self, slider: Slider) -> String {
        match slider {
            Slider::Size => size::round(1 << self.size),
            Slider::Fill => format!("{} %", self.fill),
            Slider::Run => number::count(1 << self.run),
            Slider::Flex if self.flex == 0 => "none".to_owned(),
            Slider::Flex => format!("{} groups", 1 << self.flex),
        }
    }

    /// The scenario. Files have so many extents that there are inodes for all of them.
    #[must_use]
    pub fn recipe(&self) -> Recipe {
        /// Extents of a group that is cut up most, for each file of a group with inodes to spare.
        const CROWDED: u32 = 8;
        let run = 1 << self.run;
        let extents = (CROWDED * self.fill).div_ceil(100 * run).max(1);
        Recipe {
            size: 1 << self.size,
            fill: self.fill.to_le_bytes()[0],
            files: vec![FileKind { run, extents }],
            groups_per_flex: 1 << self.flex,
            seed: self.seed,
            ..Recipe::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::testing;

    #[test]
    fn sliders_stay_between_their_ends_and_lead_to_a_recipe() {
        let sliders = Sliders::default().with(Slider::Fill, 900).with(Slider::Size, 30);
        let sliders = sliders.with(Slider::Run, 0).with(Slider::Flex, 0).with_seed(7);
        assert_eq!(sliders.at(Slider::Fill), 100);
        assert_eq!(sliders.recipe().to_string(), "size=1g,flex=1,fill=100,files=1x8,seed=7");
        assert_eq!(
            (sliders.value(Slider::Flex), sliders.value(Slider::Fill)),
            ("none".into(), "100 %".into())
        );
    }

    #[test]
    fn whatever_sliders_ask_for_there_is_a_filesystem_of() {
        let steps = |slider: Slider| {
            let (first, last) = slider.ends();
            first..=last
        };
        let made = |size, fill, run, flex| {
            let sliders = Sliders::default().with(Slider::Size, size).with(Slider::Fill, fill);
            let recipe = sliders.with(Slider::Run, run).with(Slider::Flex, flex).recipe();
            let made = testing::made(&recipe);
            assert!(made.is_ok(), "{recipe}: {made:?}");
        };
        // Every one of two; of all four the ends and some between.
        for (run, flex) in
            steps(Slider::Run).flat_map(|run| steps(Slider::Flex).map(move |it| (run, it)))
        {
            made(27, 51, run, flex);
            made(31, 99, run, flex);
        }
        for (size, fill) in
            steps(Slider::Size).flat_map(|size| steps(Slider::Fill).map(move |it| (size, it)))
        {
            // As many groups as need be for a flex group to be whole.
            made(size.min(36), fill, fill % 14, size % 9);
        }
        let (first, last) = Slider::Size.ends();
        for (fill, run, flex) in
            [(0, 0, 0), (1, 0, 8), (50, 0, 4), (51, 0, 0), (99, 6, 8), (100, 0, 4)]
        {
            made(first, fill, run, flex);
            made(last, fill, run, flex);
            made(last, fill, 13, flex);
        }
    }

    #[test]
    fn a_name_is_shown_as_words() {
        let labels: Vec<_> = crate::protocol::named_scenarios().map(label).collect();
        assert!(
            labels
                .iter()
                .all(|label| label.starts_with(char::is_uppercase) && !label.contains('-'))
        );
        assert!(labels.contains(&"Half full".to_owned()));
    }
}

//! The map from what the page itself knows: until the engine's first tiles come.

use extscope::units::Group;
use extscope_picture::{Cells, Fineness, Ink, Layer, Source, Truth};

use crate::protocol::{BitmapState, share};
use crate::state::{Fullness, Known};

/// What is known of all groups, as a source of cells: each group is all alike.
#[derive(Clone, Copy, Debug)]
pub struct Sketch<'a>(pub &'a Known);

impl Sketch<'_> {
    /// Whether a layer can be sketched.
    #[must_use]
    pub const fn has(layer: Layer) -> bool {
        matches!(layer, Layer::Kind | Layer::Occupancy)
    }
}

impl Source for Sketch<'_> {
    fn group(&mut self, group: Group, _: Fineness, cells: &mut Cells) {
        let Fullness { state, used, of } = self.0.fullness(group);
        let truth = match state {
            BitmapState::Unread => Truth::Hearsay,
            BitmapState::Failed => Truth::Failed,
            BitmapState::Read | BitmapState::Synthesised => Truth::Known,
        };
        cells.clear(truth);
        let all = self.0.image().geometry.group_clusters(group);
        cells.fill_to(all, Ink::share(share(used, of)));
    }

    fn bits(&mut self, _: Group, cells: &mut Cells) {
        cells.clear(Truth::Known);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::testing::{alike, batch, read};

    #[test]
    fn a_group_is_as_full_as_the_page_knows() {
        let mut known = alike(3, 4096);
        known.merge(&batch(&[(1, read(0))], Vec::new()));
        let told = |group| {
            let mut cells = Cells::default();
            Sketch(&known).group(Group::new(group), Fineness::Whole, &mut cells);
            (cells.truth, cells.runs().collect::<Vec<_>>())
        };
        assert_eq!(told(0), (Truth::Hearsay, vec![(0, 8192, Ink::share(127))]));
        assert_eq!(told(1), (Truth::Known, vec![(0, 8192, Ink::share(255))]));
    }
}

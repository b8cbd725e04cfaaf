//! Where a plan leads to in other views.

use extscope::units::Fsblk;
use extscope_picture::Layer;

use crate::state::{MapPlace, Route, Selection, View};

/// The address of the plan on the map, block by block: of the whole disk, or of the blocks from the
/// first to the last.
#[must_use]
pub fn on_map(route: &Route, blocks: Option<(u64, u64)>) -> String {
    let mut to = route.with_view(View::Map);
    to.map = MapPlace { at: blocks.map(|(first, _)| Fsblk::new(first)), zoom: None };
    to.selection = blocks.map(|(first, last)| Selection::blocks(first, last));
    to.style.layer = Layer::Shrink;
    to.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_shown_where_the_plan_is_drawn() {
        let route = Route::parse("#/shrink?t=5000");
        assert_eq!(on_map(&route, None), "#/map?color=shrink&t=5000");
        assert_eq!(on_map(&route, Some((7, 9))), "#/map?color=shrink&at=7&sel=r:7-9&t=5000");
        assert_eq!(on_map(&route, Some((7, 7))), "#/map?color=shrink&at=7&sel=b:7&t=5000");
    }
}

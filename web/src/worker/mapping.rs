//! Tiles of the map, drawn one a step.

use core::ops::Range;

use extscope::analysis::Inventory;
use extscope::fs::Filesystem;
use extscope::io::ByteSource;
use extscope::units::Group;
use extscope_picture::{Disk, Figures, Look, Metadata, Palette, TileAt, World, paint};

use crate::protocol::{MapOrder, MapTile, Reply, StatsBatch};

/// What is known for the map, and the tiles that wait to be drawn.
#[derive(Debug)]
pub(super) struct Mapping {
    figures: Figures,
    /// `None` before the first tile.
    metadata: Option<Metadata>,
    /// The blocks of the owner that is looked for.
    extents: Vec<Range<u64>>,
    order: Option<Order>,
}

#[derive(Debug)]
struct Order {
    order: MapOrder,
    world: World,
    look: Look,
    next: usize,
}

impl Mapping {
    /// Nothing is known yet of `groups` groups, whose profiles have `parts` bytes.
    pub(super) fn new(groups: u32, parts: u32) -> Self {
        let figures = Figures::new(groups, parts);
        Self { figures, metadata: None, extents: Vec::new(), order: None }
    }

    /// Takes in what a sweep found, here or elsewhere.
    pub(super) fn learn(&mut self, batch: &StatsBatch) {
        let mut profiles = batch.profiles.chunks_exact(self.figures.parts().max(1));
        for (&group, row) in batch.groups.iter().zip(0..) {
            let profile = profiles.next().unwrap_or_default();
            if let Some(stats) = batch.stats.row(Group::new(row)) {
                self.figures.set(Group::new(group), stats, profile);
            }
        }
    }

    /// These blocks are looked for from now on.
    pub(super) fn look_for(&mut self, extents: Vec<(u64, u64)>) {
        self.extents = extents.into_iter().map(|(start, end)| start..end).collect();
        self.extents.sort_by_key(|extent| extent.start);
    }

    /// Takes over an order, in place of the one before.
    pub(super) fn order<S: ByteSource>(&mut self, filesystem: &Filesystem<S>, order: MapOrder) {
        let MapOrder { look, .. } = order;
        let world = World::with_columns(filesystem.geometry(), look.layout, look.columns);
        let kept = self.order.take().filter(|kept| kept.order.look == look);
        let look = match kept {
            Some(kept) => kept.look,
            None => Look::new(Palette::of(look.theme), look.layer, look.hidden),
        };
        if self.metadata.is_none() {
            self.metadata = Some(Metadata::new(filesystem));
        }
        self.order = Some(Order { order, world, look, next: 0 });
    }

    /// Whether there are tiles left to draw.
    pub(super) fn has_work(&self) -> bool {
        self.order.as_ref().is_some_and(|order| order.next < order.order.tiles.len())
    }

    /// Draws the next tile.
    pub(super) fn step<S: ByteSource>(
        &mut self,
        filesystem: &Filesystem<S>,
        inventory: Option<&Inventory>,
    ) -> Option<Reply> {
        let Self { figures, metadata, extents, order } = self;
        let Order { order, world, look, next } = order.as_mut()?;
        let at = *order.tiles.get(*next)?;
        *next += 1;
        let mut disk = Disk::new(filesystem, figures, metadata.as_ref()?, order.look.layer)
            .with_owners(inventory.map(|inventory| &inventory.map))
            .with_extents(extents);
        let tile = paint(world, look, order.scale(), TileAt { x: at.0, y: at.1 }, &mut disk);
        let pixels = tile.bytes().to_vec();
        Some(Reply::MapTile(MapTile { order: order.number, at, pixels }))
    }
}

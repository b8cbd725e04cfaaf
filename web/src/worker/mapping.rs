//! Tiles and pictures of the map, drawn a tile a step.

use core::ops::Range;

use extscope::bitmap::{BitmapRef, BitsMut, RunBitmap};
use extscope::fs::Filesystem;
use extscope::io::ByteSource;
use extscope::units::Group;
use extscope_picture::{
    Disk, Figures, Findings, Layer, Look, Metadata, Palette, Pixels, Scale, TILE, TileAt, World,
    paint,
};

use super::jobs::Jobs;
use super::logged::Logged;
use crate::protocol::{MapLook, MapOrder, MapPicture, MapPixels, MapTile, Reply, StatsBatch};

/// What is known for the map, and what waits to be drawn.
#[derive(Debug)]
pub(super) struct Mapping {
    figures: Figures,
    /// `None` before the first tile.
    metadata: Option<Metadata>,
    /// The blocks of the owner that is looked for.
    extents: Vec<Range<u64>>,
    /// Bytes of the image that were read, here or elsewhere.
    reads: RunBitmap,
    order: Option<Order>,
    picture: Option<Picture>,
}

#[derive(Debug)]
struct Order {
    order: MapOrder,
    scene: Scene,
    next: usize,
}

/// A picture that is being drawn.
#[derive(Debug)]
struct Picture {
    asked: MapPicture,
    scene: Scene,
    pixels: Pixels,
    tiles: std::vec::IntoIter<TileAt>,
}

/// What tiles are drawn of.
#[derive(Debug)]
struct Scene {
    of: MapLook,
    world: World,
    look: Look,
}

impl Scene {
    fn new<S: ByteSource>(filesystem: &Filesystem<S>, of: MapLook) -> Self {
        let world = World::with_columns(filesystem.geometry(), of.layout, of.columns);
        Self {
            of,
            world,
            look: Look::new(Palette::of(of.theme), of.layer, of.hidden).with_bits(of.bits),
        }
    }

    /// Whether what it shows was replaced meanwhile; the page hears of that, and asks anew.
    fn is_late<S>(&self, jobs: &Jobs<S>) -> bool {
        let of_plan = jobs.planned.as_ref().map(|(request, _)| *request);
        let of_check = jobs.checked.as_ref().map(|(mode, _)| *mode);
        self.of.planned.is_some() && self.of.planned != of_plan
            || self.of.checked.is_some() && self.of.checked != of_check
    }
}

impl Mapping {
    /// Nothing is known yet of `groups` groups, whose profiles have `parts` bytes.
    pub(super) fn new<S: ByteSource>(filesystem: &Filesystem<S>, groups: u32, parts: u32) -> Self {
        Self {
            figures: Figures::new(groups, parts),
            metadata: None,
            extents: Vec::new(),
            reads: RunBitmap::new(filesystem.image_len()),
            order: None,
            picture: None,
        }
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
        self.note_reads(&batch.reads);
    }

    /// Keeps a bitmap that went by, for tiles that show each of its bits.
    pub(super) fn keep(&mut self, group: Group, bits: BitmapRef<'_>) {
        self.figures.keep(group, bits);
    }

    fn note_reads(&mut self, reads: &[(u64, u64)]) {
        for &(first, end) in reads {
            self.reads.mark_range(first..end);
        }
    }

    /// These blocks are looked for from now on.
    pub(super) fn look_for(&mut self, extents: Vec<(u64, u64)>) {
        self.extents = extents.into_iter().map(|(start, end)| start..end).collect();
        self.extents.sort_by_key(|extent| extent.start);
    }

    /// What the sweeps found.
    pub(super) fn figures(&self) -> &Figures {
        &self.figures
    }

    /// The blocks that are looked for, in order.
    pub(super) fn extents(&self) -> &[Range<u64>] {
        &self.extents
    }

    /// Takes over an order, in place of the one before.
    pub(super) fn order<S: ByteSource>(&mut self, filesystem: &Filesystem<S>, order: MapOrder) {
        let kept = self.order.take().map(|kept| kept.scene).filter(|scene| scene.of == order.look);
        let scene = kept.unwrap_or_else(|| Scene::new(filesystem, order.look));
        self.order = Some(Order { order, scene, next: 0 });
    }

    /// Begins a picture, in place of the one before.
    pub(super) fn picture<S: ByteSource>(&mut self, filesystem: &Filesystem<S>, asked: MapPicture) {
        let scene = Scene::new(filesystem, asked.look);
        let (width, height) = asked.size;
        let along = |corner: i64, pixels: u32| {
            let tile = |pixel: i64| u32::try_from(pixel.max(0) / i64::from(TILE)).unwrap_or(0);
            tile(corner)..tile(corner.saturating_add(pixels.into())).saturating_add(1)
        };
        let columns = along(asked.corner.0, width);
        let tiles = along(asked.corner.1, height)
            .flat_map(|y| columns.clone().map(move |x| TileAt { x, y }))
            .collect::<Vec<_>>();
        let pixels = Pixels::filled(width, height, scene.look.palette().well);
        self.picture = Some(Picture { asked, scene, pixels, tiles: tiles.into_iter() });
    }

    /// Whether there is something left to draw.
    pub(super) fn has_work(&self) -> bool {
        let is_left = |order: &Order| order.next < order.order.tiles.len();
        self.order.as_ref().is_some_and(is_left) || self.picture.is_some()
    }

    /// Draws the next tile: one that is seen, or else one of a picture.
    pub(super) fn step<S: ByteSource + Clone + 'static>(
        &mut self,
        filesystem: &Filesystem<Logged<S>>,
        jobs: &Jobs<Logged<S>>,
    ) -> Option<Reply> {
        let order = self.order.take().filter(|order| !order.scene.is_late(jobs));
        if let Some(mut order) = order {
            let next = order.order.tiles.get(order.next).copied();
            order.next += 1;
            let number = order.order.number;
            let tile = next.map(|(x, y)| {
                let scale = order.order.scale();
                let tile = self.paint(filesystem, jobs, &order.scene, scale, TileAt { x, y });
                let pixels = tile.bytes().to_vec();
                Reply::MapTile(MapTile { order: number, at: (x, y), pixels })
            });
            self.order = Some(order);
            if tile.is_some() {
                return tile;
            }
        }
        let mut picture = self.picture.take()?;
        let Some(at) = picture.tiles.next() else {
            let pixels = picture.pixels.bytes().to_vec();
            return Some(Reply::MapPicture(MapPixels { width: picture.pixels.width(), pixels }));
        };
        let (x, y, ratio) = picture.asked.scale;
        let tile = self.paint(filesystem, jobs, &picture.scene, Scale { x, y, ratio }, at);
        let place = |tile: u32, corner: i64| i64::from(tile) * i64::from(TILE) - corner;
        let (left, top) =
            (place(at.x, picture.asked.corner.0), place(at.y, picture.asked.corner.1));
        picture.pixels.put(&tile, left, top);
        self.picture = Some(picture);
        None
    }

    fn paint<S: ByteSource + Clone + 'static>(
        &mut self,
        filesystem: &Filesystem<Logged<S>>,
        jobs: &Jobs<Logged<S>>,
        scene: &Scene,
        scale: Scale,
        at: TileAt,
    ) -> Pixels {
        if scene.of.layer == Layer::Reads {
            self.note_reads(&filesystem.reader().source().take());
        }
        let metadata = self.metadata.get_or_insert_with(|| Metadata::new(filesystem));
        let inventory = jobs.inventory.as_deref();
        let findings = Findings {
            owners: inventory.map(|inventory| &inventory.map),
            mtimes: inventory.map(|inventory| &inventory.mtimes),
            extents: &self.extents,
            faults: jobs.checked.as_ref().map(|(_, faults)| &**faults).unwrap_or_default(),
            shrink: jobs.planned.as_ref().map(|(_, shrunk)| shrunk),
            reads: Some(&self.reads),
        };
        let disk = Disk::new(filesystem, &self.figures, metadata, scene.of.layer);
        paint(&scene.world, &scene.look, scale, at, &mut disk.with(findings))
    }
}

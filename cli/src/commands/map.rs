//! `extscope map`: the whole disk as a picture.

use core::ops::Range;
use std::io::Write;
use std::path::PathBuf;

use extscope::analysis::{OwnerMap, Survey, Sweep, SweepOptions, profile};
use extscope::fs::{BitmapKind, MapItem};
use extscope::task::{Step, Task};
use extscope::units::Ino;
use extscope::{Error, ErrorKind};
use extscope_picture::{
    Disk, Figures, Kinds, Layer, Layout, Look, Metadata, Palette, Pixels, Sheet, Theme, World,
};

use crate::args::ImageArgs;
use crate::failure::Failure;
use crate::image::{self, Image};
use crate::output;
use crate::progress::{Shown, run_to_end};

/// What to draw, of which image, and where to.
#[derive(Debug, clap::Args)]
pub(crate) struct MapArgs {
    #[command(flatten)]
    image: ImageArgs,

    /// Write the picture, a PNG, to this file
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,

    /// What the colours say
    #[arg(long, default_value = "kind", value_parser = layer, value_name = "kind|occ|frag|owner|csum|inodes")]
    layer: Layer,

    /// The inode whose blocks the layer owner shows
    #[arg(long, value_name = "N", required_if_eq("layer", "owner"))]
    inode: Option<u32>,

    /// How blocks follow one another
    #[arg(long, default_value = "rows", value_parser = layout, value_name = "rows|snake|hilbert")]
    layout: Layout,

    /// Dark or light colours
    #[arg(long, default_value = "dark", value_parser = theme, value_name = "dark|light")]
    theme: Theme,

    /// Pixels of a row, at most
    #[arg(long, default_value_t = 1600, value_parser = clap::value_parser!(u32).range(1..=16_384))]
    width: u32,

    /// Rows of pixels, at most
    #[arg(long, default_value_t = 1200, value_parser = clap::value_parser!(u32).range(1..=16_384))]
    height: u32,
}

fn layer(name: &str) -> Result<Layer, String> {
    Layer::parse(name)
        .ok_or_else(|| format!("layers are {}", Layer::ALL.map(Layer::slug).join(", ")))
}

fn layout(name: &str) -> Result<Layout, String> {
    Layout::parse(name)
        .ok_or_else(|| format!("layouts are {}", Layout::ALL.map(Layout::slug).join(", ")))
}

fn theme(name: &str) -> Result<Theme, String> {
    Theme::parse(name).ok_or_else(|| "themes are dark and light".to_owned())
}

/// Draws the whole disk and tells how large the picture is.
pub(crate) fn run(args: &MapArgs, out: &mut impl Write) -> Result<(), Failure> {
    let filesystem = image::open(&args.image)?;
    let fail = |error| Failure::image(&args.image.path, error);
    if filesystem.groups().is_empty() {
        let what = "there are no block groups on an external journal";
        return Err(fail(Error::new(ErrorKind::Unsupported, what)));
    }
    let pixels = draw(args, &filesystem).map_err(fail)?;
    let file = output::create(&args.output, &args.image.path)?;
    let mut encoder =
        png::Encoder::new(std::io::BufWriter::new(file), pixels.width(), pixels.height());
    encoder.set_color(png::ColorType::Rgba);
    encoder.set_depth(png::BitDepth::Eight);
    let encoded = encoder.write_header().and_then(|mut writer| {
        writer.write_image_data(pixels.bytes()).and_then(|()| writer.finish())
    });
    encoded.map_err(|error| Failure::Output(std::io::Error::other(error)))?;
    writeln!(out, "{}: {} by {} pixels", args.output.display(), pixels.width(), pixels.height())?;
    Ok(())
}

fn draw(args: &MapArgs, filesystem: &Image) -> Result<Pixels, Error> {
    let figures = sweep(filesystem)?;
    let metadata = Metadata::new(filesystem);
    let owners: Option<OwnerMap> = match args.layer {
        Layer::Kind => Some(run_to_end("Reading inodes", Survey::new(filesystem))?),
        _ => None,
    };
    let extents = match args.inode {
        Some(ino) if args.layer == Layer::Owner => extents(filesystem, Ino::new(ino))?,
        _ => Vec::new(),
    };
    let mut disk = Disk::new(filesystem, &figures, &metadata, args.layer)
        .with_owners(owners.as_ref())
        .with_extents(&extents);
    let room = (f64::from(args.width), f64::from(args.height));
    let world = World::fit(filesystem.geometry(), args.layout, room, 2.0);
    let look = Look::new(Palette::of(args.theme), args.layer, Kinds::default());
    let mut sheet = Sheet::new(&world, &look, args.width, args.height);
    let mut shown = Shown::new("Drawing");
    while let Some((drawn, tiles)) = sheet.step(&world, &look, &mut disk) {
        shown.tell(|| format!("{drawn} of {tiles}"));
    }
    shown.clear();
    Ok(sheet.pixels().clone())
}

/// Figures and profiles of all groups.
fn sweep(filesystem: &Image) -> Result<Figures, Error> {
    let groups = filesystem.groups().len();
    let parts = profile::parts_for(groups);
    let mut figures = Figures::new(groups, parts);
    let options = SweepOptions { inodes: false, ..SweepOptions::default() };
    let mut sweep = Sweep::new(filesystem, options)?;
    let mut shown = Shown::new("Reading bitmaps");
    loop {
        let stepped = sweep.step_with(&mut |swept| {
            if swept.kind == BitmapKind::Block {
                let profile = profile::profile(&swept.bits, parts);
                figures.set(swept.group, swept.stats.blocks, &profile);
            }
        })?;
        if let Step::Done(()) = stepped {
            shown.clear();
            return Ok(figures);
        }
        shown.tell_progress(sweep.progress());
    }
}

/// The blocks of an inode, in the order of the disk.
fn extents(filesystem: &Image, ino: Ino) -> Result<Vec<Range<u64>>, Error> {
    let inode = filesystem.inode(ino)?;
    let mut extents = Vec::new();
    for item in filesystem.map_items(&inode) {
        if let MapItem::Mapping(mapping) = item? {
            extents.push(mapping.fsblk.get()..mapping.fsblk_end());
        }
    }
    extents.sort_by_key(|extent| extent.start);
    Ok(extents)
}

//! `extscope map`: the whole disk as a picture.

use core::ops::Range;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use clap::builder::{PathBufValueParser, TypedValueParser as _};
use extscope::analysis::{Mtimes, OwnerMap, Survey, Sweep, SweepOptions, profile};
use extscope::check::{Check, CheckOptions, places};
use extscope::fs::{BitmapKind, MapItem};
use extscope::report::{self, InfoReport};
use extscope::task::{Step, Task};
use extscope::units::Ino;
use extscope::{Error, ErrorKind, limits};
use extscope_picture::poster::{self, LegendRow, Poster};
use extscope_picture::{
    Disk, Figures, Findings, Kinds, Layer, Layout, Look, Metadata, Palette, Pixels, Sheet, Theme,
    World,
};

use crate::args::ImageArgs;
use crate::failure::Failure;
use crate::image::{self, Image};
use crate::output::{self, Overwrite};
use crate::progress::{self, Shown};

/// What to draw, of which image, and where to.
#[derive(Debug, clap::Args)]
pub(crate) struct MapArgs {
    #[command(flatten)]
    image: ImageArgs,

    /// Write the picture to this file: an SVG with name, legend and scale where it ends in .svg,
    /// a PNG where it ends in .png or in nothing
    #[arg(short, long, value_name = "FILE", value_parser = PathBufValueParser::new().try_map(picture))]
    output: PathBuf,

    #[command(flatten)]
    overwrite: Overwrite,

    /// What the colours say: kind, occ, frag, files, owner, age, csum, inodes, uninit, problems
    #[arg(long, default_value = "kind", value_parser = layer, value_name = "LAYER")]
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

/// Whether a file of this name is to be an SVG.
fn is_svg(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("svg"))
}

fn picture(path: PathBuf) -> Result<PathBuf, &'static str> {
    let is_png = path.extension().is_none_or(|ending| ending.eq_ignore_ascii_case("png"));
    if is_png || is_svg(&path) { Ok(path) } else { Err("pictures end in .png or .svg") }
}

fn layer(name: &str) -> Result<Layer, String> {
    // What a shrink would do, and what was read, is drawn where one can be planned and looked at.
    let drawn = |layer: &Layer| !matches!(layer, Layer::Shrink | Layer::Reads);
    Layer::parse(name).filter(drawn).ok_or_else(|| {
        let layers = Layer::ALL.into_iter().filter(drawn).map(Layer::slug);
        format!("layers are {}", layers.collect::<Vec<_>>().join(", "))
    })
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
    output::check(&args.output, &args.image, args.overwrite)?;
    let drawn = draw(args, &filesystem).map_err(fail)?;
    let pixels = drawn.sheet.pixels();
    output::write(&args.output, &args.image, args.overwrite, |file| {
        let mut file = BufWriter::new(file);
        if is_svg(&args.output) {
            file.write_all(svg(args, &filesystem, &drawn)?.as_bytes())?;
        } else {
            encode(pixels, &mut file)?;
        }
        Ok(file.flush()?)
    })?;
    writeln!(out, "{}: {} by {} pixels", args.output.display(), pixels.width(), pixels.height())?;
    Ok(())
}

/// Writes pixels as a PNG.
fn encode(pixels: &Pixels, file: &mut impl Write) -> Result<(), Failure> {
    let mut encoder = png::Encoder::new(file, pixels.width(), pixels.height());
    encoder.set_color(png::ColorType::Rgba);
    encoder.set_depth(png::BitDepth::Eight);
    let encoded = encoder.write_header().and_then(|mut writer| {
        writer.write_image_data(pixels.bytes()).and_then(|()| writer.finish())
    });
    encoded.map_err(|error| Failure::Output(std::io::Error::other(error)))
}

/// The picture with what it takes to be read alone.
fn svg(args: &MapArgs, filesystem: &Image, drawn: &Drawn) -> Result<String, Failure> {
    let pixels = drawn.sheet.pixels();
    let mut png = Vec::new();
    encode(pixels, &mut png)?;
    let url = format!("data:image/png;base64,{}", BASE64_STANDARD.encode(png));
    let size = (f64::from(pixels.width()), f64::from(pixels.height()));
    let info = InfoReport::new(filesystem);
    let label = info.volume_name.trim();
    let file = args.image.path.file_name().unwrap_or_default().to_string_lossy();
    let poster = Poster {
        title: if label.is_empty() { file.into_owned() } else { label.to_owned() },
        subtitle: poster::subtitle(&info),
        scale: poster::scale(filesystem.geometry(), drawn.sheet.scale()),
        note: format!("extscope {}, {}", env!("CARGO_PKG_VERSION"), day()),
        size,
        map: poster::image(&url, (0.0, 0.0), size),
        legend: LegendRow::of(args.layer, drawn.has_owners, |_| None),
    };
    Ok(poster.svg(&drawn.look, args.layer))
}

/// Today, in UTC.
fn day() -> String {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    report::time(now.as_secs()).split(' ').next().unwrap_or_default().to_owned()
}

/// A picture, and what is known of it.
struct Drawn {
    sheet: Sheet,
    look: Look,
    has_owners: bool,
}

fn draw(args: &MapArgs, filesystem: &Image) -> Result<Drawn, Error> {
    let figures = sweep(filesystem)?;
    let metadata = Metadata::new(filesystem);
    let (owners, mtimes) = match args.layer.asks_for_owners() {
        true => survey(filesystem).map(|(owners, mtimes)| (Some(owners), Some(mtimes)))?,
        false => (None, None),
    };
    let extents = match args.inode {
        Some(ino) if args.layer == Layer::Owner => extents(filesystem, Ino::new(ino))?,
        _ => Vec::new(),
    };
    let faults = match args.layer {
        Layer::Problems => faults(args, filesystem)?,
        _ => Vec::new(),
    };
    let mut disk = Disk::new(filesystem, &figures, &metadata, args.layer).with(Findings {
        owners: owners.as_ref(),
        mtimes: mtimes.as_ref(),
        extents: &extents,
        faults: &faults,
        ..Findings::default()
    });
    let room = (f64::from(args.width), f64::from(args.height));
    let world = World::fit(filesystem.geometry(), args.layout, room, 2.0);
    let look = Look::new(Palette::of(args.theme), args.layer, Kinds::default());
    let mut sheet = Sheet::new(&world, &look, args.width, args.height);
    let mut shown = Shown::new("Drawing");
    while let Some((drawn, tiles)) = sheet.step(&world, &look, &mut disk) {
        shown.tell(|| format!("{drawn} of {tiles}"));
    }
    shown.clear();
    Ok(Drawn { sheet, look, has_owners: owners.is_some() })
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

/// Whose every block is, and when every inode changed last.
fn survey(filesystem: &Image) -> Result<(OwnerMap, Mtimes), Error> {
    let mut mtimes = Mtimes::default();
    let mut survey = Survey::new(filesystem);
    let mut shown = Shown::new("Reading inodes");
    loop {
        if let Step::Done(owners) = survey.step_with(&mut |inode, _| mtimes.add(inode))? {
            shown.clear();
            return Ok((owners, mtimes));
        }
        shown.tell_progress(survey.progress());
    }
}

/// The blocks that a check complains of.
fn faults(args: &MapArgs, filesystem: &Image) -> Result<Vec<Range<u64>>, Error> {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    let options = CheckOptions {
        now: now.ok().map(|now| now.as_secs()),
        from: args.image.how.options(),
        ..CheckOptions::default()
    };
    let check = Check::new(filesystem.reader().source(), options);
    let report = progress::run_to_end("Checking", check)?;
    Ok(places(filesystem, &report.problems))
}

/// The blocks of an inode, in the order of the disk.
fn extents(filesystem: &Image, ino: Ino) -> Result<Vec<Range<u64>>, Error> {
    let inode = filesystem.inode(ino)?;
    let mut extents = Vec::new();
    for item in filesystem.map_items(&inode) {
        if let MapItem::Mapping(mapping) = item? {
            if extents.len() >= limits::FILE_PIECES {
                let what = format!("blocks in over {} pieces", limits::FILE_PIECES);
                let error = Error::new(ErrorKind::Limit, what).at_ino(ino);
                return Err(error.with_hint("The other layers show its blocks among all."));
            }
            extents.push(mapping.fsblk.get()..mapping.fsblk_end());
        }
    }
    extents.sort_by_key(|extent| extent.start);
    Ok(extents)
}

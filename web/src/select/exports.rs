//! What can be saved of an image, under which name.

use extscope::ondisk::reserved;

use crate::protocol::{
    Export, NamesTold, PlanChanges, PlanTable, ReportFormat, ShrinkRequest, Table, TableFormat,
};
use crate::state::transfer::save_name;
use crate::state::{Look, OpenImage, View};
use crate::text::{number, time};

/// Something that can be saved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Offer {
    /// What it is.
    pub kind: OfferKind,
    /// What it is called.
    pub name: &'static str,
    /// What is in it.
    pub note: String,
}

/// What can be saved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OfferKind {
    /// A table.
    Table(Table),
    /// Everything worth knowing at once.
    Report,
    /// What resize2fs would do.
    Plan(ShrinkRequest),
    /// All files.
    Archive,
    /// The free extents by length, as a chart.
    FreeChart,
    /// The map as it is seen.
    Map,
}

/// A form in which something is saved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Lines of cells.
    Csv,
    /// Objects.
    Json,
    /// A page.
    Html,
    /// An archive.
    Tar,
    /// A drawing.
    Svg,
    /// A picture of twice the drawing's size.
    Png,
    /// A picture of the drawing's size.
    PngOnce,
    /// A picture of four times the drawing's size.
    PngFourfold,
}

impl Form {
    /// What people call it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Csv => "CSV",
            Self::Json => "JSON",
            Self::Html => "HTML",
            Self::Tar => "tar",
            Self::Svg => "SVG",
            Self::Png => "PNG",
            Self::PngOnce => "PNG, 1\u{d7}",
            Self::PngFourfold => "PNG, 4\u{d7}",
        }
    }

    /// Pixels of a picture for each of the drawing; a drawing stays sharp at any size, and what is
    /// a picture in it has twice its pixels.
    #[must_use]
    pub const fn times(self) -> u32 {
        match self {
            Self::PngOnce => 1,
            Self::PngFourfold => 4,
            _ => 2,
        }
    }

    /// The end of a file's name.
    const fn extension(self) -> &'static str {
        match self {
            Self::Csv => "csv",
            Self::Json => "json",
            Self::Html => "html",
            Self::Tar => "tar",
            Self::Svg => "svg",
            Self::Png | Self::PngOnce | Self::PngFourfold => "png",
        }
    }
}

impl OfferKind {
    /// The forms that it has, the usual one first.
    #[must_use]
    pub const fn forms(self) -> &'static [Form] {
        match self {
            Self::Table(_) => &[Form::Csv, Form::Json],
            Self::Report => &[Form::Html, Form::Json],
            Self::Plan(_) => &[Form::Json],
            Self::Archive => &[Form::Tar],
            Self::FreeChart => &[Form::Svg, Form::Png],
            Self::Map => &[Form::Png, Form::PngOnce, Form::PngFourfold, Form::Svg],
        }
    }

    /// Whether names of files can be left out of it.
    #[must_use]
    pub const fn has_names(self) -> bool {
        matches!(
            self,
            Self::Report
                | Self::Plan(_)
                | Self::Table(
                    Table::Files | Table::Directories | Table::Plan(PlanTable::Entries, _)
                )
        )
    }

    /// What the engine is to make; nothing for what the page draws.
    #[must_use]
    pub fn export(self, form: Form, names: NamesTold) -> Option<Export> {
        match self {
            Self::Table(table) => {
                let format = if form == Form::Json { TableFormat::Json } else { TableFormat::Csv };
                Some(Export::Table { table, format, names })
            }
            Self::Report => {
                let format =
                    if form == Form::Json { ReportFormat::Json } else { ReportFormat::Html };
                Some(Export::Report { format, names })
            }
            Self::Plan(request) => Some(Export::Plan { request, names }),
            Self::Archive => Some(Export::Folder(reserved::ROOT)),
            Self::FreeChart | Self::Map => None,
        }
    }

    /// A word for it in a file's name.
    const fn slug(self) -> &'static str {
        match self {
            Self::Table(Table::Superblock) => "superblock",
            Self::Table(Table::Features) => "features",
            Self::Table(Table::Groups) => "groups",
            Self::Table(Table::FreeLengths) | Self::FreeChart => "free-lengths",
            Self::Table(Table::FreeExtents) => "free-extents",
            Self::Table(Table::Files) => "inodes",
            Self::Table(Table::Deleted) => "deleted",
            Self::Table(Table::Extents(_)) => "extents",
            Self::Table(Table::Kinds) => "blocks-by-kind",
            Self::Table(Table::Users) => "blocks-by-user",
            Self::Table(Table::Directories) => "blocks-by-directory",
            Self::Table(Table::Plan(PlanTable::Files, _)) => "shrink-files",
            Self::Table(Table::Plan(PlanTable::Moves, _)) => "shrink-moves",
            Self::Table(Table::Plan(PlanTable::Inodes, _)) => "shrink-inodes",
            Self::Table(Table::Plan(PlanTable::Entries, _)) => "shrink-entries",
            Self::Plan(_) => "shrink",
            Self::Report => "report",
            Self::Archive => "files",
            Self::Map => "map",
        }
    }

    /// The view that shows it, if any does.
    const fn view(self) -> Option<View> {
        match self {
            Self::Table(Table::Superblock | Table::Features) => Some(View::Superblock),
            Self::Table(Table::Groups) => Some(View::Groups),
            Self::Table(Table::FreeLengths | Table::FreeExtents) | Self::FreeChart => {
                Some(View::Free)
            }
            Self::Table(
                Table::Files
                | Table::Deleted
                | Table::Extents(_)
                | Table::Kinds
                | Table::Users
                | Table::Directories,
            ) => Some(View::Files),
            Self::Plan(_) | Self::Table(Table::Plan(..)) => Some(View::Shrink),
            Self::Map => Some(View::Map),
            Self::Report | Self::Archive => None,
        }
    }
}

/// What can be saved: of the view that is shown, and the rest.
#[must_use]
pub fn offers(view: View, open: &OpenImage) -> (Vec<Offer>, Vec<Offer>) {
    all(open).into_iter().partition(|offer| offer.kind.view() == Some(view))
}

fn all(open: &OpenImage) -> Vec<Offer> {
    let mut offers = Vec::new();
    let mut add = |kind, name, note: String| offers.push(Offer { kind, name, note });
    let reads_all = "reads all inodes";
    add(
        OfferKind::Map,
        "Map",
        "the place that is seen, with legend, scale, name and date; for paper as well as screens"
            .into(),
    );
    add(
        OfferKind::Table(Table::Groups),
        "Block groups",
        format!(
            "{}: descriptors, free clusters, free extents, checksums",
            number::count_of(open.image.groups.len() as u64, "row", "rows")
        ),
    );
    if let Some(detail) = open.free.here() {
        let rows = number::count_of(detail.report.histogram.len() as u64, "row", "rows");
        add(
            OfferKind::FreeChart,
            "Chart of free extents",
            "with scale, name and date; for paper as well as screens".into(),
        );
        add(OfferKind::Table(Table::FreeLengths), "Free extents by length", rows);
        add(
            OfferKind::Table(Table::FreeExtents),
            "Every free extent",
            number::count_of(detail.report.extents, "row", "rows") + ", the longest first",
        );
    } else {
        let reads = "reads all block bitmaps";
        add(OfferKind::Table(Table::FreeLengths), "Free extents by length", reads.into());
        add(OfferKind::Table(Table::FreeExtents), "Every free extent", reads.into());
    }
    let chosen = open.files.chosen.as_ref();
    if let Some(Look::Here(file)) = chosen.map(|chosen| &chosen.file) {
        add(
            OfferKind::Table(Table::Extents(file.ino)),
            "Extents of the selected file",
            number::count_of(file.extents.len() as u64, "row", "rows"),
        );
    }
    add(
        OfferKind::Table(Table::Files),
        "Every file and directory",
        format!("path, owner, size, blocks, extents, slowdown; {reads_all}"),
    );
    add(OfferKind::Table(Table::Deleted), "Deleted inodes", "reads all inode tables".into());
    add(OfferKind::Table(Table::Directories), "Space by directory", reads_all.into());
    add(OfferKind::Table(Table::Users), "Space by user", reads_all.into());
    add(OfferKind::Table(Table::Kinds), "Space by kind of block", reads_all.into());
    add(
        OfferKind::Table(Table::Superblock),
        "Superblock",
        number::count_of(open.image.info.superblock.len() as u64, "field", "fields"),
    );
    add(
        OfferKind::Table(Table::Features),
        "Features",
        number::count_of(open.image.info.features.len() as u64, "row", "rows"),
    );
    if let Some(plan) = &open.shrink.plan
        && let Some(changes) = &plan.changes
    {
        offer_plan(plan.request, changes, &mut add);
    }
    add(
        OfferKind::Report,
        "Report",
        format!("one page without scripts that opens offline, or the same as data; {reads_all}"),
    );
    add(
        OfferKind::Archive,
        "All files",
        "with owners, modes, times, links, attributes and holes".into(),
    );
    offers
}

/// Offers the plan of a shrink and its lists.
fn offer_plan(
    request: ShrinkRequest,
    changes: &PlanChanges,
    add: &mut impl FnMut(OfferKind, &'static str, String),
) {
    let note = "everything that changes, to the last bit of the bitmaps; as extscope shrink --json";
    add(OfferKind::Plan(request), "Plan of the shrink", note.into());
    let lists = [
        (PlanTable::Files, "Files that the shrink moves", changes.file_count),
        (PlanTable::Moves, "Runs of blocks that it moves", changes.move_count),
        (PlanTable::Inodes, "Inodes that it renumbers", changes.inode_count),
        (PlanTable::Entries, "Directory entries that it rewrites", changes.entry_count),
    ];
    for (list, name, rows) in lists {
        let rows = number::count_of(rows, "row", "rows");
        add(OfferKind::Table(Table::Plan(list, request)), name, rows);
    }
}

/// The name of the file that something is saved in; `now` is in seconds since 1970.
#[must_use]
pub fn file_name(open: &OpenImage, kind: OfferKind, form: Form, now: i64) -> String {
    let label = open.image.info.volume_name.trim();
    let image = if label.is_empty() { &*open.image.name } else { label };
    let image = image.trim_end_matches(".img");
    let date = time::day(now).replace('-', "");
    format!("{}-{}-{date}.{}", save_name(image.as_bytes()), kind.slug(), form.extension())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::testing::ready;

    #[test]
    fn what_the_view_shows_comes_first() {
        let state = ready();
        let open = state.image().expect("it is open");
        let names = |offers: Vec<Offer>| offers.into_iter().map(|it| it.name).collect::<Vec<_>>();
        let (here, rest) = offers(View::Superblock, open);
        assert_eq!(names(here), ["Superblock", "Features"]);
        assert!(names(rest).contains(&"Report"));
        let (here, _) = offers(View::Hex, open);
        assert_eq!(names(here), [""; 0]);
    }

    #[test]
    fn a_file_is_named_after_the_image_and_the_day() {
        let state = ready();
        let open = state.image().expect("it is open");
        let name = |kind, form| file_name(open, kind, form, 1_771_486_860);
        assert_eq!(name(OfferKind::Table(Table::Groups), Form::Csv), "test-groups-20260219.csv");
        assert_eq!(name(OfferKind::Archive, Form::Tar), "test-files-20260219.tar");
        assert_eq!(name(OfferKind::Map, Form::PngFourfold), "test-map-20260219.png");
    }

    #[test]
    fn every_form_is_made_as_what_it_says() {
        let table = OfferKind::Table(Table::Groups);
        let names = NamesTold::Plain;
        let made = |kind: OfferKind, form| kind.export(form, names);
        let expected = Export::Table { table: Table::Groups, format: TableFormat::Json, names };
        assert_eq!(made(table, Form::Json), Some(expected));
        let expected = Export::Report { format: ReportFormat::Html, names };
        assert_eq!(made(OfferKind::Report, Form::Html), Some(expected));
        assert_eq!(made(OfferKind::FreeChart, Form::Png), None);
    }
}

//! Reports as pages of HTML that need nothing else: no script, no font, no network.

use core::fmt::Write;

use super::{FragReport, Plain, WholeReport, bytes, grouped, time};

/// How the page looks; light or dark as the reader's machine does.
const STYLE: &str = "\
:root{color-scheme:light dark}\
body{font:15px/1.5 system-ui,sans-serif;max-width:70rem;margin:2rem auto;padding:0 1rem}\
h1{font-size:1.6rem}h2{font-size:1.15rem;margin:2rem 0 .5rem}\
table{border-collapse:collapse;width:100%}\
th,td{text-align:left;padding:.2rem .6rem;border-bottom:1px solid #8884;vertical-align:top}\
td.n,th.n{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}\
td.p{word-break:break-all}\
.bar{background:#8883;min-width:8rem}.bar i{display:block;height:.8rem;background:#3b82c4}\
.note{border-left:3px solid #c98a1b;padding-left:.8rem;margin:.4rem 0}\
footer{margin:3rem 0;opacity:.7}";

/// A page that is being written.
pub(super) struct Page {
    html: String,
}

/// A cell of a table.
pub(super) enum Cell {
    Words(String),
    Number(String),
    /// A path or a name, which may break anywhere.
    Path(String),
    /// A bar of so many percent.
    Bar(f64),
}

impl Page {
    /// A page with its title.
    pub(super) fn new(title: &str) -> Self {
        let mut html = String::new();
        let title = Plain(title);
        let _ = write!(
            html,
            "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width\">\n\
             <title>{title} · extscope</title>\n<style>{STYLE}</style>\n<h1>{title}</h1>\n"
        );
        Self { html }
    }

    /// The whole page.
    pub(super) fn finish(mut self) -> String {
        let footer = "Made by extscope, without writing to the image.";
        let _ = writeln!(self.html, "<footer>{footer}</footer>");
        self.html
    }

    pub(super) fn text(&mut self, text: &str) {
        let _ = writeln!(self.html, "<p>{}</p>", Plain(text));
    }

    pub(super) fn heading(&mut self, text: &str) {
        let _ = writeln!(self.html, "<h2>{}</h2>", Plain(text));
    }

    pub(super) fn note(&mut self, text: &str) {
        let _ = writeln!(self.html, "<p class=\"note\">{}</p>", Plain(text));
    }

    /// A table; a head that starts with `#` is that of numbers.
    pub(super) fn table(&mut self, heads: &[&str], rows: impl IntoIterator<Item = Vec<Cell>>) {
        self.html.push_str("<table>\n<tr>");
        for head in heads {
            let (class, head) = match head.strip_prefix('#') {
                Some(head) => (" class=\"n\"", head),
                None => ("", *head),
            };
            let _ = write!(self.html, "<th{class}>{}</th>", Plain(head));
        }
        self.html.push_str("</tr>\n");
        for row in rows {
            self.html.push_str("<tr>");
            for cell in row {
                let _ = match cell {
                    Cell::Words(text) => write!(self.html, "<td>{}</td>", Plain(text)),
                    Cell::Number(text) => write!(self.html, "<td class=\"n\">{}</td>", Plain(text)),
                    Cell::Path(text) => write!(self.html, "<td class=\"p\">{}</td>", Plain(text)),
                    Cell::Bar(percent) => write!(
                        self.html,
                        "<td class=\"bar\"><i style=\"width:{:.2}%\"></i></td>",
                        percent.clamp(0.0, 100.0)
                    ),
                };
            }
            self.html.push_str("</tr>\n");
        }
        self.html.push_str("</table>\n");
    }
}

impl WholeReport {
    /// The report as a page of HTML.
    #[must_use]
    pub fn html(&self) -> String {
        let mut page = Page::new(&self.title);
        self.summary(&mut page);
        self.space(&mut page);
        self.free_extents(&mut page);
        self.usage(&mut page);
        page.heading("Files that take longest to read for their size");
        files(&mut page, &self.fragmented);
        page.heading("Largest files");
        files(&mut page, &self.largest);
        self.deleted(&mut page);
        self.own(&mut page);
        self.superblock(&mut page);
        page.finish()
    }

    fn bytes_of(&self, blocks: u64) -> String {
        bytes(blocks.saturating_mul(u64::from(self.info.geometry.block_size)))
    }

    fn summary(&self, page: &mut Page) {
        let info = &self.info;
        for note in &info.notes {
            page.note(note);
        }
        if self.fault_count > 0 {
            page.note(&format!(
                "Places that could not be followed: {}.",
                grouped(self.fault_count)
            ));
        }
        if self.free_but_owned > 0 {
            let blocks = grouped(self.free_but_owned);
            page.note(&format!("Blocks of files that are free in the bitmaps: {blocks}."));
        }
        let features: Vec<_> = info.features.iter().map(|feature| feature.name.clone()).collect();
        let rows = [
            ("Type", info.filesystem_type.clone()),
            ("Label", info.volume_name.clone()),
            ("UUID", info.uuid.clone()),
            ("Size", bytes(info.filesystem_bytes)),
            ("Block", bytes(u64::from(info.geometry.block_size))),
            ("Groups", grouped(info.geometry.groups_count)),
            ("Files", grouped(self.totals.files)),
            ("  non-contiguous", grouped(self.totals.noncontiguous_files)),
            ("Directories", grouped(self.totals.dirs)),
            ("Extents", grouped(self.totals.extents)),
            ("Features", features.join(" ")),
        ];
        let rows = rows.into_iter().filter(|(_, value)| !value.is_empty());
        page.table(
            &["What", "Value"],
            rows.map(|(label, value)| vec![Cell::Words(label.to_owned()), Cell::Words(value)]),
        );
    }

    fn space(&self, page: &mut Page) {
        page.heading("What the blocks are");
        let most = self.classes.iter().map(|class| class.blocks).max().unwrap_or(0);
        let rows = self.classes.iter().map(|class| {
            vec![
                Cell::Words(class.name.clone()),
                Cell::Number(grouped(class.blocks)),
                Cell::Number(self.bytes_of(class.blocks)),
                Cell::Bar(percent(class.blocks, most)),
            ]
        });
        page.table(&["What", "#Blocks", "#Size", "Share"], rows);
    }

    fn free_extents(&self, page: &mut Page) {
        page.heading("Free extents");
        let free = &self.free;
        let _ = writeln!(
            page.html,
            "<p>{} of {} blocks are free, in {} extents of {} at the least, {} on average and {} \
             at the most.</p>",
            grouped(free.free_in_bitmaps),
            grouped(free.blocks_count),
            grouped(free.extents),
            self.bytes_of(free.shortest),
            self.bytes_of(free.average),
            self.bytes_of(free.longest)
        );
        let most = free.histogram.iter().map(|bucket| bucket.blocks).max().unwrap_or(0);
        let rows = free.histogram.iter().map(|bucket| {
            let longest = bucket.longest.map_or_else(
                || "and more".to_owned(),
                |longest| format!("to < {}", self.bytes_of(longest.saturating_add(1))),
            );
            vec![
                Cell::Words(format!("{} {longest}", self.bytes_of(bucket.shortest))),
                Cell::Number(grouped(bucket.extents)),
                Cell::Number(grouped(bucket.blocks)),
                Cell::Bar(percent(bucket.blocks, most)),
            ]
        });
        page.table(&["Length", "#Extents", "#Blocks", "Share"], rows);
    }

    fn usage(&self, page: &mut Page) {
        page.heading("Space by directory, with everything below it");
        let rows = self.usage.dirs.iter().map(|dir| {
            vec![
                Cell::Path(dir.path.clone().unwrap_or_else(|| format!("inode {}", dir.ino))),
                Cell::Number(grouped(dir.share.inodes)),
                Cell::Number(self.bytes_of(dir.share.blocks)),
            ]
        });
        page.table(&["Directory", "#Inodes", "#Size"], rows);
        page.heading("Space by user");
        let rows = self.usage.users.iter().map(|user| {
            vec![
                Cell::Words(user.uid.to_string()),
                Cell::Number(grouped(user.share.inodes)),
                Cell::Number(self.bytes_of(user.share.blocks)),
            ]
        });
        page.table(&["User", "#Inodes", "#Size"], rows);
    }

    fn deleted(&self, page: &mut Page) {
        if self.deleted_count == 0 {
            return;
        }
        page.heading("Inodes deleted last");
        let _ = writeln!(page.html, "<p>Of {} in all.</p>", grouped(self.deleted_count));
        let rows = self.deleted.iter().map(|inode| {
            vec![
                Cell::Number(inode.ino.to_string()),
                Cell::Words(inode.permissions.clone()),
                Cell::Number(bytes(inode.size)),
                Cell::Number(grouped(inode.blocks)),
                Cell::Number(grouped(inode.free_blocks)),
                Cell::Words(time(inode.i_dtime.into())),
            ]
        });
        page.table(&["#Inode", "Mode", "#Size", "#Blocks", "#Still free", "Deleted"], rows);
    }

    fn own(&self, page: &mut Page) {
        page.heading("What the filesystem keeps for itself");
        let special = &self.special;
        let mut rows = vec![("Journal", special.journal.clone())];
        if let Some(mmp) = &special.mmp {
            rows.push(("Mount protection", mmp.state.clone()));
        }
        let orphans = special.orphan_list.len().saturating_add(special.orphan_file.len());
        rows.push(("Orphans", grouped(orphans as u64)));
        rows.push(("Ranges of bad blocks", grouped(special.bad_blocks.len() as u64)));
        for quota in &special.quotas {
            rows.push(("Quota", format!("{}, of {} entries", quota.quota, quota.entries.len())));
        }
        page.table(
            &["What", "Value"],
            rows.into_iter()
                .map(|(label, value)| vec![Cell::Words(label.to_owned()), Cell::Words(value)]),
        );
        for error in &special.errors {
            page.note(&error.to_string());
        }
        for fault in &self.faults {
            page.note(fault);
        }
    }

    fn superblock(&self, page: &mut Page) {
        page.heading("Superblock");
        let rows = self.info.superblock.iter().map(|field| {
            vec![
                Cell::Words(field.label.clone()),
                Cell::Path(field.text.clone()),
                Cell::Words(field.name.clone()),
            ]
        });
        page.table(&["Field", "Value", "Name"], rows);
    }
}

fn files(page: &mut Page, files: &[FragReport]) {
    let rows = files.iter().map(|file| {
        vec![
            Cell::Path(file.path.clone().unwrap_or_else(|| format!("inode {}", file.ino))),
            Cell::Number(bytes(file.size)),
            Cell::Number(grouped(file.extents)),
            Cell::Number(format!("{:.1}", file.seeks_per_mib)),
            Cell::Number(format!("{:.1}×", file.slowdown)),
        ]
    });
    page.table(&["File", "#Size", "#Extents", "#Seeks a MiB", "#Slowdown"], rows);
}

#[expect(clippy::cast_precision_loss, reason = "the length of a bar")]
fn percent(part: u64, whole: u64) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 * 100.0 / whole as f64 }
}

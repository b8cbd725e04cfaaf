//! The keyboard's cursor on the map: where it is, and where a key leads it.

use extscope::units::{Fsblk, Group, Grpblk};
use extscope_picture::Place;
use web_sys::KeyboardEvent;

use crate::render::draw::ViewRect;
use crate::render::map_view::{Hit, Level, MapView};
use crate::state::Selection;

/// A cell, or its group where cells are too small.
pub(super) fn at_level(place: Place, view: &MapView) -> Hit {
    if view.level() >= Level::Group { Hit::Cell(place) } else { Hit::Group(place.group) }
}

/// Where the keyboard's cursor is: the beginning of the selection, at the level that is seen.
pub(super) fn cursor(selection: &Selection, view: &MapView) -> Option<Hit> {
    let first = match selection {
        Selection::Group(group) => Place { group: *group, grpblk: Grpblk::new(0) },
        Selection::Block(fsblk) => view.world().place(*fsblk)?,
        Selection::Blocks(blocks) => view.world().place(Fsblk::new(*blocks.start()))?,
        Selection::Inode(_) => return None,
    };
    Some(at_level(first, view))
}

/// A step of the cursor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// By columns and rows of what is seen.
    By(i64, i64),
    /// To the first or the last one of the group, or of the row of groups.
    End(bool),
    /// To the first or the last one of the disk.
    DiskEnd(bool),
    /// By groups.
    Groups(i64),
}

/// The step that a key stands for.
pub(super) fn step(event: &KeyboardEvent) -> Option<Step> {
    if event.alt_key() || event.meta_key() {
        return None;
    }
    let word = if event.shift_key() { 64 } else { 1 };
    Some(match (event.key().as_str(), event.ctrl_key()) {
        ("ArrowLeft", false) => Step::By(-word, 0),
        ("ArrowRight", false) => Step::By(word, 0),
        ("ArrowUp", false) => Step::By(0, -1),
        ("ArrowDown", false) => Step::By(0, 1),
        ("Home", is_disk) => {
            if is_disk {
                Step::DiskEnd(false)
            } else {
                Step::End(false)
            }
        }
        ("End", is_disk) => {
            if is_disk {
                Step::DiskEnd(true)
            } else {
                Step::End(true)
            }
        }
        ("PageUp", false) => Step::Groups(-1),
        ("PageDown", false) => Step::Groups(1),
        _ => return None,
    })
}

/// Where a step leads; at an edge the cursor stays.
pub(super) fn moved(cursor: Hit, step: Step, view: &MapView) -> Hit {
    let world = view.world();
    let last_group = world.groups().saturating_sub(1);
    let by = |at: u32, by: i64, last: u32| {
        let to = i64::from(at).saturating_add(by).clamp(0, i64::from(last));
        u32::try_from(to).unwrap_or(last)
    };
    let cells = |group| world.geometry().group_clusters(group).saturating_sub(1);
    match (cursor, step) {
        (Hit::Group(group), Step::By(x, y)) => {
            let (column, row) = world.group_place(group);
            let (columns, rows) = (world.columns() - 1, world.rows() - 1);
            let there = if y == 0 {
                let next = Group::new(by(group.get(), x.signum(), last_group));
                Some(next).filter(|_| column <= columns)
            } else {
                world.group_at(column, by(row, y, rows))
            };
            Hit::Group(there.unwrap_or(group))
        }
        (Hit::Group(group), Step::End(is_last)) => {
            let (_, row) = world.group_place(group);
            let mut columns = 0..world.columns();
            let in_row = |column| world.group_at(column, row);
            let end =
                if is_last { columns.rev().find_map(in_row) } else { columns.find_map(in_row) };
            Hit::Group(end.unwrap_or(group))
        }
        (Hit::Group(_), Step::DiskEnd(is_last)) => {
            Hit::Group(Group::new(if is_last { last_group } else { 0 }))
        }
        (Hit::Group(group), Step::Groups(groups)) => {
            let rows = i64::from((world.rows() / 8).max(1)) * groups;
            moved(Hit::Group(group), Step::By(0, rows), view)
        }
        (Hit::Cell(place), Step::By(x, y)) => {
            let Place { group, grpblk } = place;
            let width = i64::from(world.group_size().0);
            let to = by(grpblk.get(), x.saturating_add(y.saturating_mul(width)), cells(group));
            Hit::Cell(Place { group, grpblk: Grpblk::new(to) })
        }
        (Hit::Cell(Place { group, .. }), Step::End(is_last)) => {
            let to = if is_last { cells(group) } else { 0 };
            Hit::Cell(Place { group, grpblk: Grpblk::new(to) })
        }
        (Hit::Cell(_), Step::DiskEnd(is_last)) => {
            let group = Group::new(if is_last { last_group } else { 0 });
            moved(Hit::Cell(Place { group, grpblk: Grpblk::new(0) }), Step::End(is_last), view)
        }
        (Hit::Cell(Place { group, grpblk }), Step::Groups(groups)) => {
            let group = Group::new(by(group.get(), groups, last_group));
            Hit::Cell(Place { group, grpblk: Grpblk::new(grpblk.get().min(cells(group))) })
        }
    }
}

/// Moves the map so that a rectangle is in sight.
pub(super) fn reveal(view: &mut MapView, rect: ViewRect) {
    let (width, height) = view.size();
    let along = |at: f64, size: f64, room: f64| {
        if at < 0.0 {
            -at + room / 4.0
        } else if at + size > room && size < room {
            room * 0.75 - at - size
        } else {
            0.0
        }
    };
    let (x, y) = (along(rect.x, rect.w, width), along(rect.y, rect.h, height));
    if x != 0.0 || y != 0.0 {
        view.pan(x, y);
    }
}

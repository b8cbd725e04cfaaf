//! What a check reads, counted: few requests, however far apart the blocks lie that map others.

use extscope::check::{Check, CheckOptions};
use extscope::io::{ReadCount, ReadKind};
use extscope::scenario::Scenario;
use extscope::task::{Step, Task as _};

/// What a check of a scenario with blocks of 4 KiB reads of tables, of nodes and of directories.
fn reads(recipe: &str) -> [ReadCount; 3] {
    let scenario = Scenario::new(&recipe.parse().expect("a recipe")).expect("it can be made up");
    let mut check = Check::new(&scenario, CheckOptions::default());
    while let Step::More = check.step().expect("memory suffices") {}
    let read = check.read();
    [ReadKind::InodeTable, ReadKind::Mapping, ReadKind::Directory].map(|kind| {
        let read = read.iter().find(|read| read.kind == kind);
        read.map_or_else(ReadCount::default, |read| read.count)
    })
}

#[test]
fn blocks_of_many_groups_are_read_together() {
    // 800 groups with a directory and few files each, most of which need a node.
    let [tables, nodes, dirs] = reads("size=100g,fill=90,files=2048x8,inodes=256k");
    assert!(tables.requests < 20 && tables.bytes >= 700 * 4096, "{tables:?}");
    assert!(nodes.requests < 20 && nodes.bytes >= 500 * 4096, "{nodes:?}");
    assert!(dirs.requests < 40 && dirs.bytes >= 700 * 4096, "{dirs:?}");
}

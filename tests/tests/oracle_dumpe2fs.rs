//! Every group and superblock value against `dumpe2fs`.

use extscope_tests::{dumpe2fs::Dump, matrix::MATRIX, recipe, tool};

#[test]
fn every_image_of_the_matrix_is_told_as_dumpe2fs_tells_it() {
    if !tool::have(&["mke2fs", "debugfs", "dumpe2fs"], "the dumpe2fs oracle") {
        return;
    }
    recipe::each(MATRIX, |recipe, image| {
        let dump = Dump::of(image);
        assert_eq!(dump.groups.is_empty(), !recipe.has_groups());
    });
}

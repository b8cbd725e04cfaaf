//! The minimum size against `resize2fs -P`, on every image of the matrix.

use std::path::Path;

use extscope::fs::{Filesystem, OpenOptions};
use extscope::io::FileSource;
use extscope::resize::{Frame, Minimum, MinimumEnd, minimum};
use extscope_tests::matrix::MATRIX;
use extscope_tests::recipe::{self, Recipe};
use extscope_tests::shapes::SHAPES;
use extscope_tests::{resize2fs, tool};

fn told(image: &Path) -> Minimum {
    let source = FileSource::open(image).expect("the image can be read");
    let fs = Filesystem::open(source, OpenOptions::default()).expect("the image can be opened");
    minimum(&Frame::of(&fs).expect("the descriptors are there"))
}

#[test]
fn the_minimum_is_that_of_resize2fs() {
    if !tool::have(&["mke2fs", "debugfs", "dumpe2fs", "e2fsck", "resize2fs"], "the minimum") {
        return;
    }
    let recipes: Vec<Recipe> =
        MATRIX.iter().chain(SHAPES).filter(|recipe| recipe.has_groups()).copied().collect();
    let refused = std::sync::Mutex::new(Vec::new());
    recipe::each(&recipes, |recipe, image| {
        let Some(printed) = resize2fs::minimum(image) else {
            refused.lock().expect("no test failed").push(recipe.name);
            return;
        };
        let told = told(image);
        assert_eq!(told.blocks, printed, "{told:#?}");
        if told.end == MinimumEnd::Terms {
            let terms = [
                told.full_groups,
                told.flex_before,
                told.last_group_overhead,
                told.flex_after,
                told.last_group_data,
                told.first_data_block,
                told.cluster_slack,
                told.itable_end,
                told.extents_margin,
            ];
            assert_eq!(terms.into_iter().sum::<u64>(), told.blocks, "{told:#?}");
        }
    });
    let refused = refused.into_inner().expect("no test failed");
    println!("{} of {} images have no minimum: {refused:?}", refused.len(), recipes.len());
    assert!(refused.len() * 4 < recipes.len(), "most images have a minimum");
}

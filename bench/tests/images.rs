//! The images that are measured on are sound: e2fsck has nothing to say.

use std::process::Command;

use extscope_bench::image;

/// Makes an image and has e2fsck look at it.
fn assert_clean(bytes: u64, mean: u64) {
    let folder = extscope_bench::scratch().expect("the folder for temporary files can be written");
    let path = folder.path().join("image");
    let truth = image::make(&path, bytes, mean).expect("the image can be made");
    assert!(truth.runs > 1, "{truth:?}");
    let e2fsck = Command::new("/usr/sbin/e2fsck").arg("-fn").arg(&path).output();
    let output = e2fsck.expect("e2fsck can be started");
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{bytes} bytes, runs of {mean}: {said}");
}

#[test]
fn e2fsck_finds_an_owner_for_every_used_block() {
    for (mib, mean) in [(64, 1), (300, 16), (1000, 512), (64, 5000), (300, 3)] {
        assert_clean(mib << 20, mean);
    }
}

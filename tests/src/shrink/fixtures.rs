//! Images that each bring out something of their own in a shrink.

use super::maker::Maker;
use super::script::Script;

/// How an image is made.
pub type Recipe = fn(&Maker);

/// Name and recipe of each.
pub const FIXTURES: &[(&str, Recipe)] = &[
    ("ext2_1k", |m| {
        simple(m, "-t ext2 -b 1024", "60M", |s| {
            s.above(2000, 30000, |s| s.files("a", 30, 200).dirs("d", 20)).files("b", 5, 900);
        });
    }),
    ("ext3_2k", |m| {
        simple(m, "-t ext3 -b 2048 -J size=8", "120M", |s| {
            s.above(6000, 30000, |s| s.files("a", 20, 800).dirs("d", 8)).files("b", 5, 3000);
        });
    }),
    ("ext4_4k", |m| {
        simple(m, "-t ext4 -b 4096", "1000M", |s| {
            s.above(40000, 120_000, |s| s.files("a", 10, 2000).dirs("d", 8)).files("b", 3, 5000);
        });
    }),
    ("fragmented", |m| {
        simple(m, "-t ext4 -b 1024 -O ^metadata_csum,uninit_bg", "80M", |s| {
            s.busy(600, 59400).comb(60000, 2000, 2).files("a", 3, 300).files("z", 1, 100);
            s.free(600, 59400).free_comb(60000, 2000, 2);
        });
    }),
    ("fragmented_csum", |m| {
        simple(m, "-t ext4 -b 1024", "80M", |s| {
            s.busy(6000, 54000).comb(60000, 9000, 3).files("a", 4, 1100).files("z", 30, 3);
            s.free(6000, 54000).free_comb(60000, 9000, 3);
        });
    }),
    ("inodes_without_flex_bg", |m| {
        simple(m, "-t ext4 -b 1024 -O ^flex_bg -N 1600", "80M", |s| {
            s.busy_inodes(200, 1000).files("lo", 150, 1).files("hi", 60, 4).dirs("hd", 30);
            s.ask("cd hd3").files("deep", 9, 2).ask("cd /").free_inodes(200, 1000);
        });
    }),
    ("meta_bg", |m| {
        simple(m, "-t ext4 -b 1024 -O meta_bg,^resize_inode", "600M", |s| {
            s.above(3000, 500_000, |s| s.files("a", 10, 2000)).files("b", 3, 500);
        });
    }),
    ("descriptors_of_32_bytes", |m| {
        simple(m, "-t ext4 -b 1024 -O ^64bit,^resize_inode", "400M", |s| {
            s.above(9000, 300_000, |s| s.files("a", 20, 2000).dirs("d", 12)).files("b", 3, 500);
        });
    }),
    ("sparse_super2", |m| {
        simple(m, "-t ext4 -b 1024 -O sparse_super2,^sparse_super,^resize_inode", "200M", |s| {
            s.above(9000, 130_000, |s| s.files("a", 20, 1500).dirs("d", 12)).files("b", 3, 500);
        });
    }),
    ("inline_data", |m| {
        simple(m, "-t ext4 -b 1024 -O inline_data -I 256", "60M", |s| {
            s.above(9000, 30000, |s| {
                s.files("a", 10, 1500).dirs("d", 12).files("tiny", 3, 0);
                s.ask("symlink s0 /a/x").ask("symlink s1 /a/x")
            });
        });
    }),
    ("bigalloc_1k", |m| {
        simple(m, "-t ext4 -b 1024 -O bigalloc -C 16384", "400M", |s| {
            s.above(160_000, 160_000, |s| s.files("a", 6, 3000).dirs("d", 5)).files("b", 4, 1000);
        });
    }),
    ("bigalloc_4k", |m| {
        simple(m, "-t ext4 -b 4096 -O bigalloc -C 65536", "1200M", |s| {
            s.above(60000, 200_000, |s| s.files("a", 6, 3000).dirs("d", 5)).files("b", 4, 1000);
        });
    }),
    ("all_backups", |m| {
        simple(m, "-t ext2 -b 1024 -O ^sparse_super,^resize_inode", "150M", |s| {
            s.above(9000, 90000, |s| s.files("a", 20, 900)).files("b", 3, 500);
        });
    }),
    ("flex_64", |m| {
        simple(m, "-t ext4 -b 1024 -G 64 -N 4000", "900M", |s| {
            s.above(30000, 600_000, |s| s.files("a", 20, 900)).files("b", 3, 500);
        });
    }),
    ("stride", |m| {
        m.mke2fs("-t ext3 -b 1024 -J size=4", "stride=32,stripe-width=64", "150M");
        m.debugfs(|s| {
            s.above(9000, 90000, |s| s.files("a", 20, 900)).files("b", 3, 500);
        });
        m.e2fsck();
    }),
    ("reserved_gdt_full", |m| {
        simple(m, "-t ext4 -b 1024 -O ^64bit,^flex_bg", "700M", |s| {
            s.above(9000, 600_000, |s| s.files("a", 20, 900).dirs("d", 9)).files("b", 3, 500);
        });
    }),
    ("many_small_files", |m| {
        simple(m, "-t ext4 -b 1024 -i 2048", "60M", |s| {
            for dir in 0..12 {
                s.ask(format!("mkdir d{dir}")).ask(format!("cd d{dir}"));
                for kib in [1, 5, 12, 20, 33] {
                    s.files(&format!("f{kib}_"), 15, kib);
                }
                s.ask("symlink short f1_0").ask(format!("symlink long {}", "x".repeat(100)));
                s.ask("cd /");
            }
        });
    }),
    ("unwritten", |m| {
        simple(m, "-t ext4 -b 1024", "80M", |s| {
            s.above(9000, 50000, |s| {
                s.files("u", 4, 0).ask("fallocate u0 0 4000").ask("fallocate u1 10 300");
                s.ask("fallocate u2 100 5000").ask("fallocate u3 0 1").files("a", 3, 700)
            });
        });
    }),
    ("xattr_quota", |m| {
        simple(m, "-t ext4 -b 1024 -O quota,project -I 256", "80M", |s| {
            s.above(9000, 50000, |s| {
                s.files("a", 12, 300);
                for file in 0..12 {
                    for name in 0..3 {
                        s.ask(format!("ea_set a{file} user.k{name} {}", "v".repeat(150)));
                    }
                }
                s
            });
        });
    }),
    ("ea_inode_mmp", |m| {
        simple(m, "-t ext4 -b 1024 -O ea_inode,mmp -E mmp_update_interval=1 -N 900", "80M", |s| {
            s.above(9000, 50000, |s| large_values(s, "a", 6));
        });
    }),
    ("orphan_file", |m| {
        simple(m, "-t ext4 -b 1024 -O orphan_file", "80M", |s| {
            s.above(9000, 50000, |s| s.files("a", 12, 300)).files("b", 3, 3);
        });
    }),
    ("inodes_with_flex_bg", |m| {
        simple(m, "-t ext4 -b 1024 -N 1600", "80M", |s| {
            s.busy_inodes(100, 1300).files("lo", 88, 1).files("hi", 90, 4).dirs("hd", 30);
            s.ask("cd hd3").files("deep", 9, 2).ask("cd /").free_inodes(100, 1300);
        });
    }),
    ("bad_blocks", |m| {
        let list = m.folder().join("bad");
        let bad = "3000\n3001\n20000\n50001\n50002\n50003\n";
        std::fs::write(&list, bad).expect("the scratch folder can be written");
        simple(m, &format!("-t ext4 -b 1024 -l {}", list.display()), "60M", |s| {
            s.above(9000, 30000, |s| s.files("a", 12, 300));
        });
    }),
    ("deep_tree", |m| {
        simple(m, "-t ext4 -b 1024 -O ^has_journal", "90M", |s| {
            s.busy(5000, 45000).comb(50000, 30000, 2).files("a", 1, 9000).files("z", 2, 2000);
            s.free(5000, 45000).free_comb(50000, 30000, 2);
        });
    }),
    ("holes", |m| {
        simple(m, "-t ext4 -b 1024", "80M", |s| {
            s.above(9000, 50000, |s| {
                s.sparse_files("h", 3, (500, 2, 1024)).sparse_files("k", 1, (90, 5, 1024))
            });
            s.files("b", 3, 300);
        });
    }),
    ("full", |m| {
        simple(m, "-t ext4 -b 1024", "60M", |s| {
            s.files("a", 50, 900);
        });
    }),
    ("meta_bg_uninit_bg", |m| {
        let options = "-t ext4 -b 1024 -O meta_bg,^resize_inode,^flex_bg,^metadata_csum,uninit_bg";
        simple(m, options, "600M", |s| {
            s.above(3000, 500_000, |s| s.files("a", 10, 2000)).files("b", 3, 500);
        });
    }),
    ("ext4_2k_flex_8", |m| {
        simple(m, "-t ext4 -b 2048 -G 8", "700M", |s| {
            s.above(9000, 270_000, |s| s.files("a", 20, 2000).dirs("d", 30)).files("b", 3, 500);
        });
    }),
    ("many_dirs", |m| {
        simple(m, "-t ext4 -b 1024 -N 2400", "60M", |s| {
            s.above(9000, 30000, |s| s.dirs("e", 400).files("a", 300, 1));
        });
    }),
    ("splits_1k", |m| {
        simple(m, "-t ext4 -b 1024 -O ^has_journal", "60M", |s| {
            s.busy(5000, 35000).bursts(40000, 18000, 2, 3).files("a", 1, 5000);
            s.files("z", 2, 400).free(5000, 35000);
        });
    }),
    ("splits_4k", |m| {
        simple(m, "-t ext4 -b 4096 -O ^has_journal", "300M", |s| {
            s.busy(5000, 45000).bursts(50000, 20000, 3, 2).files("a", 1, 16000);
            s.files("z", 2, 9000).free(5000, 45000);
        });
    }),
    ("grown", |m| {
        m.mke2fs("-t ext4 -b 1024 -g 1024 -N 600 -G 8", "", "20M").e2fsck();
        m.run("resize2fs", &[], &["90M"]);
        m.debugfs(|s| {
            s.above(3000, 60000, |s| s.files("a", 8, 900)).files("b", 3, 200);
        });
        m.e2fsck();
    }),
    ("made_64bit", |m| {
        let options = "-t ext4 -b 1024 -g 1024 -N 1200 -G 8 -O ^64bit,^resize_inode";
        simple(m, options, "90M", |s| {
            s.above(3000, 60000, |s| s.files("a", 8, 900)).files("b", 3, 200);
        });
        m.run("resize2fs", &["-b"], &[]).e2fsck();
    }),
    // Bitmaps of the second flex group lie over its first 128 blocks, tables behind them.
    ("itable_moves", |m| {
        simple(m, "-t ext4 -b 1024 -g 512 -G 64 -N 2048 -O ^64bit", "70M", |s| {
            s.above(20000, 13000, |s| s.files("a", 8, 400)).files("b", 3, 200);
        });
    }),
    ("itable_moves_without_csum", |m| {
        let options = "-t ext4 -b 1024 -g 512 -G 64 -N 2048 -O ^64bit,^metadata_csum";
        simple(m, options, "70M", |s| {
            s.files("junk", 20, 800).files("b", 3, 200);
            (0..20).for_each(|file| _ = s.ask(format!("rm junk{file}")));
        });
    }),
    ("orphan_file_moves", |m| {
        simple(m, "-t ext4 -b 1024", "80M", |s| _ = s.files("big", 30, 1000));
        m.run("tune2fs", &["-O", "orphan_file"], &[]);
        m.debugfs(|s| (0..30).for_each(|file| _ = s.ask(format!("rm big{file}")))).e2fsck();
    }),
    ("project_quota_moves", |m| {
        simple(m, "-t ext4 -b 1024 -N 1600 -I 256", "80M", |s| {
            s.busy_inodes(12, 1300).files("hi", 5, 4);
        });
        m.debugfs(|s| _ = s.busy_inodes(12, 1300));
        m.run("tune2fs", &["-O", "project,quota"], &[]).e2fsck();
    }),
    ("ea_inode_moves", |m| {
        simple(m, "-t ext4 -b 1024 -N 1600 -I 256 -O ea_inode", "80M", |s| {
            s.busy_inodes(12, 1300);
            large_values(s, "hi", 5);
        });
    }),
    // Where blocks go is a comb, and where they come from are bursts of two.
    ("splits_into_comb", |m| {
        simple(m, "-t ext4 -b 1024 -O ^has_journal", "70M", |s| {
            s.busy(600, 5400).comb(6001, 12000, 2).busy(18001, 44000).files("comb", 1, 5500);
            s.free_comb(6001, 12000, 2).busy(6000, 12001).bursts(50000, 9000, 2, 3);
            s.files("a", 1, 2600).files("z", 2, 200);
        });
    }),
];

/// Makes a filesystem, puts files into it, and makes the counts true.
fn simple(maker: &Maker, mke2fs: &str, size: &str, write: impl FnOnce(&mut Script)) {
    // mke2fs heeds only the last -E.
    let (options, extended) = match mke2fs.split_once(" -E ") {
        None => (mke2fs.to_owned(), ""),
        Some((before, rest)) => {
            let (extended, after) = rest.split_once(' ').unwrap_or((rest, ""));
            (format!("{before} {after}"), extended)
        }
    };
    maker.mke2fs(&options, extended, size).debugfs(write).e2fsck();
}

/// Files with an attribute whose value has an inode of its own.
fn large_values<'a>(script: &'a mut Script, prefix: &str, count: u32) -> &'a mut Script {
    let value = script.source(9);
    script.files(prefix, count, 300);
    for file in 0..count {
        script.ask(format!("ea_set -f {value} {prefix}{file} user.big"));
    }
    script
}

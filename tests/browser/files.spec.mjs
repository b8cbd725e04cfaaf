// Files: the tree against what was put in, how a file lies against debugfs, contents byte for byte.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import {
  linkSync, lstatSync, mkdirSync, mkdtempSync, readFileSync, readlinkSync, rmSync, statSync, symlinkSync, truncateSync,
  utimesSync, writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { launch, pick, slow, swept, withPage } from "./browser.mjs";
import { MiB, Workshop, blocks, debugfs, lsdel } from "./images.mjs";

/** A PNG of one pixel. */
const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

let browser;
let image;
const images = new Workshop();
const big = Buffer.alloc(5 * MiB + 777);
before(async () => {
  browser = await launch();
  const tree = mkdtempSync(join(tmpdir(), "extscope-tree-"));
  mkdirSync(join(tree, "docs/deep/deeper"), { recursive: true });
  for (let at = 0; at < big.length; at += 1) big[at] = (at * 31 + (at >> 9)) & 0xff;
  writeFileSync(join(tree, "big.bin"), big);
  writeFileSync(join(tree, "docs/notes.txt"), "first line\nsecond \u{1f600} line\n");
  writeFileSync(join(tree, "docs/pixel.png"), PNG);
  writeFileSync(join(tree, "docs/deep/deeper/leaf"), "leaf");
  writeFileSync(join(tree, "cod\u{202e}gpj.exe"), "not a picture");
  writeFileSync(join(tree, "new\nline\u{1b}[31m"), "");
  writeFileSync(join(tree, "n".repeat(255)), "long");
  symlinkSync("docs/notes.txt", join(tree, "link"));
  mkdirSync(join(tree, "kept/dir"), { recursive: true });
  writeFileSync(join(tree, "kept/sparse"), big.subarray(0, 4096));
  truncateSync(join(tree, "kept/sparse"), 8 * MiB);
  writeFileSync(join(tree, "kept/dir/one"), big.subarray(0, 2 * MiB), { mode: 0o640 });
  linkSync(join(tree, "kept/dir/one"), join(tree, "kept/two"));
  symlinkSync("dir/one", join(tree, "kept/symlink"));
  utimesSync(join(tree, "kept/dir/one"), 1_600_000_000, 1_600_000_000);
  image = images.filesystem("files.img", 32 * MiB, "-t", "ext4", "-b", "1024", "-d", tree);
  execFileSync("rm", ["-r", tree]);
});
after(async () => {
  await browser?.close();
  images.remove();
});

async function open(page, hash = "#/files") {
  await pick(page, image);
  await swept(page);
  await page.goto(page.url().replace(/#.*|$/, hash));
  await page.getByRole("treegrid").getByRole("row", { name: /lost\+found/ }).waitFor();
}

/** The row of a name in the tree. */
function row(page, name) {
  return page.getByRole("treegrid").getByRole("row").filter({ has: page.getByText(name, { exact: true }) });
}

function detail(page) {
  return page.getByRole("region", { name: "Selected file" });
}

test("directories open one by one and show what was put in", async () => {
  await withPage(browser, async (page) => {
    await open(page);
    assert.equal(await row(page, "notes.txt").count(), 0);
    await row(page, "docs").getByRole("button").click();
    await row(page, "notes.txt").waitFor();
    assert.equal(await row(page, "docs").getAttribute("aria-expanded"), "true");
    assert.equal(await row(page, "notes.txt").getAttribute("aria-level"), "2");
    await row(page, "docs").getByRole("button").click();
    await row(page, "notes.txt").waitFor({ state: "detached" });
    await page.getByRole("columnheader", { name: "Size" }).getByRole("button").click();
    const first = page.getByRole("treegrid").getByRole("row").nth(1);
    assert.match(await first.innerText(), /^big\.bin/);
  });
});

test("names that would deceive are shown for what they are", async () => {
  await withPage(browser, async (page) => {
    await open(page);
    await row(page, "cod\\u{202e}gpj.exe").waitFor();
    await row(page, "new\\nline\\u{1b}[31m").waitFor();
    await row(page, "n".repeat(255)).waitFor();
    const body = await page.locator("body").innerText();
    assert.ok(!body.includes("\u{202e}") && !body.includes("\u{1b}"));
  });
});

test("a path in the address opens its directories and the file", async () => {
  await withPage(browser, async (page) => {
    await open(page, "#/files?p=/docs/deep/deeper/leaf");
    await detail(page).getByRole("heading", { name: "leaf" }).waitFor();
    await row(page, "leaf").waitFor();
    assert.equal(await row(page, "leaf").getAttribute("aria-selected"), "true");
    await page.getByLabel("Path of a file").fill("/docs/gone");
    await page.keyboard.press("Enter");
    await detail(page).getByRole("alert").filter({ hasText: "there is no gone" }).waitFor();
    await page.goBack();
    await detail(page).getByRole("heading", { name: "leaf" }).waitFor();
  });
});

test("the extents of a file are those that debugfs lists", async () => {
  await withPage(browser, async (page) => {
    await open(page);
    await row(page, "big.bin").click();
    const table = detail(page).getByRole("region", { name: "Extents" });
    await table.waitFor();
    const shown = await table.locator("tbody tr:not([aria-hidden]) td:nth-child(3)").allInnerTexts();
    const numbers = shown.map((range) => range.replaceAll(",", "").split("–").map(Number));
    const covered = numbers.flatMap(([from, to = from]) => Array.from({ length: to - from + 1 }, (_, n) => from + n));
    assert.deepEqual(covered, blocks(image, "/big.bin"));
    await detail(page).getByText("Inode", { exact: true }).click();
    await detail(page).getByText("i_mode").waitFor();
    await table.waitFor({ state: "detached" });
  });
});

test("a file is saved byte for byte", async () => {
  await withPage(browser, async (page) => {
    await open(page, "#/files?p=/big.bin");
    const download = page.waitForEvent("download");
    await detail(page).getByRole("button", { name: "Save a copy" }).click();
    const file = await download;
    assert.equal(file.suggestedFilename(), "big.bin");
    assert.ok(readFileSync(await file.path()).equals(big));
  });
});

/** What GNU tar makes of an archive. */
function unpacked(archive, use) {
  const folder = mkdtempSync(join(tmpdir(), "extscope-tar-"));
  try {
    execFileSync("tar", ["-xpf", archive, "-C", folder]);
    use(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Holds a folder that was unpacked to what was put into the image. */
function holdsKept(folder) {
  const whole = big.subarray(0, 2 * MiB);
  assert.ok(readFileSync(join(folder, "dir/one")).equals(whole));
  const [one, two] = ["dir/one", "two"].map((name) => statSync(join(folder, name)));
  assert.equal(one.ino, two.ino, "one file of two names");
  assert.equal(one.mode & 0o777, 0o640);
  assert.equal(one.mtimeMs, 1_600_000_000_000);
  assert.equal(readlinkSync(join(folder, "symlink")), "dir/one");
  assert.ok(lstatSync(join(folder, "dir")).isDirectory());
  const sparse = statSync(join(folder, "sparse"));
  assert.equal(sparse.size, 8 * MiB);
  assert.ok(sparse.blocks * 512 < MiB, "its holes are holes");
  assert.ok(readFileSync(join(folder, "sparse")).subarray(0, 4096).equals(big.subarray(0, 4096)));
}

test("a folder is saved as an archive that tar reads", async () => {
  await withPage(browser, async (page) => {
    await open(page, "#/files?p=/kept");
    // As in a browser that cannot ask for a file.
    await page.evaluate(() => { window.showSaveFilePicker = undefined; });
    const download = page.waitForEvent("download");
    await detail(page).getByRole("button", { name: "Save as tar" }).click();
    const file = await download;
    assert.equal(file.suggestedFilename(), "kept.tar");
    unpacked(await file.path(), holdsKept);
    assert.equal(await page.getByRole("alert").count(), 0);
  });
});

/** Has the page's dialog for files name those of the page's own folder. */
function namesOwnFiles(page) {
  return page.evaluate(async () => {
    const folder = await navigator.storage.getDirectory();
    window.showSaveFilePicker = ({ suggestedName }) => folder.getFileHandle(suggestedName, { create: true });
  });
}

/** The bytes of a file in the page's own folder. */
async function own(page, name) {
  const url = await page.evaluate(async (name) => {
    const folder = await navigator.storage.getDirectory();
    const file = await (await folder.getFileHandle(name)).getFile();
    const reader = new FileReader();
    const read = new Promise((resolve) => { reader.onload = resolve; });
    reader.readAsDataURL(file);
    await read;
    return reader.result;
  }, name);
  return Buffer.from(url.split(",")[1] ?? "", "base64");
}

test("an archive is written straight into the file that the person names", async () => {
  await withPage(browser, async (page) => {
    await open(page, "#/files?p=/kept");
    await namesOwnFiles(page);
    await detail(page).getByRole("button", { name: "Save as tar" }).click();
    // The file is empty until all of it is there.
    while ((await own(page, "kept.tar").catch(() => [])).length === 0) await page.waitForTimeout(50);
    unpacked(images.file("own.tar", await own(page, "kept.tar")), holdsKept);
  });
});

test("an archive that is stopped leaves nothing in the file", async () => {
  await withPage(browser, async (page) => {
    await open(page, "#/files?p=/kept");
    await namesOwnFiles(page);
    for (const worker of page.workers()) await slow(worker, 500);
    await detail(page).getByRole("button", { name: "Save as tar" }).click();
    await page.getByText(/^Saving kept\.tar,/).waitFor();
    await page.getByRole("button", { name: "Stop" }).click();
    await page.getByText(/^Saving kept\.tar,/).waitFor({ state: "detached" });
    assert.equal((await own(page, "kept.tar")).length, 0);
    // The engine goes on with other things.
    await row(page, "big.bin").click();
    await detail(page).getByRole("heading", { name: "big.bin" }).waitFor();
  });
});

test("words and pictures are shown", async () => {
  await withPage(browser, async (page) => {
    await open(page, "#/files?p=/docs/notes.txt");
    await detail(page).getByText("Contents", { exact: true }).click();
    await detail(page).getByText("second \u{1f600} line").waitFor();
    await row(page, "pixel.png").click();
    const picture = detail(page).getByRole("img", { name: "The picture that the file holds" });
    await picture.waitFor();
    assert.equal(await picture.evaluate(async (image) => (await image.decode(), image.naturalWidth)), 1);
    await row(page, "big.bin").click();
    await detail(page).getByText("00000010  ").waitFor();
  });
});

test("where the space went is told by directory, and the list is part of the address", async () => {
  await withPage(browser, async (page) => {
    await pick(page, image);
    await swept(page);
    await page.goto(page.url().replace(/#.*|$/, "#/files?list=directories"));
    const path = page.getByRole("searchbox", { name: /^Path of a file/ });
    await path.fill("/half/typed");
    await page.getByRole("main").getByRole("button", { name: "Read all inodes" }).click();
    const list = page.getByRole("region", { name: "Space by directory" });
    const rows = list.locator("tbody tr:not([aria-hidden])");
    await rows.first().getByText("/", { exact: true }).waitFor();
    assert.equal(await path.inputValue(), "/half/typed", "what is typed outlasts what is drawn anew");
    await rows.filter({ hasText: "/docs/deep/deeper" }).getByRole("button").click();
    await detail(page).getByRole("heading", { name: "deeper" }).waitFor();
    assert.equal(await path.inputValue(), "/docs/deep/deeper");
    await detail(page).getByRole("button", { name: "Save as tar" }).waitFor();
    assert.match(page.url(), /list=directories/);
    await page.getByText("Space by kind of block").click();
    const kinds = page.getByRole("region", { name: "Space by kind of block" });
    await kinds.getByText("Inode table", { exact: true }).or(kinds.getByText("inode table", { exact: true })).waitFor();
    await page.goBack();
    await list.waitFor();
  });
});

test("deleted inodes are those that debugfs lists, and lead to what is left of them", async () => {
  const tree = mkdtempSync(join(tmpdir(), "extscope-tree-"));
  for (const name of ["keep", "lose", "drop"]) writeFileSync(join(tree, name), big.subarray(0, 40_000));
  const path = images.filesystem("deleted.img", 8 * MiB, "-t", "ext2", "-b", "1024", "-d", tree);
  execFileSync("rm", ["-r", tree]);
  debugfs(path, "rm lose", "rm drop");
  const inodes = lsdel(path);
  assert.equal(inodes.length, 2);
  await withPage(browser, async (page) => {
    await pick(page, path);
    await swept(page);
    await page.goto(page.url().replace(/#.*|$/, "#/files?list=deleted"));
    await page.getByRole("main").getByRole("button", { name: "Read all inodes" }).click();
    const rows = page.getByRole("region", { name: "Deleted inodes" }).locator("tbody tr:not([aria-hidden])");
    await rows.first().waitFor();
    const shown = await rows.evaluateAll((rows) => rows.map((row) => Number(row.cells[0].innerText)));
    assert.deepEqual(shown.sort(), inodes.sort());
    await rows.first().getByRole("button").click();
    await detail(page).getByRole("region", { name: "Extents" }).waitFor();
  });
});

test("a file is found by a part of its name", async () => {
  await withPage(browser, async (page) => {
    await open(page);
    const type = async (text) => {
      await page.keyboard.press("Control+k");
      await page.getByRole("combobox", { name: "Where to go" }).fill(text);
    };
    await type("EAF");
    await page.getByRole("option", { name: /^Names with/ }).waitFor();
    await page.keyboard.press("Enter");
    await page.getByRole("option", { name: /leaf/ }).waitFor();
    await page.keyboard.press("Enter");
    await detail(page).getByRole("heading", { name: "leaf" }).waitFor();
    // From now on it takes no more reading, nor asking.
    await type("pixel");
    await page.getByRole("option", { name: /docs\/pixel\.png/ }).waitFor();
    await page.getByText("1 name has that in them").first().waitFor();
  });
});

test("the tree by keyboard alone", async () => {
  await withPage(browser, async (page) => {
    await open(page);
    await page.getByRole("treegrid", { name: "Tree of files" }).focus();
    await page.keyboard.press("Home");
    await row(page, "docs").and(page.locator("[aria-selected=true]")).waitFor();
    await page.keyboard.press("ArrowRight");
    await row(page, "deep").waitFor();
    await page.keyboard.press("ArrowRight");
    await row(page, "deep").and(page.locator("[aria-selected=true]")).waitFor();
    await page.keyboard.press("ArrowLeft");
    await row(page, "docs").and(page.locator("[aria-selected=true]")).waitFor();
    await page.keyboard.press("Enter");
    await row(page, "deep").waitFor({ state: "detached" });
    await page.keyboard.press("Escape");
    await detail(page).waitFor({ state: "detached" });
  });
});

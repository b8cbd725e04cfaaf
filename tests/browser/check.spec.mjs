// Check: what it finds beside what e2fsck finds, and the ways from a problem to where it lies.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { launch, pick, slow, swept, withPage } from "./browser.mjs";
import { MiB, Workshop, blocks, debugfs, debugfsSession, e2fsck, inodeBlock } from "./images.mjs";

const FILE = "/srv/f640";

let browser;
let good;
let damaged;
let first;
let waiting;
const images = new Workshop();
before(async () => {
  browser = await launch();
  good = images.sample("small-server");
  damaged = images.copy(good, "damaged.img");
  // A link too many, and the blocks of a file marked free; and some of nobody's marked in use.
  [first] = blocks(damaged, FILE);
  debugfs(damaged, `set_inode_field ${FILE} links_count 3`, `freeb ${first} 2`, "setb 20000 40");
  // A link count that is wrong on the disk and right in the log.
  waiting = images.filesystem("waiting.img", 24 * MiB, "-t", "ext4", "-b", "1024", "-J", "size=4");
  debugfs(waiting, "mkdir /d");
  const { block, bytes } = inodeBlock(waiting, "/d");
  debugfsSession(waiting, "jo", `jw -b ${block} ${images.file("inodes", bytes)}`, "jc");
  debugfs(waiting, "set_inode_field /d links_count 5");
});
after(async () => {
  await browser?.close();
  images.remove();
});

async function open(page, image, hash = "#/check") {
  await pick(page, image);
  await swept(page);
  await page.goto(page.url().replace(/#.*|$/, hash));
}

/** Checks the image and waits for the end. */
async function check(page) {
  await page.getByRole("button", { name: "Check", exact: true }).click();
  await page.getByRole("button", { name: "Check again" }).waitFor();
}

function problems(page) {
  return page.getByRole("tree", { name: "Problems" });
}

/** What a button saves. */
async function saved(page, name) {
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name, exact: true }).click();
  return readFileSync(await (await download).path(), "utf8");
}

test("nothing is checked unasked, and a good image is clean", async () => {
  await withPage(browser, async (page) => {
    await open(page, good);
    await page.getByRole("heading", { name: "Check the filesystem" }).waitFor();
    await check(page);
    await page.getByRole("heading", { name: "The filesystem is clean." }).waitFor();
    assert.equal(e2fsck(good).exit, 0);
  });
});

test("the problems are those of e2fsck, and what is saved has them all", async () => {
  await withPage(browser, async (page) => {
    await open(page, damaged);
    await check(page);
    const said = e2fsck(damaged);
    await page.getByText(`exit with status ${said.exit}`).waitFor();
    const report = JSON.parse(await saved(page, "JSON"));
    const told = report.problems.filter(({ code }) => !/_(HEADER|END)$/.test(code));
    assert.deepEqual(told.map(({ pass }) => Number(pass)), said.codes.map((code) => code >> 16));
    const lines = (await saved(page, "CSV")).trim().split("\r\n");
    assert.equal(lines.length, report.problems.length + 1);
    const html = await saved(page, "HTML");
    assert.ok(html.includes(report.sentence) && report.counts.every(({ code }) => html.includes(code) || /_(HEADER|END)$/.test(code)));
    const badge = page.getByRole("navigation", { name: "Views" }).first().getByRole("link", { name: /^Check/ });
    assert.match(await badge.innerText(), /\d$/);
  });
});

test("a problem leads to its bits, its bytes, its file and its group, and has an address", async () => {
  await withPage(browser, async (page) => {
    await open(page, damaged);
    await check(page);
    await problems(page).getByRole("treeitem", { name: /blocks 20,000–20,039/ }).click();
    const detail = page.getByRole("region", { name: /marked/ });
    const bits = detail.getByRole("region", { name: "Bits that differ" });
    await bits.waitFor();
    assert.equal(await bits.locator(".bits__differ").count(), 40);
    assert.match(page.url(), /#\/check\?p=PR_5_BLOCK_RANGE_UNUSED$/);
    await detail.getByRole("button", { name: "Show the bytes" }).click();
    await page.getByRole("heading", { name: /Block bitmap/i, level: 1 }).waitFor();
    await page.goBack();
    await problems(page).getByRole("treeitem", { name: new RegExp(`blocks ${first.toLocaleString("en")}`) }).click();
    const owner = page.getByRole("heading", { name: "Who has these blocks" }).locator("+ ul");
    await owner.getByRole("button", { name: /^inode/ }).waitFor();
    await problems(page).getByRole("treeitem", { name: /is 3, should be 1/ }).click();
    await page.waitForURL(/#\/check\?p=PR_4_/);
    await page.getByRole("button", { name: "Show in Files" }).click();
    await page.getByRole("region", { name: "Extents" }).waitFor();
    await page.waitForURL(/#\/files/);
    await page.goBack();
    await page.getByRole("button", { name: "Show in Groups" }).click();
    await page.getByRole("grid").waitFor();
  });
});

test("where the journal waits for its replay, both views can be checked, and it is said which was", async () => {
  await withPage(browser, async (page) => {
    await open(page, waiting);
    await check(page);
    await page.getByText("without the changes in the journal").waitFor();
    await problems(page).getByRole("treeitem", { name: /is 5, should be 2/ }).waitFor();
    await page.getByRole("button", { name: "Check it as after the replay" }).click();
    await page.getByRole("heading", { name: "Check the filesystem" }).waitFor();
    await check(page);
    await page.getByRole("heading", { name: "The filesystem is clean." }).waitFor();
    await page.getByText("It was checked as after the journal is replayed.").waitFor();
    await page.getByRole("button", { name: /^as replayed/ }).click();
    await page.getByRole("button", { name: /^needs recovery/ }).waitFor();
    await page.getByText("The filesystem as it lies on the disk.").waitFor();
  });
});

test("words, numbers and passes narrow the list", async () => {
  await withPage(browser, async (page) => {
    await open(page, damaged);
    await check(page);
    const places = problems(page).locator('[aria-level="3"]');
    const all = await places.count();
    const field = page.getByRole("searchbox");
    await field.fill("20,010");
    await problems(page).getByText("blocks 20,000–20,039").waitFor();
    assert.equal(await places.count(), 1);
    await field.fill("no such words");
    await page.getByText("No problem is like that.").waitFor();
    await field.fill("");
    await page.getByRole("button", { name: /^Pass 4/ }).click();
    assert.equal(await places.count(), 1);
    await page.getByRole("button", { name: /^Pass 4/ }).click();
    await places.nth(all - 1).waitFor();
    await problems(page).focus();
    await page.keyboard.press("Home");
    await page.keyboard.press("j");
    await page.keyboard.press("ArrowLeft");
    await page.waitForFunction((n) => document.querySelectorAll('[aria-level="3"]').length < n, all);
  });
});

test("a check can be stopped, and says what it did not come to", async () => {
  await withPage(browser, async (page) => {
    await open(page, damaged);
    for (const worker of page.workers()) await slow(worker, 300);
    await page.getByRole("button", { name: "Check", exact: true }).click();
    await page.getByRole("heading", { name: /^Checking/ }).waitFor();
    await page.getByRole("button", { name: "Stop", exact: true }).click();
    await page.getByRole("heading", { name: /^Stopped/ }).waitFor();
    await page.getByText(/^Not checked: pass \d/).waitFor();
    await page.goto(page.url().replace(/#.*/, "#/hex?b=0"));
    await page.getByRole("heading", { name: "Superblock", level: 1 }).waitFor();
  });
});

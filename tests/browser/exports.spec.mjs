// What the dialog saves, against the tools of e2fsprogs and what was put into the image.

import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { launch, pick, swept, withPage } from "./browser.mjs";
import { MiB, Workshop, freefrag, groups } from "./images.mjs";

let browser;
let image;
const images = new Workshop();
const SECRET = "a secret, \"quoted\" name.txt";
before(async () => {
  browser = await launch();
  const tree = mkdtempSync(join(tmpdir(), "extscope-tree-"));
  mkdirSync(join(tree, "folder"));
  writeFileSync(join(tree, "folder", SECRET), Buffer.alloc(70_000, 7));
  writeFileSync(join(tree, "plain"), "plain");
  image = images.filesystem("exports.img", 48 * MiB, "-t", "ext4", "-b", "1024", "-L", "exported", "-d", tree);
  rmSync(tree, { recursive: true });
});
after(async () => {
  await browser?.close();
  images.remove();
});

/** Opens the image in a view, and the dialog above it. */
async function open(page, hash, path = image) {
  await pick(page, path);
  await swept(page);
  await page.goto(page.url().replace(/#.*|$/, hash));
  if (hash === "#/free") await page.getByRole("heading", { name: "Free extents by size" }).waitFor();
}

/** Saves something by the dialog: the name of its file, and its bytes. */
async function save(page, name, form) {
  await page.getByRole("button", { name: "Export", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Export" });
  await dialog.getByRole("radio", { name: new RegExp(`^${name}`) }).check();
  if (form) await dialog.getByLabel(`Form of: ${name}`).selectOption(form);
  const download = page.waitForEvent("download");
  await dialog.getByRole("button", { name: "Save" }).click();
  const file = await download;
  await dialog.waitFor({ state: "detached" });
  return { name: file.suggestedFilename(), bytes: readFileSync(await file.path()) };
}

/** The rows of a CSV as objects. */
function rows(bytes) {
  const lines = bytes.toString().split("\r\n");
  assert.equal(lines.pop(), "", "the last line ends, too");
  const cells = (line) => [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)]
    .map(([, quoted, bare]) => quoted?.replaceAll('""', '"') ?? bare);
  const [head, ...rest] = lines.map(cells);
  return rest.map((row) => Object.fromEntries(head.map((name, at) => [name, row[at]])));
}

test("the free extents are e2freefrag's, as cells, as objects and each", async () => {
  const { histogram, extents } = freefrag(image, 64);
  await withPage(browser, async (page) => {
    await open(page, "#/free");
    const csv = await save(page, "Free extents by length");
    assert.match(csv.name, /^exported-free-lengths-\d{8}\.csv$/);
    const read = (row) => ({ extents: Number(row.extents), blocks: Number(row.blocks) });
    assert.deepEqual(rows(csv.bytes).map(read), histogram);
    const json = await save(page, "Free extents by length", "JSON");
    assert.match(json.name, /\.json$/);
    assert.deepEqual(JSON.parse(json.bytes).map(read), histogram);
    const each = rows((await save(page, "Every free extent")).bytes);
    assert.equal(each.length, extents);
    const lengths = each.map(({ blocks }) => Number(blocks));
    assert.deepEqual(lengths, [...lengths].sort((a, b) => b - a));
    assert.equal(lengths.reduce((sum, n) => sum + n), histogram.reduce((sum, { blocks }) => sum + blocks, 0));
  });
});

test("the chart of free extents is a drawing, and a picture of twice its size", async () => {
  await withPage(browser, async (page) => {
    await open(page, "#/free");
    const svg = (await save(page, "Chart of free extents")).bytes.toString();
    assert.match(svg, /^<svg [^]*Free extents of exported[^]*<\/svg>\n$/);
    const [, width, height] = /width="(\d+)" height="(\d+)"/.exec(svg).map(Number);
    const png = (await save(page, "Chart of free extents", "PNG")).bytes;
    assert.equal(png.toString("latin1", 1, 4), "PNG");
    assert.deepEqual([png.readUInt32BE(16), png.readUInt32BE(20)], [2 * width, 2 * height]);
  });
});

test("the map is a drawing with its legend, and a picture four times its size", async () => {
  await withPage(browser, async (page) => {
    await open(page, "#/map?color=occ");
    const svg = await save(page, "Map", "SVG");
    assert.match(svg.name, /^exported-map-\d{8}\.svg$/);
    const drawing = svg.bytes.toString();
    assert.match(drawing, /^<svg [^]*>exported<[^]*UUID [^]*Share of blocks in use[^]*Each (pixel|block) is[^]*<\/svg>\n$/);
    const [, width, height] = /width="(\d+)" height="(\d+)"/.exec(drawing).map(Number);
    const png = (await save(page, "Map", "PNG, 4\u00d7")).bytes;
    assert.deepEqual([png.readUInt32BE(16), png.readUInt32BE(20)], [4 * width, 4 * height]);
    // What the drawing shows of the map is in the picture, too.
    const colours = await page.evaluate(async (bytes) => {
      const image = await createImageBitmap(new Blob([Uint8Array.from(bytes)], { type: "image/png" }));
      const context = new OffscreenCanvas(image.width, image.height).getContext("2d", { willReadFrequently: true });
      context.drawImage(image, 0, 0);
      const { data } = context.getImageData(0, 0, image.width, image.height);
      const seen = new Set();
      for (let i = 0; i < data.length; i += 4) seen.add((data[i] << 16) | (data[i + 1] << 8) | data[i + 2]);
      return [...seen];
    }, [...png]);
    // Free, and full.
    for (const colour of [0x1c2126, 0xb3e2c8]) assert.ok(colours.includes(colour), colour.toString(16));
  });
});

test("the groups are dumpe2fs's", async () => {
  await withPage(browser, async (page) => {
    await open(page, "#/groups");
    const told = rows((await save(page, "Block groups")).bytes);
    const shown = told.map((row) => ({
      group: Number(row.group),
      first: Number(row.first_block),
      last: Number(row.first_block) + Number(row.blocks) - 1,
      blocks: Number(row.blocks),
      used: Number(row.blocks) - Number(row.free_blocks),
      extents: Number(row.free_extents),
    }));
    assert.deepEqual(shown, groups(image));
  });
});

test("every file is told with its path, or without where names are left out", async () => {
  await withPage(browser, async (page) => {
    await open(page, "#/files");
    const told = rows((await save(page, "Every file and directory")).bytes);
    const secret = told.find(({ path }) => path === `/folder/${SECRET}`);
    assert.equal(secret.size_bytes, "70000");
    assert.equal(secret.blocks_bytes, String(69 * 1024));
    assert.equal(told.find(({ path }) => path === "/plain").size_bytes, "5");
    await page.getByRole("button", { name: "Export", exact: true }).click();
    const dialog = page.getByRole("dialog", { name: "Export" });
    await dialog.getByRole("radio", { name: /^Every file/ }).check();
    await dialog.getByRole("checkbox").check();
    const download = page.waitForEvent("download");
    await dialog.getByRole("button", { name: "Save" }).click();
    const hidden = readFileSync(await (await download).path()).toString();
    assert.ok(!hidden.includes("secret") && hidden.includes(`f${secret.ino.padStart(6, "0")}.txt`));
  });
});

test("the report opens by itself, and leaves out names unless they are wanted", async () => {
  await withPage(browser, async (page) => {
    await open(page, "#/map");
    const report = await save(page, "Report");
    assert.match(report.name, /^exported-report-\d{8}\.html$/);
    const html = report.bytes.toString();
    assert.ok(!html.includes("secret") && !/<script|src=|href=/.test(html));
    const alone = await page.context().newPage();
    await alone.route("**/*", (route) => route.abort());
    await alone.setContent(html);
    await alone.getByRole("heading", { name: "exported", exact: true }).waitFor();
    await alone.getByRole("heading", { name: "Free extents" }).waitFor();
    await alone.close();
    const { totals, free, info } = JSON.parse((await save(page, "Report", "JSON")).bytes);
    assert.equal(info.superblock.s_magic, 0xef53);
    assert.equal(totals.files, 2);
    assert.equal(free.extents, freefrag(image, 64).extents);
  });
});

test("the map prints on one sheet, light, with its legend and without what works the page", async () => {
  await withPage(browser, async (page) => {
    await open(page, "#/map");
    await page.evaluate(() => addEventListener("beforeprint", () => { window.printed = document.documentElement.dataset.theme; }));
    const paper = await page.pdf({ format: "A4", landscape: true });
    assert.equal(paper.toString("latin1").match(/\/Type\s*\/Page\b/g).length, 1);
    assert.equal(await page.evaluate(() => window.printed), "light");
    assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), "dark");
    await page.emulateMedia({ media: "print" });
    assert.ok(await page.getByText("Inode table").first().isVisible());
    for (const gone of [page.getByRole("navigation"), page.getByRole("contentinfo"), page.getByRole("button", { name: "As a table" })]) {
      assert.ok(!(await gone.first().isVisible()), `${gone} is not printed`);
    }
  });
});

// Hex and the box to go anywhere: bytes against the file itself, fields against dumpe2fs.

import assert from "node:assert/strict";
import { closeSync, openSync, readSync } from "node:fs";
import { test } from "node:test";
import { NARROW, pick, swept, withPage } from "./browser.mjs";
import { descriptors } from "./images.mjs";
import { browser, image } from "./stage.mjs";

const BLOCK = 4096;

function bytes(offset, length) {
  const buffer = Buffer.alloc(length);
  const file = openSync(image, "r");
  readSync(file, buffer, 0, length, offset);
  closeSync(file);
  return buffer;
}

async function open(page, hash) {
  await pick(page, image);
  await swept(page);
  await page.goto(page.url().replace(/#.*|$/, hash));
}

/** Types into the box to go anywhere. */
async function go(page, text) {
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox", { name: "Where to go" }).fill(text);
  await page.keyboard.press("Enter");
}

test("the bytes are those of the file, and fields say what they mean", async () => {
  await withPage(browser, async (page) => {
    await open(page, "#/hex?b=0");
    await page.getByRole("heading", { name: "Superblock", level: 1 }).waitFor();
    const dump = page.getByRole("grid", { name: "Bytes" });
    const fields = page.getByRole("region", { name: "Fields" });
    await fields.getByText("s_inodes_count", { exact: true }).click();
    await page.waitForTimeout(200);
    const line = dump.locator('.hex__line:has(.hex__offset:text-is("00000400"))');
    const shown = await line.locator(".hex__bytes").innerText();
    assert.equal(shown.replaceAll(/\s/g, ""), bytes(0x400, 16).toString("hex"));
    const chosen = await line.locator(".hex__bytes .hex__byte--chosen").allInnerTexts();
    assert.equal(chosen.join(""), bytes(0x400, 4).toString("hex"));
    const row = fields.getByRole("row").filter({ hasText: "s_inodes_count" });
    assert.match((await row.innerText()).replaceAll(",", ""), new RegExp(`${bytes(0x400, 4).readUInt32LE()}$`));
    await page.getByRole("button", { name: /checksum/ }).click();
    assert.ok((await dump.locator(".hex__byte--covered").count()) > 0);
  });
});

test("a byte leads to its field, and structures follow one another", async () => {
  await withPage(browser, async (page) => {
    await open(page, "#/hex?b=0");
    await go(page, "@0x438");
    const fields = page.getByRole("region", { name: "Fields" });
    const chosen = fields.locator(".table__chosen");
    await chosen.filter({ hasText: "s_magic" }).waitFor();
    assert.match(page.url(), /@=1080$/);
    assert.equal(await page.locator(".hex__bytes .hex__byte--at").innerText(), "53");
    await go(page, "block 1");
    await page.getByRole("heading", { name: "Group descriptors", level: 1 }).waitFor();
    assert.equal(await chosen.count(), 0);
    const at = () => chosen.locator("td").first().innerText();
    const next = page.getByRole("button", { name: "Next structure" });
    await next.click();
    const first = await at();
    await next.click();
    assert.ok(parseInt(await at(), 16) > parseInt(first, 16));
    await page.getByRole("button", { name: "Previous structure" }).click();
    assert.equal(await at(), first);
  });
});

test("bytes and fields by keyboard alone", async () => {
  await withPage(browser, async (page) => {
    await open(page, "#/map");
    await go(page, "0x438");
    const dump = page.getByRole("grid", { name: "Bytes" });
    const fields = page.getByRole("grid", { name: "Fields" });
    const chosen = fields.locator(".table__chosen");
    await chosen.filter({ hasText: "s_magic" }).waitFor();
    await dump.focus();
    for (const key of ["ArrowRight", "ArrowRight"]) await page.keyboard.press(key);
    await chosen.filter({ hasText: "s_state" }).waitFor();
    const said = await page.evaluate(() => document.getElementById(document.activeElement.getAttribute("aria-activedescendant")).ariaLabel);
    assert.match(said, /^43a: [0-9a-f]{2}, s_state$/);
    await fields.focus();
    await page.keyboard.press("j");
    await chosen.filter({ hasText: "s_errors" }).waitFor();
    assert.equal(await fields.getAttribute("aria-activedescendant"), await chosen.getAttribute("id"));
    await page.keyboard.press("k");
    await chosen.filter({ hasText: "s_state" }).waitFor();
  });
});

test("on a telephone a line of bytes fits without scrolling", async () => {
  const use = async (page) => {
    await open(page, "#/hex?b=0");
    const dump = page.getByRole("grid", { name: "Bytes" });
    await dump.waitFor();
    const [inner, outer] = await dump.evaluate((it) => [it.scrollWidth, it.clientWidth]);
    assert.ok(inner <= outer, `${inner} over ${outer}`);
  };
  await withPage(browser, use, { viewport: NARROW });
});

test("values lead on, and blocks follow one another", async () => {
  await withPage(browser, async (page) => {
    await open(page, "#/hex?b=1");
    await page.getByRole("heading", { name: "Group descriptors", level: 1 }).waitFor();
    const [{ blockBitmap }] = descriptors(image);
    await page.getByRole("region", { name: "Fields" }).getByRole("button", { name: blockBitmap.toLocaleString("en") }).first().click();
    await page.getByRole("heading", { name: "Block bitmap of group 0" }).waitFor();
    await page.getByRole("button", { name: "Next block" }).click();
    await page.getByText(`block ${(blockBitmap + 1).toLocaleString("en")}`).waitFor();
  });
});

test("the box leads to paths, inodes, blocks, groups and bytes", async () => {
  await withPage(browser, async (page) => {
    await open(page, "#/map");
    await go(page, "/srv/f640");
    const file = page.getByRole("region", { name: "Selected file" });
    await file.getByRole("heading", { name: "f640" }).waitFor();
    await go(page, "inode 2");
    await file.getByRole("heading", { name: "Inode 2" }).waitFor();
    await go(page, "group 7");
    await page.getByRole("complementary", { name: "Selection" }).getByRole("heading", { name: /^Group 7\b/ }).waitFor();
    await go(page, "0x400");
    await page.getByRole("heading", { name: "Superblock", level: 1 }).waitFor();
    await page.keyboard.press("/");
    await page.getByRole("combobox", { name: "Where to go" }).fill("group 9999");
    await page.getByText("There is no such place").first().waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
  });
});

test("once all inodes are read, a block tells whose it is", async () => {
  await withPage(browser, async (page) => {
    await open(page, "#/files");
    await page.getByRole("button", { name: "Read all inodes" }).click();
    await page.getByText("Where the space went").waitFor();
    await page.getByText("Most scattered files").click();
    const list = page.getByRole("region", { name: "Most scattered files" });
    await list.getByRole("row").nth(1).waitFor();
    await go(page, `block ${bytes(BLOCK + 8, 4).readUInt32LE()}`);
    await page.locator(".hex__owner").getByText("inode table").waitFor();
  });
});

// Images of whole disks, and filesystems further into a file.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { launch, pick, swept, withPage } from "./browser.mjs";
import { MiB, TiB, Workshop, groups, partition, poke } from "./images.mjs";

let browser;
let small;
let disk;
const images = new Workshop();
before(async () => {
  browser = await launch();
  small = images.filesystem("small.img", 8 * MiB, "-t", "ext4", "-b", "1024", "-L", "small");
  const large = images.filesystem("large.img", 48 * MiB, "-t", "ext4", "-b", "1024", "-L", "large");
  disk = images.disk("disk.img", small, large, 4 * MiB);
});
after(async () => {
  await browser?.close();
  images.remove();
});

/** Groups that the status bar counts. */
async function counted(page) {
  const text = await page.getByRole("contentinfo").innerText();
  return Number(/of\s+([\d,]+)/.exec(text)[1].replaceAll(",", ""));
}

test("a disk offers its partitions, and the chosen one opens", async () => {
  await withPage(browser, async (page) => {
    await pick(page, disk);
    await page.getByRole("heading", { name: "3 partitions, 2 with an ext filesystem" }).waitFor();
    const row = (number) => page.getByRole("row").filter({ has: page.getByText(String(number), { exact: true }) });
    assert.match(await row(3).innerText(), /zeros.*not an ext filesystem/s);
    assert.equal(await row(3).getByRole("radio").count(), 0);
    assert.ok(await row(2).getByRole("radio").isChecked(), "the largest is proposed");
    await page.getByRole("button", { name: "Open partition 2" }).click();
    await swept(page);
    assert.equal(await counted(page), groups(images.path("large.img")).length);
    await page.getByRole("banner").getByText("large", { exact: true }).waitFor();

    // Bytes are told in the filesystem and in the file: the partition follows one of 8 MiB.
    await page.goto(page.url().replace(/#.*|$/, "#/hex?b=1"));
    const at = (1 * MiB + 8 * MiB + 1024).toString(16);
    await page.getByText(`byte 0x400 of the filesystem, 0x${at} of the file`).waitFor();

    // The way back, to the other one, by the keyboard.
    await page.goto(page.url().replace(/#.*|$/, "#/map"));
    await page.getByRole("button", { name: "partition 2" }).click();
    await page.getByRole("radio").first().focus();
    await page.keyboard.press("Space");
    await page.getByRole("button", { name: "Open partition 1" }).press("Enter");
    await swept(page);
    await page.getByRole("banner").getByText("small", { exact: true }).waitFor();
    assert.equal(await counted(page), 1);
  });
});

test("workers that sweep read within the partition too", async () => {
  // 1,024 groups: parts for several workers. Without checksums no bitmap is left out.
  const bytes = TiB / 8;
  const args = ["-t", "ext4", "-O", "^metadata_csum,^uninit_bg,^has_journal,^resize_inode", "-N", "65536"];
  const large = images.filesystem("swept.img", bytes + MiB, ...args, "-E", `offset=${MiB}`);
  partition(large, [[MiB, bytes]]);
  await withPage(browser, async (page) => {
    await pick(page, large);
    await page.getByRole("button", { name: "Open partition 1" }).click();
    await swept(page);
    assert.equal(await counted(page), 1024);
    await page.goto(page.url().replace(/#.*|$/, "#/groups"));
    await page.getByRole("radio", { name: /Contradictions\s*0/ }).waitFor();
  });
});

test("a filesystem further into a file opens from the byte that is named", async () => {
  const shifted = images.file("shifted.img", Buffer.concat([Buffer.alloc(12_288, 7), readFileSync(small)]));
  await withPage(browser, async (page) => {
    await pick(page, shifted);
    const card = page.getByRole("alert");
    const field = card.getByLabel(/begins further in/);
    await field.fill("0x3001");
    await card.getByRole("button", { name: "Open from there" }).click();
    await card.getByText("from byte 12,289").waitFor();
    await field.fill("12,288");
    await field.press("Enter");
    await swept(page);
    await page.getByText("from byte 12,288").waitFor();
  });
});

test("a disk without an ext filesystem says what there is", async () => {
  const empty = images.disk("empty.img", 2 * MiB, 2 * MiB);
  poke(empty, 1 * MiB + 4086, Buffer.from("SWAPSPACE2"));
  await withPage(browser, async (page) => {
    await pick(page, empty);
    await page.getByRole("heading", { name: "2 partitions, none with an ext filesystem" }).waitFor();
    await page.getByText("Linux swap space").first().waitFor();
    assert.equal(await page.getByRole("button", { name: /^Open partition/ }).count(), 0);
    await page.getByRole("button", { name: "Back" }).click();
    await page.getByRole("heading", { name: "Drop an image here" }).waitFor();
  });
});

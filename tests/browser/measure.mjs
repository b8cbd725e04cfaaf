// How the page fares with large images: time to the first map and to the last bitmap, what was
// read, memory, and tasks that held up the page. Not a test; figures depend on the machine.
//
//   node measure.mjs [SIZE...]      sizes like 1GiB 1TiB 16TiB, which are also the default
//
// Needs BASE_URL and CHROMIUM, as the tests do, and some GB in the temporary folder: every bitmap
// is there, half of its bits set in runs of 16.

import { openSync, readFileSync, writeSync, closeSync } from "node:fs";
import { launch, map, withPage } from "./browser.mjs";
import { GiB, MiB, TiB, Workshop, descriptors } from "./images.mjs";

/** Blocks are of 4 KiB; a file of ext4 ends a little before 16 TiB. */
const BLOCK = 4096;
const SIZES = { "1GiB": GiB, "1TiB": TiB, "16TiB": 16 * TiB - 128 * MiB };

/** An image whose groups all have a bitmap on the disk, filled with short runs. */
function fragmented(images, name, bytes) {
  const features = "^metadata_csum,^has_journal,^resize_inode,64bit";
  const path = images.filesystem(name, bytes, "-t", "ext4", "-b", String(BLOCK), "-O", features, "-N", String(Math.max(bytes / (64 * MiB), 8192)), "-E", "lazy_itable_init=1");
  const runs = Buffer.alloc(BLOCK, Buffer.from([0xff, 0xff, 0, 0]));
  const file = openSync(path, "r+");
  // The first and the last group keep their true bitmap, with metadata and padding.
  for (const { blockBitmap } of descriptors(path).slice(1, -1)) {
    writeSync(file, runs, 0, BLOCK, blockBitmap * BLOCK);
  }
  closeSync(file);
  return path;
}

/** The most memory that the page's process ever had, in bytes. */
async function peak(browser) {
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send("SystemInfo.getProcessInfo");
  await session.detach();
  const peaks = processInfo.filter(({ type }) => type === "renderer").map(({ id }) => {
    const status = readFileSync(`/proc/${id}/status`, "utf8");
    return Number(/VmHWM:\s+(\d+)/.exec(status)[1]) * 1024;
  });
  return Math.max(...peaks);
}

async function measure(path) {
  const browser = await launch();
  const row = {};
  await withPage(browser, async (page) => {
    const idle = await peak(browser);
    await page.evaluate(() => {
      window.tasks = [];
      new PerformanceObserver((list) => window.tasks.push(...list.getEntries().map(({ duration }) => duration)))
        .observe({ type: "longtask", buffered: false });
    });
    const chooser = page.waitForEvent("filechooser");
    await page.getByRole("button", { name: /Choose a file/ }).click();
    const begin = performance.now();
    await (await chooser).setFiles(path);
    await map(page).waitFor();
    row["first map, ms"] = Math.round(performance.now() - begin);
    await page.getByRole("status").filter({ hasText: /All [\d,]+ bitmaps? (is|are) read/ }).waitFor({ state: "attached", timeout: 600_000 });
    row["all bitmaps, ms"] = Math.round(performance.now() - begin);
    const status = (await page.getByRole("contentinfo").innerText()).replaceAll(/\s+/g, " ");
    row["read"] = /Read (.*?) of/.exec(status)?.[1];
    row["worker memory"] = /Worker memory (\S+ \S+)/.exec(status)?.[1];
    row["page's process over idle, MiB"] = Math.round(((await peak(browser)) - idle) / MiB);
    const tasks = await page.evaluate(() => window.tasks);
    row["tasks over 50 ms"] = tasks.length;
    row["longest, ms"] = Math.round(Math.max(0, ...tasks));
  });
  await browser.close();
  return row;
}

const sizes = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(SIZES);
const table = {};
for (const size of sizes) {
  const images = new Workshop();
  try {
    table[size] = await measure(fragmented(images, `${size}.img`, SIZES[size]));
  } finally {
    images.remove();
  }
}
console.table(table);

// Several workers on one image: who reads what, what comes first, and one that breaks.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { launch, map, pick, slow, swept, withPage } from "./browser.mjs";
import { TiB, Workshop } from "./images.mjs";

let browser;
let image;
const images = new Workshop();
before(async () => {
  browser = await launch();
  // 8,192 groups, of which every bitmap has to be read: without checksums none is left out.
  image = images.filesystem("1tib.img", TiB, "-t", "ext4", "-O", "^metadata_csum,^uninit_bg,^has_journal,^resize_inode", "-N", "65536");
});
after(async () => {
  await browser?.close();
  images.remove();
});

/** Makes every read slow, in the workers that there are and in those to come. */
async function slowly(page, ms) {
  page.on("worker", (worker) => slow(worker, ms).catch(() => {}));
  for (const worker of page.workers()) await slow(worker, ms);
}

/** Groups whose bitmaps are known so far. */
async function known(page) {
  const text = await page.getByRole("contentinfo").innerText();
  return Number(/Bitmaps\s+([\d,]+)/.exec(text)[1].replaceAll(",", ""));
}

/** Rows of the panel with what was read: name, requests. */
async function reads(page) {
  await page.getByRole("contentinfo").getByRole("button", { name: /^Read/ }).click();
  const rows = await page.getByRole("dialog", { name: "What was read" }).getByRole("row").all();
  const texts = await Promise.all(rows.map((row) => row.innerText()));
  return Object.fromEntries(texts.map((text) => text.split(/\s*\t\s*/)).map(([name, requests]) => [name, Number(requests.replaceAll(",", ""))]));
}

test("what was read is told by kind and by worker, and both make up the whole", async () => {
  await withPage(browser, async (page) => {
    await pick(page, image);
    await swept(page);
    const rows = await reads(page);
    const sum = (pattern) => Object.entries(rows).filter(([name]) => pattern.test(name)).reduce((sum, [, requests]) => sum + requests, 0);
    assert.ok(sum(/^Worker \d/) > 0, JSON.stringify(rows));
    assert.equal(sum(/^Worker \d/), rows["In all"], JSON.stringify(rows));
    assert.equal(sum(/^(Superblock|Group descriptors|Block bitmaps)$/), rows["In all"], JSON.stringify(rows));
    assert.ok(sum(/^Worker [2-9]/) > sum(/^Worker 1/), "the others sweep");
  });
});

/** Has reading pause while `look` brings groups into view; gives how many were known before. */
async function meanwhile(page, look) {
  await slowly(page, 50);
  await pick(page, image);
  await map(page).waitFor();
  await page.getByRole("button", { name: "Stop reading bitmaps" }).click();
  await page.getByText("Paused", { exact: true }).waitFor();
  const before = await known(page);
  await look();
  await page.getByRole("button", { name: "Go on reading bitmaps" }).click();
  return before;
}

/** Each worker ends its part, and one of them reads what is in view: of 512 groups each. */
const SOON = 3 * 512;

test("the groups in view are exact long before the rest", async () => {
  await withPage(browser, async (page) => {
    const table = page.getByRole("region", { name: "Table of block groups" });
    const before = await meanwhile(page, async () => {
      await page.goto(page.url().replace(/#.*|$/, "#/groups"));
      await table.evaluate((table) => { table.scrollTop = table.scrollHeight; });
      await table.getByRole("row").filter({ hasText: "8,191" }).waitFor();
    });
    // The free extents of a group are a dot until its bitmap is read.
    await table.getByRole("row").filter({ hasText: "8,191", hasNotText: "·" }).waitFor();
    const since = (await known(page)) - before;
    assert.ok(since <= SOON, `${since} of 8,192 groups became known until the last, which is in view`);
  });
});

test("the selected group is exact long before the rest", async () => {
  await withPage(browser, async (page) => {
    const before = await meanwhile(page, async () => {
      await page.goto(page.url().replace(/#.*|$/, "#/map?g=7000"));
      await page.locator("#disk-map-cursor[aria-label*='Group 7,000'][aria-label*='by the descriptor alone']").waitFor({ state: "attached" });
    });
    await page.locator("#disk-map-cursor[aria-label*='Group 7,000']:not([aria-label*='by the descriptor alone'])").waitFor({ state: "attached" });
    const since = (await known(page)) - before;
    assert.ok(since <= SOON, `${since} of 8,192 groups became known until the one selected`);
  });
});

test("a worker that breaks loses its part, which another takes over", async () => {
  await withPage(
    browser,
    async (page) => {
      await slowly(page, 30);
      await pick(page, image);
      await map(page).waitFor();
      await page.getByText(/Bitmaps\s+[1-9][\d,]*\s+of\s+8,192/).waitFor();
      // Every worker but the one that answers, which is the first.
      for (const worker of page.workers().slice(1, 2)) {
        await worker.evaluate(() => setTimeout(() => { throw new Error("killed by a test"); }));
      }
      await swept(page);
      const rows = await reads(page);
      assert.ok(Object.keys(rows).some((name) => /^Worker \d, which broke$/.test(name)), JSON.stringify(rows));
      assert.equal(await page.getByRole("alert").count(), 0, "the person need not know");
    },
    { mayComplain: true },
  );
});

test("reading stops and goes on", async () => {
  await withPage(browser, async (page) => {
    await slowly(page, 30);
    await pick(page, image);
    await map(page).waitFor();
    await page.getByRole("button", { name: "Stop reading bitmaps" }).click();
    await page.getByText("Paused", { exact: true }).waitFor();
    await page.waitForTimeout(300);
    const then = await known(page);
    await page.waitForTimeout(500);
    assert.equal(await known(page), then);
    await page.getByRole("button", { name: "Go on reading bitmaps" }).click();
    await swept(page);
  });
});

test("a worker that says nothing about what it was asked is noticed, and the image can be closed", async () => {
  await withPage(browser, async (page) => {
    await pick(page, image);
    await swept(page);
    await slowly(page, 20_000);
    await page.goto(page.url().replace(/#.*|$/, "#/free"));
    const alert = page.getByRole("alert").filter({ hasText: "said nothing" });
    await alert.waitFor();
    await page.locator(".banner").getByRole("button", { name: "Close" }).click();
    await page.getByRole("heading", { name: "Drop an image here" }).waitFor();
    await alert.waitFor({ state: "detached" });
  });
});

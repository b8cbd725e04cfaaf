// Free space: the figures of e2freefrag, and what is said where those are wrong.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { launch, pick, swept, withPage } from "./browser.mjs";
import { Workshop, freefrag } from "./images.mjs";

let browser;
const images = new Workshop();
before(async () => {
  browser = await launch();
});
after(async () => {
  await browser?.close();
  images.remove();
});

async function open(page, image) {
  await pick(page, image);
  await swept(page);
  await page.goto(page.url().replace(/#.*|$/, "#/free"));
  await page.getByRole("heading", { name: "Free extents by size" }).waitFor();
}

test("the histogram is e2freefrag's, row by row", async () => {
  const image = images.sample("small-server");
  await withPage(browser, async (page) => {
    await open(page, image);
    const rows = await page.locator(".histogram-table tbody tr").all();
    const shown = [];
    for (const row of rows) {
      const extents = Number((await row.locator("td").first().innerText()).replaceAll(",", ""));
      const blocks = Number((await row.locator("td").last().getAttribute("title")).replaceAll(/\D/g, ""));
      shown.push({ extents, blocks });
    }
    const { histogram, extents, chunks } = freefrag(image, 64);
    assert.deepEqual(shown, histogram);
    await page.getByLabel("Chunks of").selectOption("64");
    await page.locator(".figures").filter({ hasText: "Chunks entirely free" }).waitFor();
    await page.getByText(`${chunks.toLocaleString("en")}`, { exact: true }).first().waitFor();
    const largest = page.getByRole("region", { name: "Largest free extents" });
    assert.equal(await largest.getByRole("table").getAttribute("aria-rowcount"), String(extents + 1));
    await largest.getByRole("button").first().click();
    await page.getByRole("complementary", { name: "Selection" }).getByRole("heading", { name: /^Group \d/ }).waitFor();
  });
});

test("with clusters it is said why e2freefrag differs", async () => {
  await withPage(browser, async (page) => {
    await open(page, images.sample("bigalloc"));
    await page.getByText("Not all of it is what e2freefrag says.").waitFor();
    await page.getByText(/in clusters of \d+ blocks/).waitFor();
  });
});

// Free space: the figures of e2freefrag, and what is said where those are wrong.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { launch, pick, swept, withPage } from "./browser.mjs";
import { Workshop, freefrag, groups } from "./images.mjs";

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
    await page.getByRole("complementary", { name: "Selection" }).getByRole("heading", { name: /^Blocks? \d/ }).waitFor();
  });
});

test("each group's free extents are those that dumpe2fs lists, the most first", async () => {
  const image = images.sample("small-server");
  await withPage(browser, async (page) => {
    await open(page, image);
    const table = page.getByRole("region", { name: "Free space of each group" });
    const rows = table.locator("tbody tr:not([aria-hidden])");
    const shown = async () => {
      const texts = await rows.evaluateAll((rows) => rows.map((row) => [0, 1].map((at) => row.cells[at].innerText)));
      return texts.map((cells) => cells.map((text) => Number(text.replaceAll(",", ""))));
    };
    const told = new Map(groups(image).map(({ group, extents }) => [group, extents]));
    const by_extents = await shown();
    assert.ok(by_extents.length > 5);
    for (const [group, extents] of by_extents) assert.equal(extents, told.get(group), `group ${group}`);
    const counts = by_extents.map(([, extents]) => extents);
    assert.deepEqual(counts, [...counts].sort((a, b) => b - a));
    await table.getByRole("button", { name: "Group", exact: true }).click();
    assert.deepEqual((await shown()).slice(0, 3).map(([group]) => group), [0, 1, 2]);
    await rows.nth(2).getByRole("button").click();
    await page.getByRole("complementary", { name: "Selection" }).getByRole("heading", { name: /^Group 2\b/ }).waitFor();
  });
});

test("with clusters it is said why e2freefrag differs", async () => {
  await withPage(browser, async (page) => {
    await open(page, images.sample("bigalloc"));
    await page.getByText("Not all of it is what e2freefrag says.").waitFor();
    await page.getByText(/in clusters of \d+ blocks/).waitFor();
  });
});

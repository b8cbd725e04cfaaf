// The table of groups of a large image: what a scroll costs, counted.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { launch, pick, swept, withPage } from "./browser.mjs";
import { TiB, Workshop } from "./images.mjs";

let browser;
let image;
const images = new Workshop();
before(async () => {
  browser = await launch();
  image = images.filesystem("1tib.img", TiB, "-t", "ext4", "-E", "lazy_itable_init=1", "-J", "size=4", "-N", "65536");
});
after(async () => {
  await browser?.close();
  images.remove();
});

/** The table of an open image. */
async function table(page) {
  await pick(page, image);
  await swept(page);
  await page.goto(page.url().replace(/#.*|$/, "#/groups"));
  const table = page.getByRole("region", { name: "Table of block groups" });
  await table.getByRole("row").nth(20).waitFor();
  return table;
}

/** Scrolls the table to a place, and waits until the group there is seen. */
async function scroll(table, group) {
  await table.evaluate((table, top) => { table.scrollTop = top; }, group * 26);
  await table.getByRole("rowheader", { name: group.toLocaleString("en"), exact: true }).waitFor();
}

test("scrolling makes no element anew: rows that leave become those that come", async () => {
  await withPage(browser, async (page) => {
    const groups = await table(page);
    await scroll(groups, 1000);
    await groups.evaluate((table) => {
      const known = new WeakSet(table.querySelectorAll("*"));
      window.made = [];
      const note = ({ addedNodes }) => {
        for (const node of addedNodes) {
          if (node instanceof Element && !known.has(node)) window.made.push(node.outerHTML);
          known.add(node);
        }
      };
      // A cell with nothing in it may get a mark, and one with a mark may lose it.
      const isRow = ({ target }) => target.localName === "tbody" || target.localName === "tr";
      new MutationObserver((changes) => changes.filter(isRow).forEach(note)).observe(table, { childList: true, subtree: true });
    });
    for (const group of [1001, 1003, 1020, 1100, 7000, 3000, 2999, 500]) await scroll(groups, group);
    assert.deepEqual(await page.evaluate(() => window.made), []);
  });
});

test("each column head says what it means", async () => {
  await withPage(browser, async (page) => {
    const groups = await table(page);
    for (const head of await groups.getByRole("columnheader").all()) assert.match(await head.getAttribute("title"), /\.$/);
  });
});

test("the order by what only bitmaps tell is right once they are read", async () => {
  await withPage(browser, async (page) => {
    const groups = await table(page);
    await groups.getByRole("button", { name: "Free", exact: true }).click();
    await groups.getByRole("columnheader", { name: "Free", exact: true }).and(page.locator("[aria-sort=descending]")).waitFor();
    const figures = await groups.locator("tbody tr td:nth-child(4)").allInnerTexts();
    const free = figures.map((text) => Number(text.replace(/\D/g, "")));
    assert.deepEqual(free, [...free].sort((a, b) => b - a));
  });
});

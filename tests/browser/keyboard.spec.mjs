// Everything without a mouse.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { launch, map, swept, withPage } from "./browser.mjs";

let browser;
before(async () => {
  browser = await launch();
});
after(() => browser?.close());

/**
 * Presses Tab until the focus is where `selector` says, and holds each stop to a visible ring: its own,
 * or that of what scrolls it. The end of the page is passed at most once.
 */
async function tabTo(page, selector, most = 60) {
  let ends = 0;
  for (let i = 0; i < most; i += 1) {
    await page.keyboard.press("Tab");
    const stop = await page.evaluate((selector) => {
      const element = document.activeElement;
      if (element === document.body) return { isEnd: true };
      const has = (element) => {
        const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(element);
        return (outlineStyle !== "none" && parseFloat(outlineWidth) >= 1) || boxShadow !== "none";
      };
      const { width, height } = element.getBoundingClientRect();
      return {
        there: element.matches(selector),
        seen: has(element) || has(element.parentElement),
        named: `${element.tagName} ${element.className} ${element.textContent.slice(0, 40)}`,
        size: width * height,
      };
    }, selector);
    if (stop.isEnd) {
      ends += 1;
      assert.equal(ends, 1, "the focus is lost");
      continue;
    }
    assert.ok(stop.seen && stop.size > 0, `the focus is not seen on ${stop.named}`);
    if (stop.there) return;
  }
  assert.fail(`Tab never comes to ${selector}`);
}

/** Waits until something has the focus. */
function focused(locator) {
  return locator.and(locator.page().locator(":focus")).waitFor();
}

/** The heading of the selected group. */
function selected(page, group) {
  return page.getByRole("complementary", { name: "Selection" }).getByRole("heading", { name: new RegExp(`^Group ${group}\\b`) });
}

test("from nothing to the bits of a group by keyboard alone", async () => {
  await withPage(browser, async (page) => {
    await tabTo(page, ".samples button");
    await page.keyboard.press("Enter");
    await swept(page);

    await focused(map(page));
    await page.keyboard.press("Shift+Tab");
    await tabTo(page, "[role=application]");
    const go = async (key, group) => {
      await page.keyboard.press(key);
      await selected(page, group).waitFor();
    };
    await go("ArrowRight", 0);
    await go("ArrowRight", 1);
    // The map has as many columns as fit best.
    await page.keyboard.press("ArrowDown");
    await selected(page, 1).waitFor({ state: "detached" });
    const below = Number(/\d+/.exec(await selected(page, "\\d+").innerText())[0]);
    const columns = below - 1;
    assert.ok(columns > 1 && columns < 55, `${columns} columns`);
    await go("End", 2 * columns - 1);
    await go("Home", columns);
    await go("ArrowUp", 0);
    await go("Control+End", 55);
    await go("Control+Home", 0);
    const said = map(page).locator("#disk-map-cursor");
    assert.match(await said.getAttribute("aria-label"), /Group 0\b/);
  });
});

test("the same as a table, with the same selection", async () => {
  await withPage(browser, async (page) => {
    await page.getByRole("button", { name: /Small server disk/ }).press("Enter");
    await swept(page);
    await map(page).focus();
    await page.keyboard.press("Control+End");
    await page.keyboard.press("t");
    const table = page.getByRole("region", { name: "Table of block groups" });
    await table.waitFor();
    const row = table.getByRole("row", { selected: true });
    assert.match(await row.innerText(), /^\s*55\b/);
    const grid = table.getByRole("grid");
    assert.equal(await grid.getAttribute("aria-rowcount"), "57");

    await focused(grid);
    await page.keyboard.press("Home");
    await page.keyboard.press("j");
    assert.match(await row.innerText(), /^\s*1\b/);
    assert.equal(await grid.getAttribute("aria-activedescendant"), await row.getAttribute("id"));
    await page.keyboard.press("k");
    assert.match(await row.innerText(), /^\s*0\b/);

    const head = table.getByRole("columnheader", { name: /^Free\W*$/ });
    await head.getByRole("button").press("Enter");
    assert.match(await head.getAttribute("aria-sort"), /ascending|descending/);
    await grid.focus();
    const steps = await page.evaluate(() => history.length);
    for (let i = 0; i < 12; i += 1) await page.keyboard.press("ArrowDown");
    await page.waitForTimeout(500);
    assert.ok((await page.evaluate(() => history.length)) - steps <= 2, "a held key is one step to go back");
    await page.keyboard.press("End");
    await page.keyboard.press("m");
    await focused(map(page));
    const inspector = page.getByRole("complementary", { name: "Selection" }).getByRole("heading", { name: /^Group \d/ });
    await inspector.waitFor();
    await page.getByRole("contentinfo").getByRole("button", { name: /^Read/ }).click();
    const reads = page.getByRole("dialog", { name: "What was read" });
    await reads.waitFor();
    await page.keyboard.press("Escape");
    await reads.waitFor({ state: "detached" });
    assert.ok(await inspector.isVisible(), "Escape closes one thing at a time");
    await page.keyboard.press("Escape");
    await inspector.waitFor({ state: "detached" });
  });
});

test("views, theme and help by shortcuts", async () => {
  await withPage(browser, async (page) => {
    await page.getByRole("button", { name: /One bitmap/ }).press("Enter");
    await swept(page);
    for (const [keys, heading] of [
      [["g", "u"], /Superblock/],
      [["g", "g"], /Block groups/],
      [["g", "m"], /Whole disk/],
    ]) {
      for (const key of keys) await page.keyboard.press(key);
      await page.getByRole("heading", { name: heading, level: 1 }).waitFor();
    }
    const names = page.getByRole("navigation", { name: "Views" }).getByText("Superblock", { exact: true });
    await page.keyboard.press("[");
    await names.waitFor({ state: "hidden" });
    await page.getByRole("button", { name: "Show names and panel" }).click();
    await names.waitFor();
    const theme = () => page.evaluate(() => document.documentElement.dataset.theme);
    const before = await theme();
    await page.keyboard.press("Shift+D");
    assert.notEqual(await theme(), before);
    await page.reload();
    await page.waitForLoadState("networkidle");
    assert.notEqual(await theme(), before, "the choice is kept");
    await page.keyboard.press("?");
    const sheet = page.getByRole("dialog", { name: "Keyboard shortcuts" });
    await sheet.waitFor();
    await page.keyboard.press("Shift+D");
    assert.notEqual(await theme(), before, "nothing behind a dialog hears keys");
    await page.keyboard.press("Escape");
    await sheet.waitFor({ state: "detached" });
  });
});

// What happens before anything is opened.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { base, launch, withPage } from "./browser.mjs";

let browser;
before(async () => {
  browser = await launch();
});
after(() => browser?.close());

test("the page starts, small, with one worker at work and one in reserve", async () => {
  await withPage(browser, async (page) => {
    assert.equal(await page.title(), "extscope");
    assert.equal(page.workers().length, 2);
    const loaded = await page.evaluate(() =>
      performance.getEntriesByType("resource").map(({ name, decodedBodySize }) => [name, decodedBodySize]),
    );
    assert.ok(loaded.some(([name]) => name.endsWith(".wasm")), "the page loads its wasm");
    assert.ok(!loaded.some(([name]) => name.includes("samples/")), "samples wait until chosen");
  });
});

test("without JavaScript the page says what it needs", async () => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(base);
  assert.match(await page.locator("body").innerText(), /JavaScript/);
  await context.close();
});

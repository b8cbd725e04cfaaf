// What happens before anything is opened.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { gzipSync } from "node:zlib";
import { base, launch, withPage } from "./browser.mjs";

let browser;
before(async () => {
  browser = await launch();
});
after(() => browser?.close());

test("the page starts, small, with one worker at work and one in reserve", async () => {
  await withPage(browser, async (page) => {
    assert.equal(await page.title(), "extscope");
    while (page.workers().length < 2) await page.waitForEvent("worker");
    const loaded = await page.evaluate(() =>
      performance.getEntriesByType("resource").map(({ name, decodedBodySize }) => [name, decodedBodySize]),
    );
    assert.ok(loaded.some(([name]) => name.endsWith(".wasm")), "the page loads its wasm");
    assert.ok(!loaded.some(([name]) => name.includes("samples/")), "samples wait until chosen");
    const packed = [];
    for (const [name] of loaded.filter(([name]) => /\.(wasm|js|css)$/.test(name))) {
      packed.push(gzipSync(Buffer.from(await (await fetch(name)).arrayBuffer())).length);
    }
    const kib = packed.reduce((sum, bytes) => sum + bytes, 0) / 1024;
    assert.ok(kib < 1152, `${kib.toFixed(0)} KiB, packed`);
  });
});

test("what breaks in the page's own code is said", async () => {
  await withPage(browser, async (page) => {
    // As when its WebAssembly comes to a panic.
    await page.evaluate(() => setTimeout(() => {
      throw new WebAssembly.RuntimeError("unreachable");
    }));
    await page.getByRole("alert").filter({ hasText: "Something in extscope broke: unreachable" }).waitFor();
  }, { mayComplain: true });
});

test("without JavaScript the page says what it needs", async () => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(base);
  assert.match(await page.locator("body").innerText(), /JavaScript/);
  await context.close();
});

// What happens before anything is opened.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { base, launch } from "./browser.mjs";

let browser;
before(async () => {
  browser = await launch();
});
after(() => browser?.close());

test("the page starts without a complaint and asks no one but its own host", async () => {
  const page = await browser.newPage();
  const complaints = [];
  const requests = [];
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("request", (request) => requests.push(request.url()));
  await page.goto(base, { waitUntil: "networkidle" });

  assert.equal(await page.title(), "extscope");
  assert.deepEqual(complaints, []);
  const elsewhere = requests.filter((url) => new URL(url).origin !== new URL(base).origin);
  assert.deepEqual(elsewhere, []);
  assert.ok(requests.some((url) => url.endsWith(".wasm")), "the page loads its wasm");
  await page.close();
});

// Kept on the device, the page opens without its server, and says when a newer one came.

import assert from "node:assert/strict";
import { createServer } from "node:http";
import { after, before, test } from "node:test";
import { base, launch, pick, swept } from "./browser.mjs";
import { MiB, Workshop } from "./images.mjs";

let browser;
const images = new Workshop();
before(async () => {
  browser = await launch();
});
after(async () => {
  await browser?.close();
  images.remove();
});

/** Serves the page with `mark` in its index, as of a build of its own. Gives the server. */
function serve(port, mark) {
  const server = createServer(async ({ url }, response) => {
    const answer = await fetch(new URL(url.slice(1), base));
    const body = Buffer.from(await answer.arrayBuffer());
    const headers = { "Content-Type": answer.headers.get("Content-Type") ?? "", "Cache-Control": "no-cache" };
    response.writeHead(answer.status, headers);
    response.end(url === "/" ? body.toString().replace("</head>", `${mark}</head>`) : body);
  });
  return new Promise((resolve) => server.listen(port, "127.0.0.1", () => resolve(server)));
}

function stop(server) {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(resolve));
}

/** Waits until the page says `text`; what it says instead is in the failure. */
async function said(page, text) {
  try {
    await page.getByRole("status").filter({ hasText: text }).waitFor();
  } catch (error) {
    error.message += `\nbut the page says: ${await page.locator("body").innerText()}`;
    throw error;
  }
}

test("the page is kept only when asked for, opens without its server, and hears of a newer build", async () => {
  const image = images.filesystem("offline.img", 20 * MiB, "-t", "ext4", "-b", "1024");
  let server = await serve(0, "<!-- first -->");
  const { port } = server.address();
  const address = `http://127.0.0.1:${port}/`;
  const context = await browser.newContext({ reducedMotion: "reduce" });
  context.setDefaultTimeout(20_000);
  const complaints = [];
  context.on("weberror", (error) => complaints.push(String(error.error())));
  const page = await context.newPage();
  const kept = () => page.evaluate(async () => [(await caches.keys()).length, (await navigator.serviceWorker.getRegistrations()).length]);
  const contents = () => page.evaluate(() => document.documentElement.outerHTML);
  try {
    await page.goto(address, { waitUntil: "networkidle" });
    assert.deepEqual(await kept(), [0, 0], "nothing is kept unasked");
    await page.getByRole("button", { name: "Keep it on this device" }).click();
    await said(page, "is kept on this device");
    await page.getByRole("button", { name: "Remove it" }).click();
    await said(page, "can open without a network");
    await page.waitForFunction(async () => (await caches.keys()).length === 0);
    await page.waitForTimeout(300);
    await said(page, "can open without a network");
    await page.getByRole("button", { name: "Keep it on this device" }).click();
    await said(page, "is kept on this device");

    await stop(server);
    await page.goto("about:blank");
    await page.goto(address);
    await said(page, "is kept on this device");
    await pick(page, image);
    await swept(page);

    server = await serve(port, "<!-- second -->");
    await page.goto("about:blank");
    await page.goto(address);
    await said(page, "A newer extscope is here");
    assert.match(await contents(), /<!-- first -->/, "the page in use stays whole");
    await page.getByRole("button", { name: "Load again" }).click();
    await page.waitForFunction(() => document.documentElement.outerHTML.includes("<!-- second -->"));
    await said(page, "is kept on this device");
    assert.deepEqual(await kept(), [1, 1], "the older build is dropped");

    const remove = async () => {
      await page.getByRole("button", { name: "Remove it" }).click();
      await said(page, "can open without a network");
      await page.waitForFunction(async () => (await caches.keys()).length === 0);
    };
    // In a window that was opened from what is kept, the service worker stays until the next start.
    await remove();
    await page.getByRole("button", { name: "Keep it on this device" }).click();
    await said(page, "is kept on this device");
    assert.deepEqual(await kept(), [1, 1]);
    await remove();
    await page.goto("about:blank");
    await page.goto(address);
    await said(page, "can open without a network");
    assert.deepEqual(await kept(), [0, 0], "and at the next start both are gone");
    assert.deepEqual(complaints, []);
  } finally {
    await context.close();
    if (server.listening) await stop(server);
  }
});

test("a sample that was opened once opens without the server", async () => {
  const server = await serve(0, "");
  const address = `http://127.0.0.1:${server.address().port}/`;
  const context = await browser.newContext({ reducedMotion: "reduce" });
  context.setDefaultTimeout(20_000);
  const page = await context.newPage();
  const open = (name) => page.getByRole("button", { name }).click();
  try {
    await page.goto(address, { waitUntil: "networkidle" });
    await page.getByRole("button", { name: "Keep it on this device" }).click();
    await said(page, "is kept on this device");
    // The window that asked is not the service worker's yet.
    await page.reload({ waitUntil: "networkidle" });
    await open("One bitmap");
    await swept(page);

    await stop(server);
    await page.goto("about:blank");
    await page.goto(address);
    await open("One bitmap");
    await swept(page);
    await page.goto("about:blank");
    await page.goto(address);
    await open("Big clusters");
    await page.getByText("The samples lie beside the page").waitFor();
  } finally {
    await context.close();
    if (server.listening) await stop(server);
  }
});

test("the page can be installed", async () => {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(base, { waitUntil: "networkidle" });
  const session = await context.newCDPSession(page);
  const { url, errors } = await session.send("Page.getAppManifest");
  assert.match(url, /manifest\.webmanifest$/);
  assert.deepEqual(errors, []);
  const { installabilityErrors } = await session.send("Page.getInstallabilityErrors");
  // A window without a person's own profile is never installed from; all else must hold.
  assert.deepEqual(installabilityErrors.map(({ errorId }) => errorId).filter((id) => id !== "in-incognito"), []);
  await context.close();
});

// The browser under test and the address of the page, as `cargo xtask test browser` gives them.

import assert from "node:assert/strict";
import { chromium } from "playwright-core";

/** Where the page is served. */
export const base = required("BASE_URL");

function required(name) {
  const value = process.env[name];
  if (!value) {
    throw new Error(`${name} is not set; run these tests with \`cargo xtask test browser\``);
  }
  return value;
}

/** Starts the browser. */
export function launch() {
  return chromium.launch({
    executablePath: required("CHROMIUM"),
    args: [
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-gpu",
      "--disable-quic",
      "--disable-sync",
      "--no-first-run",
      "--no-sandbox",
    ],
  });
}

/** A desk's window, and a telephone's. */
export const WIDE = { width: 1440, height: 900 };
export const NARROW = { width: 390, height: 844 };

/**
 * Gives `use` the page in a window of its own, and holds it to what always holds: it asks no one
 * but its own host, and neither it nor its workers complain, save where `mayComplain`.
 */
export async function withPage(browser, use, options = {}) {
  const { theme = "dark", mayComplain = false, route = "", ...rest } = options;
  const context = await browser.newContext({ viewport: WIDE, colorScheme: theme, reducedMotion: "reduce", ...rest });
  const complaints = [];
  const requests = [];
  context.on("request", (request) => requests.push(request.url()));
  context.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) complaints.push(message.text());
  });
  context.on("weberror", (error) => complaints.push(String(error.error())));
  // Only bounds what hangs: a busy machine is slow, and that is no fault of the page.
  context.setDefaultTimeout(20_000);
  const page = await context.newPage();
  try {
    await page.goto(base + route, { waitUntil: "networkidle" });
    await use(page);
    if (!mayComplain) assert.deepEqual(complaints, [], "complaints");
    const elsewhere = requests.filter((url) => {
      const { origin, protocol } = new URL(url);
      return !["blob:", "data:"].includes(protocol) && origin !== new URL(base).origin;
    });
    assert.deepEqual(elsewhere, [], "requests to others");
  } finally {
    await context.close();
  }
}

/** Chooses a file by the picker, as a person would, whether or not an image is open. */
export async function pick(page, path) {
  const chooser = page.waitForEvent("filechooser");
  const button = page.getByRole("button", { name: /Choose (a|another) file/ });
  await button.or(page.getByTitle("Open another image")).click();
  await (await chooser).setFiles(path);
}

/** Drops a file of this machine on the page, through the browser's own drag and drop. */
export async function drop(page, path, at = { x: 300, y: 300 }) {
  const session = await page.context().newCDPSession(page);
  const data = { items: [], files: [path], dragOperationsMask: 1 };
  for (const type of ["dragEnter", "dragOver", "drop"]) {
    await session.send("Input.dispatchDragEvent", { type, ...at, data });
  }
  await session.detach();
}

/** The map of an open image. */
export function map(page) {
  return page.getByRole("application", { name: /Disk map/ });
}

/** Waits until every bitmap of the open image is read. */
export async function swept(page) {
  await map(page).waitFor();
  await page.getByRole("status").filter({ hasText: /(All [\d,]+ bitmaps are|The bitmap is) read/ }).waitFor({ state: "attached" });
}

/** Makes every read of a worker take `ms` milliseconds. */
export async function slow(worker, ms) {
  await worker.evaluate((ms) => {
    const read = FileReaderSync.prototype.readAsArrayBuffer;
    FileReaderSync.prototype.readAsArrayBuffer = function (blob) {
      const end = performance.now() + ms;
      while (performance.now() < end);
      return read.call(this, blob);
    };
  }, ms);
}

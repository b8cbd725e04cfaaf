// The browser under test and the address of the page, as `cargo xtask test browser` gives them.

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

// A browser and the sample of a small server, there for all tests of the file that imports them.

import { after, before } from "node:test";
import { launch } from "./browser.mjs";
import { Workshop } from "./images.mjs";

/** Set before the first test. */
export let browser;
export let image;
/** Images made on the way; they go with the browser. */
export const images = new Workshop();

before(async () => {
  browser = await launch();
  image = images.sample("small-server");
});
after(async () => {
  await browser?.close();
  images.remove();
});

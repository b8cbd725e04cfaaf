// Takes the pictures of the README into docs/, from the page as it is: `cargo xtask screenshots`.

import { fileURLToPath } from "node:url";
import { NARROW, WIDE, launch, pick, swept, withPage } from "./browser.mjs";
import { Workshop } from "./images.mjs";

const docs = fileURLToPath(new URL("../../docs/", import.meta.url));

const images = new Workshop();
const browser = await launch();
try {
  const sample = images.sample("small-server");
  for (const theme of ["dark", "light"]) {
    for (const viewport of [WIDE, NARROW]) {
      const use = async (page) => {
        await pick(page, sample);
        await swept(page);
        await page.goto(page.url().replace(/#.*|$/, "#/map?g=20"));
        await page.getByRole("heading", { name: /^Group 20\b/ }).waitFor();
        const path = `${docs}map-${theme}-${viewport.width}.png`;
        await page.screenshot({ path });
        console.log(path);
      };
      await withPage(browser, use, { theme, viewport });
    }
  }
} finally {
  await browser.close();
  images.remove();
}

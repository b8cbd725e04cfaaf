// Shrink: the sizes, the plan and the commands beside what resize2fs does.

import assert from "node:assert/strict";
import { test } from "node:test";
import { pick, swept, withPage } from "./browser.mjs";
import { MiB, blockCount, minimum, mount, shell } from "./images.mjs";
import { browser, image, images } from "./stage.mjs";

async function open(page, path, hash = "#/shrink") {
  await pick(page, path);
  await swept(page);
  await page.goto(page.url().replace(/#.*|$/, hash));
  await page.getByLabel("Target size").first().waitFor();
}

/** Plans the shrink that is shown, and waits for it. */
async function plan(page) {
  await page.getByRole("button", { name: "Plan this shrink" }).click();
  await page.getByText("Exact: every block").waitFor();
}

/** The figure under a name, as a number of blocks. */
async function blocks(page, name) {
  const figure = page.locator(".figures > div").filter({ hasText: name });
  return Number((await figure.locator("small").innerText()).replaceAll(/[^\d]/g, ""));
}

test("the smallest size is that of resize2fs -P, and its terms add up to it", async () => {
  await withPage(browser, async (page) => {
    await open(page, image);
    const least = minimum(image);
    assert.equal(await blocks(page, "Smallest, first run"), least);
    const terms = await page.locator(".waterfall tbody td.num").evaluateAll((cells) => cells.map((cell) => cell.title));
    const sum = terms.reduce((sum, title) => sum + Number(title.replaceAll(/[^\d]/g, "")), 0);
    assert.equal(sum, least);
  });
});

test("the commands come to the size that was planned", async () => {
  await withPage(browser, async (page) => {
    await open(page, image, `#/shrink?t=${minimum(image) + 512}`);
    await plan(page);
    const script = await page.locator(".recipe pre").innerText();
    shell(images.folder, script);
    const small = images.path("small-server.img.small");
    const size = await page.locator("#shrink-blocks").innerText();
    assert.equal(blockCount(small), Number(size.replaceAll(/[^\d]/g, "")));
  });
});

test("a size is typed, dragged and stepped to, and the plan follows", async () => {
  await withPage(browser, async (page) => {
    await open(page, image);
    await plan(page);
    const field = page.getByRole("textbox", { name: "Target size" });
    await field.fill("nonsense");
    await field.press("Enter");
    await page.getByRole("alert").filter({ hasText: "such as" }).waitFor();
    await field.fill("90 %");
    await field.press("Enter");
    await page.waitForURL(/t=25804$/);
    const slider = page.getByRole("slider", { name: "Target size" });
    await slider.focus();
    await page.keyboard.press("ArrowRight");
    await page.waitForURL(new RegExp(`t=${25804 + MiB / 4096}$`));
    await page.keyboard.press("Home");
    await page.waitForURL(new RegExp(`t=${minimum(image)}$`));
    await page.getByText("Exact: every block").waitFor();
    assert.equal(await page.locator(".phases li").count(), 11);
    await page.getByRole("radio", { name: /^Runs/ }).locator("..").click();
    await page.getByRole("columnheader", { name: "What" }).waitFor();
  });
});

test("a filesystem that was mounted since its last check is refused, and planned all the same", async () => {
  const mounted = images.copy(image, "mounted.img");
  mount(mounted);
  await withPage(browser, async (page) => {
    await open(page, mounted);
    await plan(page);
    await page.getByText("resize2fs refuses this filesystem for now").waitFor();
    await page.getByRole("link", { name: "See what a check finds" }).click();
    await page.waitForURL(/#\/check/);
  });
});

test("how far repeated runs and -f get is found by planning", async () => {
  await withPage(browser, async (page) => {
    await open(page, image);
    await page.getByRole("button", { name: "Look for it" }).click();
    await page.getByText("Smallest with -f").first().waitFor();
    assert.ok((await blocks(page, "Smallest with -f")) <= minimum(image));
  });
});

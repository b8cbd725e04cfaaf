// Shrink: the sizes, the plan and the commands beside what resize2fs does.

import assert from "node:assert/strict";
import { existsSync, readFileSync, statSync } from "node:fs";
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

test("the commands come to the size that was planned, and are copied", async () => {
  await withPage(browser, async (page) => {
    await open(page, image, `#/shrink?t=${minimum(image) + 512}`);
    await plan(page);
    await page.getByRole("radio", { name: "qcow2" }).check({ force: true });
    await page.locator(".recipe pre").filter({ hasText: "qemu-img check" }).waitFor();
    await page.getByRole("radio", { name: "Raw" }).check({ force: true });
    await page.getByRole("button", { name: "Copy", exact: true }).click();
    await page.getByText("copied").waitFor();
    const script = await page.evaluate(() => navigator.clipboard.readText());
    assert.equal(script.trim(), (await page.locator(".recipe pre").innerText()).trim());
    shell(images.folder, script);
    const small = images.path("small-server.img.small");
    const size = await page.locator("#shrink-blocks").innerText();
    assert.equal(blockCount(small), Number(size.replaceAll(/[^\d]/g, "")));
  }, { permissions: ["clipboard-read", "clipboard-write"] });
});

/** Why no partition can be shrunk here, if so. */
const skip = !(process.getuid() === 0 && existsSync("/dev/loop-control")) && "loop devices take root, and a kernel with them";

test("the commands for a partition shrink it, its GPT and the file", { skip }, async () => {
  const disk = images.sparse("whole.img", 160 * MiB);
  shell(images.folder, `printf 'label: gpt\\n,4M\\n,112M\\n' | sfdisk -q whole.img
    dd if=small-server.img of=whole.img bs=1M seek=5 conv=notrunc status=none`);
  const target = minimum(image) + 512;
  await withPage(browser, async (page) => {
    await pick(page, disk);
    await page.getByRole("button", { name: "Open partition 2" }).click();
    await swept(page);
    await page.goto(page.url().replace(/#.*|$/, `#/shrink?t=${target}`));
    await plan(page);
    const script = (await page.locator(".recipe pre").innerText()).replaceAll("sudo ", "");
    shell(images.folder, script);
    const bytes = Math.ceil((target * 4096) / 512) * 512;
    assert.equal(statSync(images.path("whole.img.small")).size, 5 * MiB + bytes + 34 * 512);
    shell(images.folder, `tail -c +${5 * MiB + 1} whole.img.small | head -c ${bytes} > part.img
      e2fsck -fn part.img`);
    assert.equal(blockCount(images.path("part.img")), await blocks(page, "Target size"));
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
    // What is to stay free, and the unit.
    await page.getByRole("textbox", { name: "Space that stays free" }).fill("20 %");
    await page.getByRole("textbox", { name: "Space that stays free" }).press("Enter");
    await page.getByText("Exact: every block").waitFor();
    const share = await page.locator(".figures > div").filter({ hasText: "Free afterwards" }).locator("small").innerText();
    assert.match(share, /^(19|20|21)\.\d.%, exact/);
    await page.getByRole("combobox", { name: "Unit of sizes" }).selectOption("blocks");
    assert.match(await field.inputValue(), /^[\d,]+ blocks$/);
    await field.fill("25000");
    await field.press("Enter");
    await page.waitForURL(/t=25000$/);
    // What it costs, on what it runs on.
    await page.getByText("Exact: every block").waitFor();
    const time = page.getByRole("region", { name: "What it costs" }).getByRole("row", { name: /^Time/ });
    const before = await time.innerText();
    await page.getByRole("textbox", { name: "MiB a second" }).fill("1");
    await page.getByRole("textbox", { name: "MiB a second" }).press("Enter");
    await time.filter({ hasText: "1 MiB a second" }).waitFor();
    assert.notEqual(await time.innerText(), before);
    await page.getByRole("radio", { name: "Time" }).check({ force: true });
    await page.getByText(/^Time: /).waitFor();
  });
});

test("the moves are played in order, one is looked at, and all are saved", async () => {
  const target = minimum(image);
  await withPage(browser, async (page) => {
    await open(page, image, `#/shrink?t=${target}`);
    await plan(page);
    const moves = page.getByRole("region", { name: "The moves, one after another" });
    await moves.getByRole("button", { name: "Play the moves" }).click();
    await moves.getByRole("button", { name: "Pause" }).click();
    const slider = moves.getByRole("slider", { name: "Moves made" });
    const at = Number(await slider.inputValue());
    assert.ok(at < Number(await slider.getAttribute("max")), "it was stopped on its way");
    await slider.focus();
    await page.keyboard.press("Home");
    await moves.getByText("Nothing is moved yet.").waitFor();
    await page.keyboard.press("ArrowRight");
    await moves.getByText(/^Move 1 of/).waitFor();
    assert.ok((await moves.getByRole("table").count()) === 2, "extents before and after");
    const lit = (name) => moves.getByRole("img", { name }).evaluate((canvas) => {
      const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
      return new Set(new Uint32Array(data.buffer)).size;
    });
    assert.ok((await lit("What is filled and what leaves")) > 2, "the difference has colours");
    const save = async (name) => {
      const download = page.waitForEvent("download");
      await page.getByRole("region", { name: "What pins the end", exact: true }).getByRole("button", { name }).click();
      return readFileSync(await (await download).path(), "utf8");
    };
    await page.getByRole("radio", { name: /^Runs/ }).check({ force: true });
    const [head, first] = (await save("CSV")).split("\r\n");
    assert.equal(head, "from,to,len,ino,part");
    const whole = JSON.parse(await save("JSON"));
    assert.equal(whole.final_blocks, whole.superblock.s_blocks_count);
    assert.equal(first.split(",")[0], String(Math.min(...whole.block_moves.map(([from]) => from))));
    await page.getByRole("button", { name: "contents" }).nth(1).click();
    await moves.getByText(/^Move 2 of/).waitFor();
    await moves.getByRole("link", { name: "See the difference on the map" }).click();
    await page.waitForURL(/#\/map\?color=shrink/);
  }, { reducedMotion: "no-preference" });
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

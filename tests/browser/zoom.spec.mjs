// The map from the whole disk to a block: wheel, drag, keys, and what the address keeps of it.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";
import { map, pick, swept, withPage } from "./browser.mjs";
import { browser, image } from "./stage.mjs";

/** The middle of the map, on the page. */
async function middle(page) {
  const { x, y, width, height } = await map(page).boundingBox();
  return { x: x + width / 2, y: y + height / 2 };
}

/** What the pointer is told of what lies under it. */
async function pointed(page, { x, y }) {
  await page.mouse.move(x - 1, y);
  await page.mouse.move(x, y);
  const title = page.locator(".tooltip .tooltip__title");
  await title.waitFor();
  return title.innerText();
}

/** Turns the wheel over a point, and waits until the address has followed. */
async function wheel(page, { x, y }, by) {
  await page.mouse.move(x, y);
  for (let turned = 0; turned < Math.abs(by); turned += 100) await page.mouse.wheel(0, Math.sign(by) * 100);
  await page.waitForTimeout(600);
}

test("the wheel leads to a block, and its address leads there again", async () => {
  let address;
  let block;
  await withPage(browser, async (page) => {
    await pick(page, image);
    await swept(page);
    const at = await middle(page);
    assert.match(await pointed(page, at), /^Group \d/);
    await wheel(page, at, -1200);
    block = await pointed(page, at);
    assert.match(block, /^Block [\d,]+$/);
    await wheel(page, at, -400);
    assert.equal(await pointed(page, at), block, "it stays under the pointer");
    await wheel(page, at, 400);
    assert.equal(await pointed(page, at), block);
    address = new URL(page.url()).hash;
    assert.match(address, /at=\d+&s=\d/);
  });
  await withPage(
    browser,
    async (page) => {
      await pick(page, image);
      await swept(page);
      assert.equal(new URL(page.url()).hash, address);
      assert.equal(await pointed(page, await middle(page)), block);
    },
    { route: address },
  );
});

test("a drag moves the map, with Shift it selects blocks", async () => {
  await withPage(browser, async (page) => {
    await pick(page, image);
    await swept(page);
    const at = await middle(page);
    await wheel(page, at, -1200);
    const block = await pointed(page, at);
    await page.mouse.down();
    await page.mouse.move(at.x + 60, at.y + 30, { steps: 4 });
    await page.mouse.up();
    assert.equal(await pointed(page, { x: at.x + 60, y: at.y + 30 }), block, "it went with the pointer");
    await page.keyboard.down("Shift");
    await page.mouse.down();
    await page.mouse.move(at.x + 120, at.y + 30, { steps: 4 });
    await page.mouse.up();
    await page.keyboard.up("Shift");
    const panel = page.getByRole("complementary", { name: "Selection" });
    await panel.getByRole("heading", { name: /^Blocks [\d,]+–[\d,]+$/ }).waitFor();
    assert.match(page.url(), /sel=r:\d+-\d+/);
    await page.goBack();
    await panel.getByRole("heading", { name: "Whole disk" }).waitFor();
  });
});

test("keys go in and out, and change what is seen", async () => {
  await withPage(browser, async (page) => {
    await pick(page, image);
    await swept(page);
    await map(page).focus();
    for (const key of ["Control+End", "Enter", "Enter", "Enter"]) await page.keyboard.press(key);
    await page.getByRole("heading", { name: /^Group 55/, level: 1 }).waitFor();
    await page.keyboard.press("ArrowLeft");
    const panel = page.getByRole("complementary", { name: "Selection" });
    await panel.getByRole("heading", { name: /^Block [\d,]+$/ }).waitFor();
    for (const [key, part] of [["r", "layout=snake"], ["r", "layout=hilbert"], ["2", "color=occ"], ["1", "layout=hilbert&at"]]) {
      await page.keyboard.press(key);
      await page.waitForFunction((part) => location.hash.includes(part), part);
    }
    await page.keyboard.press("0");
    await page.getByRole("heading", { name: "Whole disk", level: 1 }).waitFor();
  });
});

test("once all inodes were gone through, a block tells its file, and the legend filters", async () => {
  await withPage(browser, async (page) => {
    await pick(page, image);
    await swept(page);
    await page.getByRole("button", { name: "Go through all inodes" }).click();
    const legend = page.getByRole("complementary", { name: "Legend" });
    const data = legend.getByRole("button", { name: /File data/ });
    await data.waitFor();
    assert.match(await data.innerText(), /MiB/);
    await data.click();
    await page.waitForFunction(() => location.hash.includes("off=F"));
    assert.equal(await data.getAttribute("aria-pressed"), "false");
    await page.goto(page.url().replace(/#.*/, "#/map?sel=b:10000&at=10000"));
    const panel = page.getByRole("complementary", { name: "Selection" });
    await panel.getByRole("button", { name: /^\// }).waitFor();
    await panel.getByText("file data").waitFor();
    // What is pointed at tells its owner, and leads on.
    await page.goto(page.url().replace(/#.*/, "#/map?sel=b:10000&at=10000&s=12"));
    const at = await middle(page);
    await pointed(page, at);
    const tooltip = page.locator(".tooltip");
    await tooltip.getByText("/srv/").waitFor();
    await page.goto(page.url().replace(/#.*/, "#/map?sel=b:117&at=117&s=12"));
    await map(page).focus();
    const selection = () => /sel=[rb]:(\d+)/.exec(page.url())?.[1];
    const press = async (key) => {
      const before = selection();
      await page.keyboard.press(key);
      await page.waitForFunction((before) => /sel=[rb]:(\d+)/.exec(location.hash)?.[1] !== before, before);
      return Number(selection());
    };
    // Its node lies between the two extents of the file.
    assert.equal(await press("n"), 121);
    assert.equal(owner(image, 121), owner(image, 117), "the same file's");
    assert.equal(await press("p"), 117);
    for (const key of ["f", "f", "Shift+F"]) {
      const block = await press(key);
      assert.match(execFileSync("debugfs", ["-R", `testb ${block}`, image], { encoding: "utf8", stdio: "pipe" }), /not in use/);
    }
    await page.keyboard.press("b");
    await page.waitForFunction(() => /[?&]bits\b/.test(location.hash));
    // The menu, by the mouse and by keys.
    await page.goto(page.url().replace(/#.*/, "#/map?sel=b:10000&at=10000&s=12"));
    await page.mouse.click(at.x, at.y, { button: "right" });
    const menu = page.getByRole("menu");
    await menu.getByRole("menuitem", { name: "All blocks of the file" }).waitFor();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Escape");
    await menu.waitFor({ state: "detached" });
    await page.mouse.click(at.x, at.y, { button: "right" });
    await menu.getByRole("menuitem", { name: "Show its bytes" }).click();
    // The block in the middle, or one beside it: rulers are not as wide left as right.
    await page.waitForFunction(() => location.hash.startsWith("#/hex?") && Math.abs(Number(/b=(\d+)/.exec(location.hash)?.[1]) - 10_000) < 4);
    await page.goBack();
    await map(page).click({ position: { x: 300, y: 300 }, modifiers: ["Alt"] });
    await page.waitForFunction(() => location.hash.includes("color=owner") && location.hash.includes("sel=i:"));
  });
});

/** The number of the inode that a block is of. */
function owner(image, block) {
  const said = execFileSync("debugfs", ["-R", `icheck ${block}`, image], { encoding: "utf8", stdio: "pipe" });
  return /^\d+\t(\d+)/m.exec(said)[1];
}

test("the window on the line of the whole disk is dragged, and by its edge shows more", async () => {
  await withPage(browser, async (page) => {
    await pick(page, image);
    await swept(page);
    await wheel(page, await middle(page), -700);
    const window = page.locator(".strip__window");
    const drag = async (x, by) => {
      const { y, height } = await window.boundingBox();
      await page.mouse.move(x, y + height / 2);
      await page.mouse.down();
      await page.mouse.move(x + by, y + height / 2, { steps: 5 });
      await page.mouse.up();
      await page.waitForTimeout(400);
      return window.boundingBox();
    };
    const before = await window.boundingBox();
    const moved = await drag(before.x + before.width / 2, 150);
    assert.ok(Math.abs(moved.x - before.x - 150) < 40, `${before.x} to ${moved.x}`);
    assert.ok(Math.abs(moved.width - before.width) < before.width / 2);
    const wider = await drag(moved.x + moved.width, 120);
    assert.ok(wider.width > moved.width + 60, `${moved.width} to ${wider.width}`);
  });
});

test("a zoom by a level shows the way there, unless stillness is wanted", async () => {
  const pictures = async (reducedMotion) => {
    let seen;
    await withPage(browser, async (page) => {
      await pick(page, image);
      await swept(page);
      await page.waitForTimeout(1000);
      await map(page).focus();
      const counted = map(page).evaluate((map) => new Promise((resolve) => {
        const canvas = map.querySelector("canvas");
        const of = () => canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data.reduce((sum, byte, at) => (sum * 31 + byte * (at % 97)) >>> 0, 7);
        const pictures = new Set();
        const begin = performance.now();
        const note = () => {
          pictures.add(of());
          if (performance.now() - begin < 1500) requestAnimationFrame(note);
          else resolve(pictures.size);
        };
        requestAnimationFrame(note);
      }));
      await page.keyboard.press("+");
      seen = await counted;
      // Chromium minds how often the test looks.
    }, { reducedMotion, mayComplain: true });
    return seen;
  };
  const [moving, still] = [await pictures("no-preference"), await pictures("reduce")];
  assert.ok(moving > still, `${moving} pictures on the way, ${still} without it`);
});

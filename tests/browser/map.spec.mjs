// The disk map: its pixels against what dumpe2fs says, pointer, selection, inspector.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { launch, map, pick, slow, swept, withPage } from "./browser.mjs";
import { MiB, Workshop, descriptors, groups, poke } from "./images.mjs";

let browser;
let image;
let known;
const images = new Workshop();
before(async () => {
  browser = await launch();
  image = images.sample("small-server");
  known = groups(image);
});
after(async () => {
  await browser?.close();
  images.remove();
});

/**
 * The tiles as painted, in order: where each lies in CSS pixels, the share in use that its colours
 * mean on average, and how far its colours are at most from those of the ramp.
 */
function tiles(page) {
  return map(page).locator("canvas").first().evaluate((canvas) => {
    const rgb = (text) => text.trim().match(/[0-9a-f]{2}/gi).map((pair) => parseInt(pair, 16));
    const style = getComputedStyle(document.documentElement);
    const well = rgb(style.getPropertyValue("--bg-well"));
    const stops = style.getPropertyValue("--r-occ").trim().split(/\s+/).map(rgb);
    const ramp = Array.from({ length: 256 }, (_, i) => {
      const place = (i / 255) * (stops.length - 1);
      const from = Math.min(Math.floor(place), stops.length - 2);
      return stops[from].map((a, c) => Math.round(a + (stops[from + 1][c] - a) * (place - from)));
    });
    const { width, height } = canvas;
    // A copy, since reading back makes a canvas slow, of which Chromium complains.
    const copy = new OffscreenCanvas(width, height).getContext("2d", { willReadFrequently: true });
    copy.drawImage(canvas, 0, 0);
    const { data } = copy.getImageData(0, 0, width, height);
    const is = (x, y, colour) => colour.every((c, i) => data[(y * width + x) * 4 + i] === c);
    const runs = (length, painted) => {
      const found = [];
      for (let i = 0, start = -1; i <= length; i += 1) {
        const on = i < length && painted(i);
        if (on && start < 0) start = i;
        if (!on && start >= 0) {
          found.push([start, i]);
          start = -1;
        }
      }
      return found;
    };
    const index = (n) => Array.from({ length: n }, (_, i) => i);
    const rows = runs(height, (y) => index(width).some((x) => !is(x, y, well)));
    const columns = runs(width, (x) => index(height).some((y) => !is(x, y, well)));
    const scale = canvas.getBoundingClientRect().width / width;
    const near = new Map();
    const nearest = (r, g, b) => {
      const key = (r << 16) | (g << 8) | b;
      if (!near.has(key)) {
        const far = (c) => Math.max(Math.abs(c[0] - r), Math.abs(c[1] - g), Math.abs(c[2] - b));
        const best = ramp.reduce((best, c, i) => (far(c) < far(ramp[best]) ? i : best), 0);
        near.set(key, [best, far(ramp[best])]);
      }
      return near.get(key);
    };
    const tiles = [];
    for (const [top, bottom] of rows) {
      for (const [left, right] of columns) {
        let [sum, count, far, least, most] = [0, 0, 0, 255, 0];
        for (let y = top; y < bottom; y += 1) {
          for (let x = left; x < right; x += 1) {
            if (is(x, y, well)) continue;
            const at = (y * width + x) * 4;
            const [share, distance] = nearest(data[at], data[at + 1], data[at + 2]);
            sum += share;
            count += 1;
            far = Math.max(far, distance);
            [least, most] = [Math.min(least, share), Math.max(most, share)];
          }
        }
        if (count > 0) {
          const [x, y] = [(left + right) / 2, (top + bottom) / 2].map((n) => n * scale);
          tiles.push({ x: x + canvas.offsetLeft, y: y + canvas.offsetTop, share: sum / count / 255, far, least, most });
        }
      }
    }
    return tiles;
  });
}

/** The layer whose colours say how full blocks are. */
const OCCUPANCY = "#/map?color=occ";

/** Waits until the map has not changed for `quiet` milliseconds: tiles follow the last bitmap. */
async function drawn(page, quiet = 600) {
  const canvas = map(page).locator("canvas").first();
  await canvas.waitFor();
  const seen = () => canvas.evaluate((canvas) => canvas.toDataURL());
  for (let before = ""; ; ) {
    const now = await seen();
    if (now === before) return;
    before = now;
    await page.waitForTimeout(quiet);
  }
}

/** Holds the painted tiles against the groups. */
function assertPainted(painted) {
  assert.equal(painted.length, known.length, "a tile a group");
  for (const [i, { group, blocks, used }] of known.entries()) {
    const { share, far, least, most } = painted[i];
    const says = `group ${group}: ${used} of ${blocks} in use, painted ${share}`;
    // A step of one in a colour is how the ramp's middle is rounded.
    assert.ok(far <= 1, `${says}, ${far} off the ramp`);
    assert.ok(Math.abs(share - used / blocks) < 0.03, says);
    if (used === blocks) assert.equal(least, 255, says);
    if (used === 0) assert.equal(most, 0, says);
    if (used < blocks && used > 0) assert.ok(most > 0 && least < 255, says);
  }
}

for (const theme of ["dark", "light"]) {
  for (const deviceScaleFactor of [1, 2, 1.5]) {
    test(`every pixel means what dumpe2fs says, ${theme}, ${deviceScaleFactor} to one`, async () => {
      const use = async (page) => {
        await pick(page, image);
        await swept(page);
        await drawn(page);
        assertPainted(await tiles(page));
      };
      await withPage(browser, use, { theme, deviceScaleFactor, route: OCCUPANCY });
    });
  }
}

test("groups not read yet look different from what the bitmaps say", async () => {
  await withPage(browser, async (page) => {
    for (const worker of page.workers()) await slow(worker, 1500);
    await pick(page, image);
    await drawn(page);
    const early = await tiles(page);
    assert.equal(early.length, known.length, "a tile a group from the descriptors alone");
    const unlike = early.filter(({ far }) => far > 4).length;
    assert.ok(unlike > known.length / 2, `${unlike} tiles look unread`);
    await swept(page);
    // Reads are slow, those for the tiles too.
    await drawn(page, 8000);
    assertPainted(await tiles(page));
  }, { route: OCCUPANCY });
});

test("the pointer tells the group under it, and a click selects it", async () => {
  await withPage(browser, async (page) => {
    await pick(page, image);
    await swept(page);
    await drawn(page);
    const painted = await tiles(page);
    const box = await map(page).boundingBox();
    for (const group of [0, 21, 55]) {
      const { x, y } = painted[group];
      await page.mouse.move(box.x + x, box.y + y);
      const { first, last } = known[group];
      const tooltip = page.locator(".tooltip");
      await tooltip.getByText(new RegExp(`Group ${group}\\b`)).waitFor();
      const words = (await tooltip.innerText()).replaceAll(",", "");
      assert.match(words, new RegExp(`${first}\\D+${last}`), `the blocks of group ${group}`);
      await page.mouse.click(box.x + x, box.y + y);
      await inspector(page).getByRole("heading", { name: new RegExp(`^Group ${group}\\b`) }).waitFor();
      // The address follows a moment later.
      await page.waitForFunction((group) => new RegExp(`sel=g:${group}\\b`).test(location.hash), group);
    }
  }, { route: OCCUPANCY });
});

/** What stands beside the map about the selection. */
function inspector(page) {
  return page.getByRole("complementary", { name: "Selection" });
}

test("the inspector tells what dumpe2fs tells, and a wrong checksum", async () => {
  const bad = images.sample("small-server");
  const { blockBitmap } = descriptors(bad)[16];
  poke(bad, blockBitmap * 4096 + 7, [0]);
  await withPage(browser, async (page) => {
    await pick(page, bad);
    await swept(page);
    await page.goto(page.url().replace(/#.*/, "#/map?g=16"));
    const panel = inspector(page);
    await panel.getByRole("heading", { name: /^Group 16\b/ }).waitFor();
    await panel.getByText("wrong").first().waitFor();
    const words = (await panel.innerText()).replaceAll(",", "");
    assert.match(words, new RegExp(`Block bitmap\\s+${blockBitmap}\\b`));
  });
});

test("an image of one group and one of eight thousand both fit", async () => {
  const one = images.filesystem("one.img", 6 * MiB, "-t", "ext2", "-b", "1024");
  const many = images.filesystem("many.img", 8192 * MiB, "-t", "ext4", "-b", "1024", "-g", "1024", "-O", "^resize_inode", "-N", "131072", "-E", "lazy_itable_init=1", "-J", "size=4");
  await withPage(browser, async (page) => {
    for (const path of [one, many]) {
      await pick(page, path);
      await page.getByText(path.split("/").at(-1)).first().waitFor();
      await swept(page);
      const room = await map(page).evaluate((well) => {
        const canvas = well.querySelector("canvas").getBoundingClientRect();
        return { over: well.scrollWidth - well.clientWidth, fits: canvas.width <= well.clientWidth };
      });
      assert.deepEqual(room, { over: 0, fits: true });
    }
  });
});

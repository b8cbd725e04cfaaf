// Every state in both themes on a desk's window and a telephone's: nothing that axe calls serious,
// nothing that scrolls sideways, nothing cut off.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { AxeBuilder } from "@axe-core/playwright";
import { NARROW, WIDE, launch, map, pick, slow, swept, withPage } from "./browser.mjs";
import { GiB, MiB, Workshop, debugfs, poke } from "./images.mjs";

let browser;
const images = new Workshop();
let good;
let damaged;
let faulty;
let slowly;
let text;
let disk;
before(async () => {
  browser = await launch();
  good = images.sample("small-server");
  damaged = images.filesystem("damaged.img", 64 * MiB, "-t", "ext4", "-b", "1024");
  poke(damaged, 1024, new Array(1024).fill(0));
  faulty = images.copy(good, "faulty.img");
  debugfs(faulty, "setb 20000 40", "freeb 120 2");
  slowly = images.filesystem("slowly.img", 2 * GiB, "-t", "ext4", "-b", "1024", "-O", "meta_bg,^resize_inode", "-N", "4096", "-E", "lazy_itable_init=1");
  disk = images.disk("a-disk.img", 4 * MiB, good, 8 * MiB);
  text = images.file("a-file-with-a-rather-long-name-that-is-no-image-of-anything-at-all.txt", Buffer.from("words\n".repeat(999)));
});
after(async () => {
  await browser?.close();
  images.remove();
});

async function ready(page) {
  await pick(page, good);
  await swept(page);
}

async function view(page, hash) {
  await ready(page);
  await page.goto(page.url().replace(/#.*|$/, hash));
}

/** How to bring the page into each state. */
const STATES = {
  idle: (page) => page.getByRole("heading", { name: "Drop an image here" }).waitFor(),
  "sliders of a scenario": async (page) => {
    await page.getByText("Make one up").click();
    await page.getByRole("button", { name: "Open it" }).waitFor();
  },
  opening: async (page) => {
    for (const worker of page.workers()) await slow(worker, 1000);
    await pick(page, slowly);
    await page.getByRole("heading", { name: /^Opening/ }).waitFor();
  },
  choosing: async (page) => {
    await pick(page, damaged);
    await page.getByRole("radio").first().waitFor();
  },
  "choosing a partition": async (page) => {
    await pick(page, disk);
    await page.getByRole("button", { name: "Open partition 2" }).waitFor();
  },
  "a partition": async (page) => {
    await STATES["choosing a partition"](page);
    await page.getByRole("button", { name: "Open partition 2" }).click();
    await swept(page);
  },
  failed: async (page) => {
    await pick(page, text);
    await page.getByRole("alert").waitFor();
  },
  "drag over": async (page) => {
    const session = await page.context().newCDPSession(page);
    const data = { items: [], files: [good], dragOperationsMask: 1 };
    for (const type of ["dragEnter", "dragOver"]) {
      await session.send("Input.dispatchDragEvent", { type, x: 200, y: 300, data });
    }
    await page.locator(".drop-zone--over").waitFor();
  },
  broken: async (page) => {
    await ready(page);
    for (const worker of page.workers()) {
      await worker.evaluate(() => setTimeout(() => { throw new Error("killed by a test"); }));
    }
    await page.getByRole("heading", { name: "Something in extscope broke" }).waitFor();
  },
  map: ready,
  "what was read": async (page) => {
    await ready(page);
    await page.getByRole("contentinfo").getByRole("button", { name: /^Read/ }).click();
    await page.getByRole("dialog", { name: "What was read" }).waitFor();
  },
  "map with a selection": async (page) => {
    await view(page, "#/map?g=20");
    await page.getByRole("heading", { name: /^Group 20\b/ }).waitFor();
  },
  "a menu on the map": async (page) => {
    await view(page, "#/map?color=problems&at=10000&s=12");
    await page.waitForFunction(() => document.querySelector(".map-toolbar h1").textContent !== "Whole disk");
    await map(page).click({ button: "right" });
    await page.getByRole("menuitem").first().waitFor();
  },
  files: async (page) => {
    await view(page, "#/files");
    await page.getByRole("treegrid").getByText("lost+found").waitFor();
  },
  "a file": async (page) => {
    await view(page, "#/files?p=/srv/f640");
    await page.getByRole("region", { name: "Extents" }).waitFor();
  },
  "all files": async (page) => {
    await view(page, "#/files");
    await page.getByRole("button", { name: "Read all inodes" }).click();
    await page.getByText("Largest files").click();
    await page.getByRole("region", { name: "Largest files" }).waitFor();
  },
  "space by directory": async (page) => {
    await view(page, "#/files?list=directories");
    await page.getByRole("main").getByRole("button", { name: "Read all inodes" }).click();
    await page.getByRole("region", { name: "Space by directory" }).waitFor();
  },
  "a list that is not there yet": async (page) => {
    await view(page, "#/files?list=scattered");
    await page.getByRole("button", { name: "Back to the directories" }).waitFor();
  },
  "the dialog that saves things": async (page) => {
    await view(page, "#/free");
    await page.getByRole("region", { name: "Largest free extents" }).waitFor();
    await page.getByRole("button", { name: "Export", exact: true }).click();
    await page.getByRole("dialog", { name: "Export" }).waitFor();
  },
  hex: async (page) => {
    await view(page, "#/hex?b=1");
    await page.getByRole("region", { name: "Fields" }).waitFor();
  },
  "free space": async (page) => {
    await view(page, "#/free");
    await page.getByRole("region", { name: "Largest free extents" }).waitFor();
  },
  shrink: async (page) => {
    await view(page, "#/shrink");
    await page.getByRole("button", { name: "Plan this shrink" }).waitFor();
  },
  "a planned shrink": async (page) => {
    await view(page, "#/shrink");
    await page.getByRole("button", { name: "Plan this shrink" }).click();
    await page.getByText("Exact: every block").waitFor();
    await page.getByRole("slider", { name: "Moves made" }).press("Home");
    await page.getByRole("button", { name: "A move on" }).click();
    await page.getByRole("table", { name: /^After: / }).waitFor();
  },
  "a lesson": async (page) => {
    await view(page, "#/learn?way=words&w=scattered&step=9");
    await page.getByText(/^Step 9 of/).waitFor();
  },
  "a lesson without a bitmap": async (page) => {
    await view(page, "#/learn?w=blocks");
    await page.getByText("Choose a group").waitFor();
  },
  "a race": async (page) => {
    await view(page, "#/learn?l=race");
    await page.getByRole("button", { name: "Measure", exact: true }).click();
    await page.getByRole("region", { name: "Work and times" }).waitFor({ timeout: 60_000 });
  },
  "two bitmaps": async (page) => {
    await view(page, "#/learn?l=compare&compare=blocks&step=2050");
    await page.getByText(/^Step 2,050 of/).waitFor();
  },
  "groups for workers": async (page) => {
    await view(page, "#/learn?l=split&split=parts&groups=67&workers=5&fail=1&step=60");
    await page.getByText(/^Step 60 of/).waitFor();
  },
  "bitmaps on demand": async (page) => {
    await view(page, "#/learn?l=load&load=ahead&groups=128&flex=16&step=40");
    await page.getByText(/^Step 40 of/).waitFor();
  },
  "arrays and runs": async (page) => {
    await view(page, "#/learn?l=forms&fill=75");
    await page.getByRole("button", { name: "Measure", exact: true }).click();
    await page.getByRole("region", { name: "Array and runs" }).waitFor({ timeout: 60_000 });
  },
  "a sheet to print": async (page) => {
    await view(page, "#/learn?l=sheet&key=1");
    await page.locator(".sheet").waitFor();
  },
  "a shrink step by step": async (page) => {
    await view(page, "#/learn?l=shrink&step=60");
    await page.getByText(/^Step 60 of/).waitFor();
  },
  "a check step by step": async (page) => {
    await view(page, "#/learn?l=passes&flips=b300&step=900");
    await page.getByText(/^Step 900 of/).waitFor();
  },
  "a lab": async (page) => {
    await view(page, "#/learn?l=lab&in=1&word=b4&flips=b300.b301.i9&csums=0");
    await page.locator(".lab__said--err").waitFor();
  },
  check: async (page) => {
    await view(page, "#/check");
    await page.getByRole("heading", { name: "Check the filesystem" }).waitFor();
  },
  "a check that found something": async (page) => {
    await pick(page, faulty);
    await swept(page);
    await page.goto(page.url().replace(/#.*|$/, "#/check?p=PR_5_BLOCK_RANGE_UNUSED"));
    await page.getByRole("button", { name: "Check", exact: true }).click();
    await page.getByRole("region", { name: "Bits that differ" }).waitFor();
  },
  "the box to go anywhere": async (page) => {
    await view(page, "#/map");
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox", { name: "Where to go" }).fill("12");
    await page.locator("#jump-list").getByRole("option").first().waitFor();
  },
  groups: async (page) => {
    await view(page, "#/groups?g=3");
    await page.getByRole("grid").waitFor();
  },
  "a rail and no inspector": async (page) => {
    await view(page, "#/groups?g=3");
    await page.getByRole("grid").waitFor();
    for (const key of ["[", "]"]) await page.keyboard.press(key);
    await page.getByRole("button", { name: "Show the inspector" }).waitFor();
  },
  superblock: async (page) => {
    await view(page, "#/superblock");
    await page.getByText("s_volume_name").or(page.getByText("Label")).first().waitFor();
  },
  help: async (page) => {
    await ready(page);
    await page.getByRole("button", { name: "Keyboard shortcuts" }).click();
    await page.getByRole("dialog").waitFor();
  },
};

/** What sticks out of the window sideways, or `null`. */
function sticksOut(page) {
  return page.evaluate(() => {
    const root = document.scrollingElement;
    return root.scrollWidth > root.clientWidth ? `${root.scrollWidth} over ${root.clientWidth}` : null;
  });
}

/** The violations that axe calls serious or critical, in short. */
async function serious(page) {
  const { violations } = await new AxeBuilder({ page }).analyze();
  return violations
    .filter(({ impact }) => ["serious", "critical"].includes(impact))
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ target, failureSummary }) => `${target} ${failureSummary}`).join("; ")}`);
}

for (const [state, bring] of Object.entries(STATES)) {
  for (const theme of ["dark", "light"]) {
    for (const viewport of [WIDE, NARROW]) {
      test(`${state}, ${theme}, ${viewport.width} wide`, async () => {
        const use = async (page) => {
          await bring(page);
          assert.equal(await sticksOut(page), null, "something scrolls sideways");
          assert.deepEqual(await serious(page), []);
        };
        await withPage(browser, use, { theme, viewport, mayComplain: state === "broken" });
      });
    }
  }
}

/** Animations and transitions that run. */
function moving(page) {
  return page.evaluate(() => document.getAnimations().filter(({ playState }) => playState === "running").length);
}

test("nothing moves for those who want no motion, and something does for others", async () => {
  for (const [reducedMotion, moves] of [["reduce", false], ["no-preference", true]]) {
    const use = async (page) => {
      await STATES.opening(page);
      assert.equal((await moving(page)) > 0, moves, reducedMotion);
    };
    await withPage(browser, use, { reducedMotion });
  }
});

test("letters are as large as the browser has them, and of twice the size all still fits", async () => {
  for (const viewport of [WIDE, NARROW]) {
    const use = async (page) => {
      const letters = () => page.getByRole("button", { name: /^Choose a file/ }).evaluate((it) => parseFloat(getComputedStyle(it).fontSize));
      const before = await letters();
      const session = await page.context().newCDPSession(page);
      await session.send("Page.setFontSizes", { fontSizes: { standard: 32, fixed: 26 } });
      await page.reload({ waitUntil: "networkidle" });
      // On a page that is narrow for its letters, they are a little larger.
      assert.ok((await letters()) >= 2 * before);
      for (const state of ["idle", "map", "groups", "hex", "a lesson"]) {
        await page.goto(page.url().replace(/#.*|$/, "#/map"));
        await page.reload({ waitUntil: "networkidle" });
        await STATES[state](page);
        assert.equal(await sticksOut(page), null, state);
      }
      // The rows of words are as high as their letters need.
      const rows = await page.locator(".words__row > span:first-child").evaluateAll((all) => all.map((it) => it.getBoundingClientRect()));
      assert.ok(rows.length > 3 && rows.every(({ bottom }, at) => at + 1 === rows.length || bottom <= rows[at + 1].top));
    };
    await withPage(browser, use, { viewport });
  }
});

test("with forced colours the page stays usable", async () => {
  const use = async (page) => {
    await ready(page);
    assert.deepEqual(await serious(page), []);
  };
  await withPage(browser, use, { forcedColors: "active" });
});

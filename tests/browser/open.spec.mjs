// Opening: every way in, and everything that may be wrong with a file.

import assert from "node:assert/strict";
import { copyFileSync, rmSync, truncateSync, utimesSync } from "node:fs";
import { after, before, test } from "node:test";
import { drop, launch, map, pick, slow, swept, withPage } from "./browser.mjs";
import { GiB, MiB, TiB, Workshop, poke } from "./images.mjs";

let browser;
const images = new Workshop();
before(async () => {
  browser = await launch();
});
after(async () => {
  await browser?.close();
  images.remove();
});

/** The card that says what failed. */
function failure(page) {
  return page.getByRole("alert");
}

test("a good image opens by the picker", async () => {
  const image = images.filesystem("good.img", 96 * MiB, "-t", "ext4", "-b", "1024", "-L", "good");
  await withPage(browser, async (page) => {
    await pick(page, image);
    await swept(page);
    await page.getByText("12", { exact: true }).first().waitFor();
    assert.match(await page.getByRole("contentinfo").innerText(), /Bitmaps\s+12\s+of\s+12/);
  });
});

test("a good image opens by dropping it, and another takes its place", async () => {
  const first = images.filesystem("first.img", 40 * MiB, "-t", "ext4", "-b", "1024");
  const second = images.filesystem("second.img", 64 * MiB, "-t", "ext2", "-b", "1024");
  await withPage(browser, async (page) => {
    await drop(page, first);
    await swept(page);
    assert.match(await page.getByRole("contentinfo").innerText(), /of\s+5\b/);
    await drop(page, second, { x: 700, y: 500 });
    await page.getByText("second.img").first().waitFor();
    await swept(page);
    assert.match(await page.getByRole("contentinfo").innerText(), /of\s+8\b/);
  });
});

for (const [name, groups] of [["Small server disk", 56], ["Big clusters", 4], ["One bitmap", 1]]) {
  test(`the sample ${name} opens`, async () => {
    await withPage(browser, async (page) => {
      await page.getByRole("button", { name: new RegExp(name) }).click();
      await swept(page);
      const status = await page.getByRole("contentinfo").innerText();
      assert.match(status, new RegExp(`Bitmaps\\s+${groups}\\s+of\\s+${groups}\\b`));
    });
  });
}

test("a scenario opens by its button, by sliders and by its address", async () => {
  const bitmaps = (page) => page.getByRole("contentinfo").innerText();
  await withPage(browser, async (page) => {
    await page.getByRole("button", { name: /^Preallocated/ }).click();
    await swept(page);
    assert.match(page.url(), /#\/map\?scenario=preallocated$/);
    assert.match(await bitmaps(page), /Bitmaps\s+75\s+of\s+75\b/);
    await page.goBack();
    await page.getByText("Make one up").click();
    await page.getByLabel("In use").fill("30");
    await page.getByLabel("Size").fill("31");
    await page.getByRole("button", { name: "Open it" }).click();
    await swept(page);
    assert.match(page.url(), /scenario=size=2g,fill=30,files=64x1$/);
    assert.match(await bitmaps(page), /Bitmaps\s+16\s+of\s+16\b/);
  });
  const options = { route: "#/map?scenario=pebibyte&sel=g:131071" };
  await withPage(browser, async (page) => {
    await swept(page);
    await page.getByRole("heading", { name: /^Group 131,071\b/ }).waitFor();
    assert.match(await bitmaps(page), /Bitmaps\s+131,072\s+of\s+131,072\b/);
  }, options);
  await withPage(browser, async (page) => {
    const card = page.getByRole("alert");
    await card.getByRole("heading", { name: "There is no such scenario" }).waitFor();
    assert.match(await card.innerText(), /larger blocks/);
    assert.equal(await card.getByRole("button").count(), 1);
    assert.match(page.url(), /#\/map\?scenario=size=1p,block=1k$/);
    await card.getByRole("button", { name: "Back" }).click();
    await page.getByRole("heading", { name: "Scenarios" }).waitFor();
    assert.doesNotMatch(page.url(), /scenario/);
  }, { route: "#/map?scenario=size=1p,block=1k" });
});

test("a sparse image of 1 TiB opens, and little of it is read", async () => {
  const args = ["-t", "ext4", "-E", "lazy_itable_init=1", "-J", "size=4", "-N", "65536"];
  const image = images.filesystem("1tib.img", TiB, ...args);
  await withPage(browser, async (page) => {
    await pick(page, image);
    await swept(page);
    assert.match(await page.getByRole("contentinfo").innerText(), /Bitmaps\s+8,192\s+of\s+8,192/);
    await page.getByRole("contentinfo").getByRole("button", { name: /^Read/ }).click();
    const reads = await page.getByRole("dialog", { name: "What was read" }).getByRole("row", { name: /^In all/ });
    const [, , bytes] = await reads.getByRole("cell").or(reads.getByRole("rowheader")).all();
    const exact = Number((await bytes.getAttribute("title")).replace(/\D/g, ""));
    assert.ok(exact > 8192 * 64, `${exact} bytes hold at least the descriptors`);
    assert.ok(exact < 16 * MiB, `${exact} bytes are little of 1 TiB`);
  });
});

test("a damaged superblock leads to its backups, and one of them opens", async () => {
  const image = images.filesystem("damaged.img", 64 * MiB, "-t", "ext4", "-b", "1024");
  poke(image, 1024, new Array(1024).fill(0));
  await withPage(browser, async (page) => {
    await pick(page, image);
    await page.getByRole("heading", { name: /There are backups/ }).waitFor();
    const copies = page.getByRole("radio");
    assert.equal(await copies.count(), 4, "groups 1, 3, 5 and 7 have one");
    assert.ok(await copies.first().isChecked(), "the best is proposed");
    await copies.nth(1).check();
    await page.getByText("e2fsck -b 24577 -B 1024").waitFor();
    await page.getByRole("button", { name: "Use the backup at block 24,577" }).click();
    await swept(page);
    await page.getByText("Opened from the backup superblock in block 24577").first().waitFor();
  });
});

test("a JPEG is recognised, and the way back is open", async () => {
  const jpeg = Buffer.from("ffd8ffe000104a46494600010100000100010000ffdb", "hex");
  const picture = images.file("holiday.jpg", Buffer.concat([jpeg, Buffer.alloc(200_000, 7)]));
  const good = images.filesystem("after.img", 16 * MiB, "-t", "ext4", "-b", "1024");
  await withPage(browser, async (page) => {
    await pick(page, picture);
    const card = failure(page);
    await card.getByRole("heading", { name: "This is not an ext filesystem" }).waitFor();
    assert.match(await card.innerText(), /holiday\.jpg/);
    assert.match(await card.innerText(), /JPEG/);
    await card.getByRole("button", { name: "Back" }).click();
    await page.getByRole("heading", { name: "Drop an image here" }).waitFor();
    await pick(page, good);
    await swept(page);
  });
});

test("a folder is refused with what it may be", async () => {
  await withPage(browser, async (page) => {
    await drop(page, images.folder);
    await failure(page).waitFor();
    assert.match(await failure(page).innerText(), /may be a folder/);
  });
});

test("a file that is removed while it is open is told of", async () => {
  const image = images.filesystem("removed.img", 64 * MiB, "-t", "ext2", "-b", "1024");
  await withPage(browser, async (page) => {
    await pick(page, image);
    await swept(page);
    rmSync(image);
    // A block that nothing has read yet.
    await page.goto(page.url().replace(/#.*|$/, "#/hex?b=45000"));
    await page.getByRole("main").getByText(/(moved or removed|changed on disk) after it was opened/).first().waitFor();
  });
});

test("a file that is changed while it is open is told of", async () => {
  const image = images.filesystem("changed.img", 64 * MiB, "-t", "ext2", "-b", "1024");
  await withPage(browser, async (page) => {
    await pick(page, image);
    await swept(page);
    poke(image, 45_000 * 1024, [1, 2, 3]);
    // The clock of files may be coarse.
    utimesSync(image, new Date(), new Date(Date.now() + 60_000));
    await page.goto(page.url().replace(/#.*|$/, "#/hex?b=45000"));
    await page.getByRole("main").getByText(/changed on disk after it was opened/).first().waitFor();
  });
});

test("a worker of another build is noticed", async () => {
  const use = async (page) => {
    const [worker] = page.workers();
    const build = new URL(worker.url()).search.slice(1);
    assert.match(build, /^[0-9a-f]{16}$/);
    const other = build.replace(/./g, (digit) => ((parseInt(digit, 16) + 1) % 16).toString(16));
    await page.context().route(/worker_bg\.wasm/, async (route) => {
      const response = await route.fetch();
      const body = await response.body();
      body.write(other, body.indexOf(build), "latin1");
      await route.fulfill({ response, body });
    });
    await page.reload();
    await page.getByRole("alert").filter({ hasText: "Load the page again" }).waitFor();
  };
  await withPage(browser, use, { mayComplain: true });
});

test("an empty file and a text are refused with what to try", async () => {
  const empty = images.file("empty.img", Buffer.alloc(0));
  const text = images.file("notes.txt", Buffer.from("nothing but words\n".repeat(400)));
  await withPage(browser, async (page) => {
    await pick(page, empty);
    await failure(page).waitFor();
    assert.match(await failure(page).innerText(), /empty/i);
    await pick(page, text);
    await page.getByText("notes.txt").waitFor();
    assert.match(await failure(page).innerText(), /not an ext filesystem/);
  });
});

test("an image cut short opens with what there is", async () => {
  const image = images.filesystem("cut.img", 64 * MiB, "-t", "ext4", "-b", "1024", "-O", "^flex_bg");
  const cut = images.path("half.img");
  copyFileSync(image, cut);
  truncateSync(cut, 30 * MiB);
  await withPage(browser, async (page) => {
    await pick(page, cut);
    await map(page).waitFor();
    await page.getByText(/blocks from \d+ on are missing/).first().waitFor();
  });
});

test("opening can be cancelled, and the next opening is not disturbed", async () => {
  // A metablock group's descriptors take one read each.
  const args = ["-t", "ext4", "-b", "1024", "-O", "meta_bg,^resize_inode", "-N", "4096", "-E", "lazy_itable_init=1"];
  const slowly = images.filesystem("slowly.img", 8 * GiB, ...args);
  const good = images.filesystem("quickly.img", 16 * MiB, "-t", "ext4", "-b", "1024");
  await withPage(browser, async (page) => {
    for (const worker of page.workers()) await slow(worker, 500);
    await pick(page, slowly);
    await page.getByRole("heading", { name: "Opening slowly.img" }).waitFor();
    await page.getByRole("button", { name: "Cancel" }).click();
    await page.getByRole("heading", { name: "Drop an image here" }).waitFor();
    await pick(page, good);
    await page.getByText("quickly.img").first().waitFor();
    await swept(page);
    assert.equal(await page.getByText("slowly.img").count(), 0);
  });
});

test("a worker that breaks is explained, and the file opens again", async () => {
  const image = images.filesystem("sound.img", 64 * MiB, "-t", "ext4", "-b", "1024");
  await withPage(
    browser,
    async (page) => {
      await pick(page, image);
      await swept(page);
      // Whichever works on the image; the spare may break as well.
      for (const worker of page.workers()) {
        await worker.evaluate(() => setTimeout(() => { throw new Error("killed by a test"); }));
      }
      const card = failure(page);
      await card.getByRole("heading", { name: "Something in extscope broke" }).waitFor();
      assert.match(await card.innerText(), /not of your image/);
      await card.getByText("What the program said").click();
      await card.getByText("killed by a test").waitFor();
      await card.getByRole("button", { name: "Open it again" }).click();
      await swept(page);
    },
    { mayComplain: true },
  );
});

test("what breaks in wasm is explained in the program's own words", async () => {
  const image = images.filesystem("trap.img", 64 * MiB, "-t", "ext4", "-b", "1024");
  await withPage(
    browser,
    async (page) => {
      // A module whose one function traps, run where the engine would read.
      for (const worker of page.workers()) {
        await worker.evaluate(() => {
          const code = [0, 97, 115, 109, 1, 0, 0, 0, 1, 4, 1, 96, 0, 0, 3, 2, 1, 0, 7, 5, 1, 1, 102, 0, 0, 10, 5, 1, 3, 0, 0, 11];
          const trap = new WebAssembly.Instance(new WebAssembly.Module(new Uint8Array(code)));
          FileReaderSync.prototype.readAsArrayBuffer = () => trap.exports.f();
        });
      }
      await pick(page, image);
      await failure(page).waitFor();
      // The workers in reserve broke with the first.
      for (let i = 0; i < 3 && !(await map(page).isVisible()); i += 1) {
        await page.getByRole("button", { name: "Open it again" }).click();
        await Promise.race([map(page).waitFor(), failure(page).waitFor()]);
      }
      await swept(page);
    },
    { mayComplain: true },
  );
});

// The lessons: each is played from start to end, and what it shows in the end is what it counts.

import assert from "node:assert/strict";
import { test } from "node:test";
import { pick, swept, withPage } from "./browser.mjs";
import { browser, image } from "./stage.mjs";

const MOVING = { reducedMotion: "no-preference" };

async function learn(page, query) {
  await pick(page, image);
  await swept(page);
  await page.goto(page.url().replace(/#.*|$/, `#/learn${query}`));
  await page.getByRole("main").getByRole("heading", { level: 1 }).waitFor();
}

/** Steps done, and steps in all. */
async function steps(page) {
  const text = await page.getByText(/^Step [\d,]+ of [\d,]+$/).innerText();
  return text.match(/[\d,]+/g).map((number) => Number(number.replaceAll(",", "")));
}

/** Plays as fast as it goes, to the end. */
async function play(page) {
  for (let i = 0; i < 10; i++) await page.keyboard.press(".");
  await page.getByRole("button", { name: "Play (Space)" }).click();
  await page.getByRole("button", { name: "A step on (→)", disabled: true }).waitFor({ timeout: 60_000 });
  const [done, all] = await steps(page);
  assert.equal(done, all);
  assert.ok(all > 0);
}

/** A row of the table of counts: so far, and in all. */
async function counted(page, name) {
  const cells = page.getByRole("row").filter({ has: page.getByRole("rowheader", { name, exact: true }) }).getByRole("cell");
  return (await cells.allInnerTexts()).map((text) => Number(text.replaceAll(",", "")));
}

test("each way to find a free inode plays to its end, and its work is what it must be", async () => {
  await withPage(browser, async (page) => {
    await learn(page, "");
    // Half of 4,096 bits and 37 more are set; three searches, each from the start.
    const used = 2085;
    const tests = 3 * (used + 1) + 3;
    const expected = {
      "Bits, a division for each": ["divisions", tests + 3],
      "Bits, counting down": ["divisions", 3],
      "Bits, one call less": ["calls", 2 * tests],
      "Bytes": ["bit tests", 6 + 7 + 8],
      "Words of 64 bits": ["bit tests", 6 + 7 + 8],
      "Vectors": ["bit tests", 0],
    };
    for (const [way, [what, count]] of Object.entries(expected)) {
      await page.getByRole("radio", { name: way, exact: true }).check();
      await page.getByText(/^Step 0 of/).waitFor();
      await play(page);
      assert.deepEqual(await counted(page, what), [count, count], way);
      const said = page.locator(".lesson__said");
      assert.match(await said.innerText(), /^Found: bit 2,087 in group 2\./);
    }
  }, MOVING);
});

test("a lesson goes back as it came, by keys, and its address leads to the step", async () => {
  await withPage(browser, async (page) => {
    await learn(page, "?way=words&w=scattered");
    const said = page.locator(".lesson__said");
    const rows = page.locator(".words__row");
    const shown = async () => [await said.innerText(), await rows.allInnerTexts(), await counted(page, "loads")];
    const forth = [];
    for (let i = 0; i < 12; i++) {
      forth.push(await shown());
      await page.keyboard.press("ArrowRight");
    }
    for (const there of forth.reverse()) {
      await page.keyboard.press("ArrowLeft");
      assert.deepEqual(await shown(), there);
    }
    // Without motion, playing goes to the next event.
    await page.keyboard.press("Space");
    await page.keyboard.press("Space");
    await page.keyboard.press("Shift+ArrowRight");
    const [step] = await steps(page);
    assert.ok(step > 3);
    const there = await shown();
    await page.waitForURL(new RegExp(`[?&]step=${step}(&|$)`));
    await page.getByRole("status").filter({ hasText: there[0] }).waitFor({ state: "attached" });
    await page.keyboard.press("End");
    const [, all] = await steps(page);
    await page.waitForURL(new RegExp(`[?&]step=${all}(&|$)`));
    await page.goto(page.url().replace(/step=\d+/, `step=${step}`));
    await page.getByText(new RegExp(`^Step ${step} of`)).waitFor();
    assert.deepEqual(await shown(), there);
    // Back is the view before, not the step before.
    assert.match(await page.locator("aside.side-panel").innerText(), /Lessons/);
    await page.getByRole("radio", { name: "Inode bitmap" }).check();
    await page.getByText("Choose a group").waitFor();
    await page.getByRole("textbox", { name: /Group/ }).fill("1");
    await page.keyboard.press("Enter");
    await page.getByText(/^Step 0 of [1-9]/).waitFor();
    await page.getByRole("main").getByRole("heading", { level: 1 }).click();
    await page.keyboard.press("g");
    await page.keyboard.press("m");
    await page.keyboard.press("g");
    await page.keyboard.press("l");
    await page.getByRole("heading", { name: "Finding a free inode" }).waitFor();
  });
});

test("all lanes of a race find the same, and words are far ahead of bits", async (t) => {
  await withPage(browser, async (page) => {
    await learn(page, "?l=race&w=full");
    await page.getByRole("button", { name: "Measure", exact: true }).click();
    const table = page.getByRole("region", { name: "Work and times" });
    await table.waitFor({ timeout: 60_000 });
    const rows = await table.locator("tbody tr").evaluateAll((rows) => rows.map((row) => [...row.cells].map((cell) => cell.innerText)));
    assert.equal(rows.length, 7);
    const number = (text) => Number(text.replaceAll(/[,×]/g, ""));
    const [tests, words] = [number(rows[0][1]), number(rows[4][1])];
    assert.ok(tests > 1000 * words, `${tests} bit tests against ${words}`);
    for (const row of rows) t.diagnostic(row.join(" | "));
    assert.deepEqual(rows.map((row) => row[7]), ["3,400 s", "2,585 s", "2,057 s", "45 s", "17 s", "", ""]);
  });
});

test("all ways to compare tell the same, and only the first tests every bit", async () => {
  await withPage(browser, async (page) => {
    await learn(page, "?l=compare");
    const told = page.locator(".compare__told p");
    const seen = [];
    for (const [way, tests] of [["Bit by bit", 2 * 16_384], ["A bitmap block at a time", 2 * 3 * 1024], ["Words, by vectors", 0]]) {
      await page.getByRole("radio", { name: way }).check();
      await play(page);
      seen.push(await told.innerText());
      assert.deepEqual(await counted(page, "bit tests"), [tests, tests], way);
    }
    assert.match(seen[0], /^-\(6144--6157\) \+10240 \+\(12475--12482\)$/);
    assert.deepEqual(seen, [seen[0], seen[0], seen[0]]);
  }, MOVING);
});

test("what a division leaves is missed, and parts miss nothing, even of a worker that fails", async () => {
  await withPage(browser, async (page) => {
    await learn(page, "?l=split&groups=67&workers=5");
    const told = page.locator(".lesson__figures div").filter({ hasText: "groups told of" }).locator("b");
    for (const [sharing, count] of [["Divided, rest forgotten", 65], ["As libext2fs", 67], ["As extscope, in parts", 67]]) {
      await page.getByRole("radio", { name: sharing }).check();
      await play(page);
      assert.equal(await told.innerText(), String(count), sharing);
      assert.equal(await page.locator(".split__told").count() - 1, count, sharing);
    }
    await page.getByRole("checkbox", { name: "Worker 1 fails halfway" }).check();
    await play(page);
    assert.equal(await told.innerText(), "67");
    await page.getByRole("radio", { name: "As libext2fs" }).check();
    await play(page);
    assert.ok(Number(await told.innerText()) < 67);
  }, MOVING);
});

test("loading on demand reads what is asked for, and flex groups make one request of many bitmaps", async () => {
  await withPage(browser, async (page) => {
    await learn(page, "?l=load&groups=64&flex=16&ask=all");
    const figure = async (name) => {
      const value = page.locator(".lesson__figures div").filter({ hasText: name }).locator("b");
      return (await value.innerText()).replaceAll("\u202f", " ");
    };
    // Sixty-four bitmaps of 4 KiB in four flex groups, and a seek of 12 ms to each of these.
    const expected = {
      "All, one by one": ["64", "4"],
      "All, neighbours together": ["4", "4"],
      "On demand": ["64", "4"],
      "On demand, flex group ahead": ["4", "4"],
      "What is needed, planned": ["4", "4"],
    };
    for (const [way, figures] of Object.entries(expected)) {
      await page.getByRole("radio", { name: way, exact: true }).check();
      await play(page);
      assert.deepEqual([await figure("requests"), await figure("seeks")], figures, way);
      assert.deepEqual([await figure("read"), await figure("disk time")], ["256 KiB", "49.7 ms"], way);
      assert.equal(await page.locator(".split__grid .load__answered").count(), 64, way);
    }
    await page.getByRole("radio", { name: "Is this block free?" }).check();
    await page.getByRole("radio", { name: "On demand", exact: true }).check();
    await page.getByRole("radio", { name: "Solid state" }).check();
    await play(page);
    assert.deepEqual([await figure("requests"), await figure("read"), await figure("disk time")], ["1", "4.00 KiB", "108 µs"]);
    await page.waitForURL(/l=load&groups=64&load=demand&ask=block&flex=16&disk=0\.100\.500&step=4/);
    await page.getByRole("radio", { name: "This image" }).check();
    await play(page);
    assert.equal(await figure("requests"), "1");
  }, MOVING);
});

test("a bit turned round in the lab is what the check says it is, and the address leads to it", async () => {
  await withPage(browser, async (page) => {
    await learn(page, "?l=lab&in=1");
    const results = page.getByRole("region", { name: "What the check says" });
    const said = results.getByRole("status");
    await page.locator(".lab__said--ok").waitFor();
    const codes = async () => (await results.locator("code").allInnerTexts()).sort();
    assert.deepEqual(await codes(), []);
    // What a file has is given away.
    await page.getByText("Give away a block that a file has").click();
    await page.getByRole("button", { name: "Try it" }).first().click();
    await page.locator(".lab__said--err").waitFor();
    assert.ok((await codes()).includes("PR_5_BLOCK_USED"), `${await codes()}`);
    await page.waitForURL(/flips=b\d+/);
    const there = page.url();
    const told = await said.innerText();
    await page.locator(".lab__bit.lab__turned[aria-pressed=false]").waitFor();
    // Turned round once more, it is as it was.
    await page.locator(".lab__bit.lab__turned").click();
    await page.locator(".lab__said--ok").waitFor();
    await page.goto(there);
    await page.locator(".lab__said--err").waitFor();
    assert.equal(await said.innerText(), told);
    // Left wrong, the checksum is a problem of its own.
    await page.getByRole("checkbox", { name: "Make them right again" }).uncheck();
    await page.waitForURL(/csums=0/);
    await results.locator("code").filter({ hasText: "CSUM" }).waitFor();
    await page.getByRole("button", { name: "Undo" }).click();
    await page.locator(".lab__said--ok").waitFor();
    // What was never written is not looked at.
    await page.getByRole("spinbutton", { name: "Group" }).fill("2");
    await page.keyboard.press("Tab");
    await page.getByText("It was never written").waitFor();
    await page.locator(".lab__bit").nth(40).click();
    await page.waitForURL(/flips=b\d+/);
    await page.locator(".lab__bit.lab__turned").waitFor();
    await page.locator(".lab__said--ok").waitFor();
    await page.getByRole("radio", { name: "This image, if it is small" }).check();
    await page.waitForURL(/on=image/);
    await page.getByText(/The filesystem has \d+ groups?\./).or(page.getByText(/the lab takes images of at most/)).waitFor();
  });
});

test("the sheet has room for what is predicted, and its key is what the lessons count", async () => {
  await withPage(browser, async (page) => {
    await learn(page, "?l=sheet");
    const counts = async () => (await page.locator(".sheet tbody td").allInnerTexts()).filter((text) => text !== "");
    assert.deepEqual(await counts(), []);
    await page.getByRole("checkbox", { name: "With the answers" }).check();
    await page.waitForURL(/l=sheet&key=1/);
    assert.deepEqual((await counts()).slice(0, 4), ["6,261", "6,261", "6,264", "18,783"]);
    // Printed, the page is the sheet alone.
    await page.emulateMedia({ media: "print" });
    assert.equal(await page.locator(".sheet").isVisible(), true);
    for (const rest of [".header", ".side-bar", ".lesson__side"]) assert.equal(await page.locator(rest).first().isVisible(), false, rest);
  });
});

test("both forms of a bitmap are measured, and runs are smaller where extents are long", async (t) => {
  await withPage(browser, async (page) => {
    await learn(page, "?l=forms&fill=75");
    await page.getByRole("button", { name: "Measure", exact: true }).click();
    const table = page.getByRole("region", { name: "Array and runs" });
    await table.waitFor({ timeout: 60_000 });
    const rows = await table.locator("tbody tr").evaluateAll((rows) => rows.map((row) => [...row.cells].map((cell) => cell.innerText)));
    for (const row of rows) t.diagnostic(row.join(" | "));
    assert.deepEqual(rows.map((row) => row[0]), ["1", "4", "16", "64", "256", "1,024", "8,192"]);
    // Runs of a bit and a gap of one: 48 bytes each, and an array of 128 KiB.
    assert.deepEqual(rows[0].slice(1, 4).map((text) => text.replaceAll("\u202f", " ")), ["524,288", "128 KiB", "24.0 MiB"]);
    const better = await table.locator("tbody tr td:nth-child(4)").evaluateAll((cells) => cells.map((cell) => cell.className.includes("forms__better")));
    // An extent of 256 bits and its gap of 85 are fewer than the 384 that 48 bytes hold.
    assert.deepEqual(better, [false, false, false, false, false, true, true]);
  });
});

test("a shrink and a check play to their end, phase by phase, and a fault of the lab is met in pass 5", async () => {
  await withPage(browser, async (page) => {
    const figures = async () => (await page.locator(".lesson__figures b").allInnerTexts()).map((text) => Number(text.replaceAll(",", "")));
    const title = page.locator(".lesson__side h2");
    await learn(page, "?l=shrink");
    await page.getByText("Step 0 of").waitFor();
    const phases = [await title.innerText()];
    while (!(await page.getByRole("button", { name: "Next event" }).isDisabled())) {
      await page.getByRole("button", { name: "Next event" }).click();
      phases.push(await title.innerText());
    }
    assert.deepEqual([...new Set(phases)], ["Before it begins", "1. Superblock", "2. Blocks", "3. Inodes", "4. Directories", "5. Inode tables"]);
    await play(page);
    const [copied, inodes, entries] = await figures();
    assert.ok(copied > 1000 && inodes > 10 && entries > inodes, `${copied} ${inodes} ${entries}`);
    assert.equal(await page.locator(".course__row").filter({ hasText: "goes" }).locator(".course__clusters rect").count(), 0);
    // Another size is another plan, and the address leads there.
    await page.getByRole("spinbutton", { name: "Keep" }).fill("75");
    await page.keyboard.press("Tab");
    await page.waitForURL(/keep=75/);
    await page.getByText("Step 0 of").waitFor();
    await page.getByRole("button", { name: "What the passes leave" }).click();
    await page.getByText("Step 0 of").waitFor();
    await play(page);
    assert.equal((await figures())[2], 0);
    assert.equal(await page.locator(".course__row").filter({ hasText: "equal" }).count(), 4);
    const row = (name) => page.getByRole("row", { name }).getByRole("cell").last().innerText();
    assert.equal(await row("links"), await row("refs"));
    await page.goto(page.url().replace(/#.*/, "#/learn?l=passes&flips=b300&step=99999"));
    await page.getByText("1 bit turned round").waitFor();
    await page.locator(".course__row").filter({ hasText: "1 bit differs" }).waitFor();
    assert.ok((await figures())[2] > 0);
  }, MOVING);
});

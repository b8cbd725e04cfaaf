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
      assert.equal((await steps(page))[0], 0);
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

// How the page fares with large images, held to its goals: time to the first map and to the last
// bitmap, what was read, memory, tasks that held up the page, and the kernels in the browser. Not a
// test; `cargo xtask bench` runs it.
//
//   node measure.mjs [--quick] [NATIVE.json]
//
// Needs BASE_URL and CHROMIUM, as the tests do; EXTSCOPE, the command line, which makes the images;
// KERNELS_WASM; and 3 GB in the temporary folder.

import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { availableParallelism, loadavg } from "node:os";
import { judge, measure, print, sampler, verdict } from "../../bench/js/kernels.mjs";
import { base, launch, map } from "./browser.mjs";
import { GiB, MiB, TiB, Workshop } from "./images.mjs";

const quick = process.argv.includes("--quick");
const [nativeRows] = process.argv.slice(2).filter((argument) => argument !== "--quick");

/** Blocks, and groups of so many bytes of them. */
const BLOCK = 4096;
const GROUP = 128 * MiB;
/** Bytes of a descriptor. */
const DESCRIPTOR = 64;
/** Groups whose bitmaps lie side by side. */
const FLEX = 16;

/** Goals are milliseconds in half of the runs and in the worst, and MiB of the engine's memory. */
const SIZES = [
  { name: "1 GiB", bytes: GiB, firstMap: [100, 200], all: 100, memory: 16 },
  { name: "1 TiB", bytes: TiB, firstMap: [100, 200], all: 1000, memory: 24 },
  { name: "16 TiB", bytes: 16 * TiB - 128 * MiB, firstMap: [150, 300], all: 12_000, memory: 96 },
];

/** What a worker runs before it starts, so that its reads and its memory can be looked at. */
const WATCH = `
self.reads = [];
const read = FileReaderSync.prototype.readAsArrayBuffer;
FileReaderSync.prototype.readAsArrayBuffer = function (blob) {
  self.reads.push(self.sliced);
  return read.call(this, blob);
};
const slice = Blob.prototype.slice;
Blob.prototype.slice = function (start, end) {
  self.sliced = [start, end];
  return slice.call(this, start, end);
};
for (const name of ["instantiate", "instantiateStreaming"]) {
  const make = WebAssembly[name];
  WebAssembly[name] = async (...given) => {
    const made = await make(...given);
    self.engine = made.instance.exports.memory;
    return made;
  };
}
`;

/** What reads slices of a file and does nothing with them. */
const REPLAY = `
onmessage = ({ data: { file, reads } }) => {
  const reader = new FileReaderSync();
  const begin = performance.now();
  for (const [start, end] of reads) new Uint8Array(reader.readAsArrayBuffer(file.slice(start, end)));
  postMessage(performance.now() - begin);
};
`;

/** What notes when a file was chosen, and tasks that held up the page since. */
function watchPage() {
  // Workers that are let go stay, to be asked what they read.
  Worker.prototype.terminate = () => {};
  addEventListener("change", ({ target }) => {
    if (target.type !== "file") return;
    window.chosen = performance.now();
    window.tasks = [];
    new PerformanceObserver((list) => window.tasks.push(...list.getEntries().map(({ duration }) => duration))).observe({ type: "longtask" });
    const wait = (isThere, then) => requestAnimationFrame(() => (isThere() ? requestAnimationFrame(then) : wait(isThere, then)));
    wait(() => document.querySelector("[role=application]"), () => (window.mapped = performance.now()));
    const isRead = ({ textContent }) => /(All [\d,]+ bitmaps are|The bitmap is) read/.test(textContent);
    wait(() => [...document.querySelectorAll("[role=status]")].some(isRead), () => (window.read = performance.now()));
  }, true);
}

/** The page in a window of its own, watched. */
async function open(browser) {
  const context = await browser.newContext({ viewport: { width: 1920, height: 1080 }, reducedMotion: "reduce" });
  context.setDefaultTimeout(600_000);
  await context.addInitScript(watchPage);
  await context.route(/worker_start\.js/, async (route) => {
    const response = await route.fetch();
    // The engine's module is imported before all else, but started after the watch.
    await route.fulfill({ response, body: WATCH + await response.text() });
  });
  const page = await context.newPage();
  await page.goto(base, { waitUntil: "networkidle" });
  return page;
}

/** Opens an image once; gives milliseconds, reads by worker, and memory. */
async function load(browser, path) {
  const page = await open(browser);
  const chooser = page.waitForEvent("filechooser");
  await page.getByRole("button", { name: /Choose a file/ }).click();
  await (await chooser).setFiles(path);
  await page.waitForFunction(() => window.mapped && window.read);
  const { firstMap, all, tasks } = await page.evaluate(() => ({
    firstMap: window.mapped - window.chosen,
    all: window.read - window.chosen,
    tasks: window.tasks,
  }));
  const workers = await Promise.all(page.workers().map((worker) => worker.evaluate(() => ({ reads: self.reads, memory: self.engine?.buffer.byteLength ?? 0 }))));
  const keys = await pan(page);
  const moves = await move(page);
  const table = await scroll(page);
  const cancel = await close(page);
  await page.context().close();
  const used = workers.filter(({ reads }) => reads.length > 0);
  return { firstMap, all, tasks, reads: used.map(({ reads }) => reads), memory: Math.max(...used.map(({ memory }) => memory)), keys, moves, table, cancel };
}

/** Frames in milliseconds, and tasks that held up the page, while the table of groups is scrolled by wheel and by jumps and sorted. */
async function scroll(page) {
  await page.goto(page.url().replace(/#.*|$/, "#/groups"));
  const table = page.getByRole("region", { name: "Table of block groups" });
  await table.getByRole("row").nth(1).waitFor();
  await page.waitForTimeout(500);
  await page.evaluate(() => {
    window.tasks = [];
    window.frames = [];
    let last = performance.now();
    const frame = (now) => {
      window.frames.push(now - last);
      last = now;
      if (window.frames) requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  });
  const { x, y } = await table.boundingBox();
  await page.mouse.move(x + 300, y + 200);
  for (let i = 0; i < 120; i += 1) {
    await page.mouse.wheel(0, 120);
    await page.waitForTimeout(8);
  }
  const height = await table.evaluate(({ scrollHeight }) => scrollHeight);
  for (let i = 0; i < 40; i += 1) {
    await table.evaluate((table, top) => { table.scrollTop = top; }, (height * ((i * 17) % 40)) / 40);
    await page.waitForTimeout(16);
  }
  for (const head of ["Free", "Largest free", "Group"]) {
    await table.getByRole("button", { name: head, exact: true }).click();
    await page.waitForTimeout(100);
  }
  const { frames, tasks } = await page.evaluate(() => ({ frames: window.frames, tasks: window.tasks }));
  return { frames: frames.slice(1).sort((a, b) => a - b), tasks };
}

/** Milliseconds from when the last groups come into view, right after opening, to when they are exact; and the share of all that is known by then. */
async function seen(browser, path) {
  const page = await open(browser);
  const chooser = page.waitForEvent("filechooser");
  await page.getByRole("button", { name: /Choose a file/ }).click();
  await (await chooser).setFiles(path);
  await page.waitForFunction(() => window.mapped);
  await page.goto(page.url().replace(/#.*|$/, "#/groups"));
  const table = page.getByRole("region", { name: "Table of block groups" });
  await table.getByRole("row").nth(1).waitFor();
  const result = await table.evaluate((table) => new Promise((resolve) => {
    const begin = performance.now();
    table.scrollTop = table.scrollHeight;
    const look = () => {
      const rows = [...table.querySelectorAll("tbody tr[aria-rowindex]")];
      const isLast = rows.some((row) => row.getAttribute("aria-rowindex") === table.querySelector("table").getAttribute("aria-rowcount"));
      // The free extents of a group are a dot until its bitmap is read.
      if (!isLast || rows.some((row) => row.textContent.includes("·"))) return requestAnimationFrame(look);
      const [, known, all] = /([\d,]+)\s*of\s*([\d,]+)/.exec(document.querySelector(".status-bar__bitmaps").textContent);
      const number = (text) => Number(text.replaceAll(",", ""));
      return resolve({ ms: performance.now() - begin, share: number(known) / number(all) });
    };
    look();
  }));
  await page.context().close();
  return result;
}

/** Milliseconds from a click that closes the image to the opening page. */
function close(page) {
  return page.evaluate(() => new Promise((resolve) => {
    const begin = performance.now();
    new MutationObserver(() => {
      if (document.querySelector(".drop-zone")) resolve(performance.now() - begin);
    }).observe(document.body, { childList: true, subtree: true });
    document.querySelector(".header__brand").click();
  }));
}

/** Milliseconds from a key that moves the map to what it changed on the screen, for some keys. */
async function pan(page) {
  await page.evaluate(() => {
    window.keys = [];
    new PerformanceObserver((list) => window.keys.push(...list.getEntries().filter(({ name }) => name === "keydown").map(({ duration }) => duration)))
      .observe({ type: "event", durationThreshold: 16 });
  });
  await map(page).focus();
  for (const key of ["+", "+", "+"]) await page.keyboard.press(key);
  const presses = 60;
  for (let i = 0; i < presses; i += 1) await page.keyboard.press(i % 20 < 10 ? "ArrowRight" : "ArrowLeft");
  await page.waitForTimeout(200);
  const slow = await page.evaluate(() => window.keys);
  // What took less than 16 ms is not told.
  return [...Array(Math.max(0, presses - slow.length)).fill(16), ...slow].sort((a, b) => a - b);
}

/** Milliseconds from frame to frame while the map is zoomed by the wheel and dragged. */
async function move(page) {
  const { x, y, width, height } = await map(page).boundingBox();
  const [left, top] = [x + width / 2, y + height / 2];
  await page.mouse.move(left, top);
  await page.evaluate(() => {
    window.moves = [];
    window.tasks = [];
    let last = performance.now();
    const note = (now) => {
      window.moves?.push(now - last);
      last = now;
      if (window.moves) requestAnimationFrame(note);
    };
    requestAnimationFrame(note);
  });
  for (let i = 0; i < 40; i += 1) await page.mouse.wheel(0, i < 20 ? -100 : 60);
  await page.mouse.down();
  for (let i = 0; i < 120; i += 1) await page.mouse.move(left + 150 * Math.sin(i / 10), top + 100 * Math.cos(i / 7));
  await page.mouse.up();
  return page.evaluate(() => {
    const { moves, tasks } = window;
    window.moves = undefined;
    return { frames: moves, tasks };
  });
}

/** Milliseconds that the same reads take, each worker's in a worker of its own. */
async function replay(browser, path, reads) {
  const context = await browser.newContext();
  context.setDefaultTimeout(600_000);
  // A page of no site, since the policy of ours allows no workers but its own.
  const page = await context.newPage();
  await page.setContent(`<input type="file">`);
  await page.locator("input").setInputFiles(path);
  const elapsed = await page.evaluate(async ({ script, reads }) => {
    const [file] = document.querySelector("input").files;
    const address = URL.createObjectURL(new Blob([script], { type: "text/javascript" }));
    return Math.max(...(await Promise.all(reads.map((reads) => new Promise((resolve, reject) => {
      const worker = new Worker(address);
      worker.onerror = ({ message }) => reject(new Error(message));
      worker.onmessage = ({ data }) => resolve(data);
      worker.postMessage({ file, reads });
    })))));
  }, { script: REPLAY, reads });
  await context.close();
  return elapsed;
}

function median(numbers) {
  return [...numbers].sort((a, b) => a - b)[numbers.length >> 1];
}

async function images(browser, size) {
  const workshop = new Workshop();
  try {
    const path = workshop.path("measure.img");
    execFileSync(process.env.EXTSCOPE, ["bench", "image", String(size.bytes), "512", path]);
    const rounds = quick ? 1 : size.bytes > TiB ? 3 : 7;
    const loads = [];
    const replays = [];
    for (let i = 0; i < rounds; i += 1) {
      loads.push(await load(browser, path));
      replays.push(await replay(browser, path, loads.at(-1).reads));
    }
    const groups = Math.ceil(size.bytes / GROUP);
    const reads = loads[0].reads.flat();
    const bytes = (reads) => reads.reduce((sum, [start, end]) => sum + end - start, 0);
    const tables = 2 * BLOCK + groups * DESCRIPTOR;
    // Bitmaps may begin where the descriptors end.
    const isEarly = ([start]) => start < BLOCK + groups * DESCRIPTOR;
    const early = bytes(reads.filter(isEarly));
    const bitmaps = reads.filter((read) => !isEarly(read));
    const say = (what, figure, goal, least) => verdict(`opening ${size.name}: ${what}`, figure, goal, least);
    const of = (what) => loads.map((load) => load[what]);
    console.log(`${size.name}, runs of 512, ${rounds} times: ${loads[0].reads.length} workers, ${reads.length} reads, ${(bytes(reads) / MiB).toFixed(1)} MiB`);
    say("KiB read for the first map", early / 1024, tables / 1024);
    say("ms to the first map, median", median(of("firstMap")), size.firstMap[0]);
    say("ms to the first map, worst", Math.max(...of("firstMap")), size.firstMap[1]);
    say("ms to the last bitmap, median", median(of("all")), size.all);
    // Of a few reads the time is that of a few frames.
    if (size.bytes >= TiB) say("time over that of the same reads alone", median(loads.map(({ all }, i) => all / replays[i])), 1.25);
    say("bitmap reads over bitmaps that lie apart", bitmaps.length / Math.ceil(groups / FLEX), 1.05);
    say("bytes read over needed", bytes(reads) / (tables + groups * BLOCK), 1.01);
    say("MiB of the engine's memory, most of a worker", Math.max(...of("memory")) / MiB, size.memory);
    say("tasks over 50 ms on the page's thread", Math.max(...of("tasks").map((tasks) => tasks.length)), 0);
    const keys = loads.flatMap(({ keys }) => keys).sort((a, b) => a - b);
    say("ms from a key to its picture, 95 of 100", keys[Math.floor(keys.length * 0.95)], 50);
    const frames = loads.flatMap(({ table }) => table.frames).sort((a, b) => a - b);
    say("ms of a frame while groups are scrolled, 95 of 100", frames[Math.floor(frames.length * 0.95)], 34);
    say("tasks over 50 ms while groups are scrolled and sorted", Math.max(...loads.map(({ table }) => table.tasks.length)), 0);
    if (size.bytes >= TiB) {
      const { ms, share } = await seen(browser, path);
      say("ms until groups that came into view are exact", ms, 1000);
      console.log(`of all groups ${(share * 100).toFixed(0)} % were known by then`);
    }
    say("ms to close, worst", Math.max(...of("cancel")), 50);
    console.log(`load of the machine: ${loadavg()[0].toFixed(1)} on ${availableParallelism()} processors`);
    const moves = loads.flatMap(({ moves }) => moves.frames).sort((a, b) => a - b);
    say("ms from frame to frame while the map moves, median", median(moves), 17);
    say("ms from frame to frame while the map moves, 95 of 100", moves[Math.floor(moves.length * 0.95)], 17);
    say("tasks over 50 ms while the map moves", Math.max(...loads.map(({ moves }) => moves.tasks.length)), 0);
  } finally {
    workshop.remove();
  }
}

/** The kernels in the page's browser. */
async function kernels(browser) {
  const page = await browser.newPage();
  page.setDefaultTimeout(600_000);
  await page.goto(base);
  const source = `async ([module, sizes, rounds]) => {
    ${measure}\n${sampler}
    const bytes = Uint8Array.from(atob(module), (letter) => letter.charCodeAt(0));
    const { instance } = await WebAssembly.instantiate(bytes);
    return measure(instance.exports, sampler(() => performance.now(), 5), sizes, rounds);
  }`;
  const module = readFileSync(process.env.KERNELS_WASM).toString("base64");
  const sizes = [MiB, (quick ? 16 : 64) * MiB];
  const rows = await page.evaluate(`(${source})(${JSON.stringify([module, sizes, quick ? 3 : 9])})`);
  await page.close();
  const native = nativeRows ? readFileSync(nativeRows, "utf8").trim().split("\n").map((line) => JSON.parse(line)) : [];
  print(rows);
  judge("wasm in Chromium", rows, native);
}

/** Filesystems to check, as `extscope bench check` has them. */
const CHECKS = [
  { name: "16 GiB, a million files", recipe: "size=16g,fill=52,files=2x1,inodes=8k", isLarge: false },
  { name: "4 TB, mostly full", recipe: "mostly-full", isLarge: true },
  { name: "16 TiB, empty", recipe: "empty,size=16383g", isLarge: true },
];

/** Checks filesystems in the page, and holds its time against that of e2fsck and of the command line. */
async function checks(browser) {
  for (const { name, recipe } of CHECKS.filter(({ isLarge }) => !quick || !isLarge)) {
    const workshop = new Workshop();
    try {
      const path = workshop.path("check.img");
      execFileSync(process.env.EXTSCOPE, ["scenario", "-o", path, recipe]);
      const seconds = (tool, ...args) => {
        const begin = performance.now();
        execFileSync(tool, [...args, path], { stdio: "ignore" });
        return (performance.now() - begin) / 1000;
      };
      const theirs = seconds("/usr/sbin/e2fsck", "-fn");
      const native = seconds(process.env.EXTSCOPE, "check");
      const page = await open(browser);
      const chooser = page.waitForEvent("filechooser");
      await page.getByRole("button", { name: /Choose a file/ }).click();
      await (await chooser).setFiles(path);
      await page.waitForFunction(() => window.mapped && window.read);
      await page.goto(page.url().replace(/#.*|$/, "#/check"));
      const begin = performance.now();
      await page.getByRole("button", { name: "Check", exact: true }).click();
      await page.getByRole("heading", { name: "The filesystem is clean." }).waitFor();
      const inPage = (performance.now() - begin) / 1000;
      const memory = await Promise.all(page.workers().map((worker) => worker.evaluate(() => self.engine?.buffer.byteLength ?? 0)));
      await page.context().close();
      console.log(`${name}: ${inPage.toFixed(1)} s in the page, ${native.toFixed(1)} s natively, ${theirs.toFixed(1)} s by e2fsck; ${(Math.max(...memory) / MiB).toFixed(0)} MiB of a worker`);
      verdict(`checking ${name}: time in the page over that of e2fsck`, inPage / theirs, 1);
      verdict(`checking ${name}: time in the page over that of the command line`, inPage / native, 4);
      console.log(`load of the machine: ${loadavg()[0].toFixed(1)} on ${availableParallelism()} processors`);
    } finally {
      workshop.remove();
    }
  }
}

/** Filesystems to shrink, and sizes to come to, in blocks: as in Debian's bug 663237, and a small one. */
const SHRINKS = [
  { name: "4 GiB", recipe: "size=4g,fill=50,files=13x1", blocks: (3.5 * GiB) / BLOCK, isLarge: false },
  { name: "100 GiB, a million files", recipe: "size=100g,fill=50,files=13x1,inodes=64k", blocks: (96 * GiB) / BLOCK, isLarge: true },
];

/** Plans shrinks in the page, looks at its frames meanwhile, and holds its time against resize2fs doing it. */
async function shrinks(browser) {
  for (const { name, recipe, blocks, isLarge } of SHRINKS.filter(({ isLarge }) => !quick || !isLarge)) {
    const workshop = new Workshop();
    try {
      const path = workshop.path("shrink.img");
      execFileSync(process.env.EXTSCOPE, ["scenario", "-o", path, recipe]);
      const seconds = (tool, ...args) => {
        const begin = performance.now();
        execFileSync(tool, args, { stdio: "ignore" });
        return (performance.now() - begin) / 1000;
      };
      const native = seconds(process.env.EXTSCOPE, "shrink", "--to", String(blocks), path);
      const page = await open(browser);
      const chooser = page.waitForEvent("filechooser");
      await page.getByRole("button", { name: /Choose a file/ }).click();
      await (await chooser).setFiles(path);
      await page.waitForFunction(() => window.mapped && window.read);
      await page.goto(page.url().replace(/#.*|$/, `#/shrink?t=${blocks}`));
      const button = page.getByRole("button", { name: "Plan this shrink" });
      await button.waitFor();
      await page.evaluate(() => {
        window.frames = [];
        let last = performance.now();
        const note = (now) => {
          window.frames.push(now - last);
          last = now;
          requestAnimationFrame(note);
        };
        requestAnimationFrame(note);
      });
      const begin = performance.now();
      await button.click();
      await page.getByText("Exact: every block").waitFor();
      const inPage = (performance.now() - begin) / 1000;
      const frames = (await page.evaluate(() => window.frames)).sort((a, b) => a - b);
      await page.context().close();
      // What is measured last writes over the image.
      const theirs = seconds("/usr/sbin/resize2fs", path, String(blocks));
      console.log(`${name}: planned in ${inPage.toFixed(1)} s in the page, ${native.toFixed(1)} s natively; done in ${theirs.toFixed(1)} s by resize2fs`);
      verdict(`shrinking ${name}: time of a plan natively over that of resize2fs`, native / theirs, 0.5);
      verdict(`shrinking ${name}: time of a plan in the page over that of resize2fs`, inPage / theirs, 1);
      // A plan that is there at once leaves few frames to look at.
      if (isLarge) verdict(`shrinking ${name}: ms from frame to frame meanwhile, 95 of 100`, frames[Math.floor(frames.length * 0.95)], 17);
      console.log(`load of the machine: ${loadavg()[0].toFixed(1)} on ${availableParallelism()} processors`);
    } finally {
      workshop.remove();
    }
  }
}

const browser = await launch();
try {
  await kernels(browser);
  for (const size of SIZES) await images(browser, size);
  await checks(browser);
  await shrinks(browser);
} finally {
  await browser.close();
}

// The kernels in node: node bench/js/node.mjs KERNELS.wasm [NATIVE.json] [--quick]

import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { judge, measure, print, sampler, verdict } from "./kernels.mjs";

const files = process.argv.slice(2).filter((argument) => argument !== "--quick");
const quick = process.argv.includes("--quick");
const module = readFileSync(files[0]);
const native = files[1] ? readFileSync(files[1], "utf8").trim().split("\n").map((line) => JSON.parse(line)) : [];
const { instance } = await WebAssembly.instantiate(module);

/** Milliseconds of processor time. */
function clock() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

const sizes = [2 ** 20, (quick ? 16 : 64) * 2 ** 20];
const rows = measure(instance.exports, sampler(clock, 1), sizes, quick ? 3 : 9);
print(rows);
judge("wasm in node", rows, native);
verdict("KiB of all kernels as a module, packed", gzipSync(module).length / 1024, 150);

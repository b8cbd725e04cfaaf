// Times the kernels in wasm: node bench/wasm.mjs kernels.wasm
//
// As natively, each sample lies between two of only reading the same bytes, and the median of the
// ratios counts. The module is the example `kernels` built for wasm32.

import { readFileSync } from "node:fs";

const MIB = 1 << 20;
const SAMPLE_MS = 1;
const ROUNDS = 15;

const { instance } = await WebAssembly.instantiate(readFileSync(process.argv[2]));
const kernels = instance.exports;

/** Milliseconds of processor time of one call, by as many calls as fill a sample. */
function milliseconds(call) {
  for (let calls = 1; ; calls *= 2) {
    const start = process.cpuUsage();
    for (let i = 0; i < calls; i += 1) call();
    const { user, system } = process.cpuUsage(start);
    const elapsed = (user + system) / 1000;
    if (elapsed >= SAMPLE_MS) return elapsed / calls;
  }
}

const text = new TextDecoder();
for (let index = 0; index < kernels.case_count(); index += 1) {
  const at = kernels.name_at(index);
  const name = text.decode(
    new Uint8Array(kernels.memory.buffer, at, kernels.name_bytes(index)),
  );
  for (const bytes of [MIB, 16 * MIB]) {
    const runs = kernels.prepare(index, bytes);
    for (let table = 0; table < kernels.table_count(index); table += 1) {
      const run = () => kernels.run(table);
      for (let i = 0; i < 6; i += 1) run(); // so that it is compiled for speed
      const samples = [];
      for (let i = 0; i < (bytes > MIB ? 3 : ROUNDS); i += 1) {
        const before = milliseconds(kernels.read);
        const taken = milliseconds(run);
        const after = milliseconds(kernels.read);
        samples.push({ taken, ratio: Math.min(before, after) / taken });
      }
      samples.sort((a, b) => a.ratio - b.ratio);
      const { taken, ratio } = samples[samples.length >> 1];
      console.log(
        name.padEnd(10),
        (table === 0 ? "simd128" : "u64").padEnd(8),
        String(bytes / MIB).padStart(3), "MiB",
        (bytes / taken / 1e6).toFixed(2).padStart(7), "GB/s",
        (ratio * 100).toFixed(0).padStart(4), "% of read",
        (runs > 1000 ? (taken * 1e6 / runs).toFixed(2) : "-").padStart(9), "ns/run",
      );
    }
  }
}

// Times the kernels in wasm, in node or in a browser, and holds them to their goals.
//
// As natively, each sample lies between two of only reading the same bytes. The module is the
// example `kernels` of extscope-bench, built for wasm32.

/**
 * The times of all cases on bitmaps of each of `sizes` bytes. `milliseconds(call)` gives those of
 * one call. Refers to nothing outside, so that its text can be sent to a browser.
 */
export function measure(kernels, milliseconds, sizes, rounds) {
  const text = new TextDecoder();
  const seen = {};
  const rows = [];
  for (let index = 0; index < kernels.case_count(); index += 1) {
    const bytesOfName = new Uint8Array(kernels.memory.buffer, kernels.name_at(index), kernels.name_bytes(index));
    const name = text.decode(bytesOfName);
    // Cases of one name differ in their bits; they come in the same order everywhere.
    const place = (seen[name] = (seen[name] ?? -1) + 1);
    for (const bytes of sizes) {
      const runs = kernels.prepare(index, bytes);
      for (let table = 0; table < kernels.table_count(index); table += 1) {
        const run = () => kernels.run(table);
        for (let i = 0; i < 6; i += 1) run(); // so that it is compiled for speed
        const samples = [];
        for (let i = 0; i < rounds; i += 1) {
          const before = milliseconds(kernels.read);
          const taken = milliseconds(run);
          const after = milliseconds(kernels.read);
          samples.push({ taken, ofRead: Math.min(before, after) / taken });
        }
        samples.sort((a, b) => a.ofRead - b.ofRead);
        const best = Math.min(...samples.map(({ taken }) => taken));
        rows.push({
          name, place, table, bytes,
          speed: bytes / best / 1e6,
          ofRead: samples[samples.length >> 1].ofRead,
          nanosARun: runs > 1000 ? (best * 1e6) / runs : null,
        });
      }
    }
  }
  return rows;
}

/** Calls `call` as often as fills a sample, and gives what `clock` says that one took. */
export function sampler(clock, sampleMs) {
  return (call) => {
    for (let calls = 1; ; calls *= 2) {
      const start = clock();
      for (let i = 0; i < calls; i += 1) call();
      const elapsed = clock() - start;
      if (elapsed >= sampleMs) return elapsed / calls;
    }
  };
}

/** Prints the table. */
export function print(rows) {
  for (const { name, table, bytes, speed, ofRead, nanosARun } of rows) {
    console.log(
      name.padEnd(10),
      (table === 0 ? "simd128" : "u64").padEnd(8),
      String(bytes / 2 ** 20).padStart(3), "MiB",
      speed.toFixed(2).padStart(7), "GB/s",
      (ofRead * 100).toFixed(0).padStart(4), "% of read",
      (nanosARun?.toFixed(2) ?? "-").padStart(9), "ns/run",
    );
  }
}

/** One figure and its goal, as the rest of the bench writes them. */
export function verdict(what, figure, goal, least = false) {
  const met = least ? figure >= goal : figure <= goal;
  console.log(`  ${(met ? "met" : "MISSED").padEnd(6)} ${what}: ${figure.toFixed(2)} (goal ${least ? ">=" : "<="} ${goal})`);
}

/**
 * Holds the rows to their goals. `native` are the rows that `extscope bench kernels --write` left,
 * or none.
 */
export function judge(where, rows, native) {
  const [cache, memory] = [...new Set(rows.map(({ bytes }) => bytes))];
  const find = (name, place = 0, bytes = cache) => rows.find((row) => row.name === name && row.place === place && row.table === 0 && row.bytes === bytes);
  // Cases of one name come in the same order natively, once for each table.
  const natively = (name, place, bytes, kernels) => {
    const named = native.filter((row) => row.name === name && row.bytes === bytes);
    const fills = [...new Set(named.map(({ fill }) => fill))];
    const tables = named.filter(({ fill }) => fill === fills[place]);
    return (tables.find((row) => row.kernels === kernels) ?? tables.at(-1))?.speed;
  };
  const ratio = (name, place, bytes, least) => {
    const theirs = natively(name, place, bytes, "AVX2");
    if (theirs === undefined) return;
    const row = find(name, place, bytes);
    // Where a case reads two bitmaps, native speeds count both.
    const streams = ["compare", "equal"].includes(name) ? 2 : 1;
    const what = `${where}: ${name} at ${bytes >> 20} MiB over native AVX2`;
    verdict(what, (row.speed * streams) / theirs, least, true);
  };
  ratio("count", 0, cache, 0.5);
  ratio("count", 0, memory, 0.75);
  ratio("skip", 0, cache, 0.45);
  ratio("compare", 0, cache, 0.45);
  ratio("census", 0, cache, 0.6);
  ratio("census", 2, cache, 0.6);
  verdict(`${where}: census of runs of 16, ns a run`, find("census", 3).nanosARun, 5.0);
  verdict(`${where}: census of runs of 2, ns a run`, find("census", 4).nanosARun, 3.2);
  verdict(`${where}: pyramid over count`, find("pyramid").speed / find("count").speed, 0.9, true);
  verdict(`${where}: crc32c of two blocks over one by one`, find("crc32c").speed / find("crc32c x1").speed, 1.6, true);
}

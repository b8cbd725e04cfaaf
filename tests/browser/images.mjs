// The images that the page is tested with, made anew each time.

import { execFileSync, spawnSync } from "node:child_process";
import { closeSync, copyFileSync, ftruncateSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { crc32, gunzipSync } from "node:zlib";

export const MiB = 2 ** 20;
export const GiB = 2 ** 30;
export const TiB = 2 ** 40;

/** Surroundings in which the tools of e2fsprogs always do the same. */
const env = {
  ...process.env,
  LC_ALL: "C",
  TZ: "GMT0",
  E2FSPROGS_FAKE_TIME: "1704067200",
  PATH: `${process.env.PATH}:/usr/sbin:/sbin`,
};

function run(tool, ...args) {
  return execFileSync(tool, args, { env, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"], maxBuffer: 2 ** 30 });
}

/** A folder for images that is removed in the end. */
export class Workshop {
  folder = mkdtempSync(join(tmpdir(), "extscope-browser-"));

  path(name) {
    return join(this.folder, name);
  }

  /** A file with these bytes. */
  file(name, bytes) {
    writeFileSync(this.path(name), bytes);
    return this.path(name);
  }

  /** A sparse file. */
  sparse(name, bytes) {
    const file = openSync(this.path(name), "w");
    ftruncateSync(file, bytes);
    closeSync(file);
    return this.path(name);
  }

  /** A filesystem made by mke2fs in a sparse file. */
  filesystem(name, bytes, ...args) {
    const path = this.sparse(name, bytes);
    run("mke2fs", "-q", "-F", "-U", "5d1f8a0e-7c35-4c0b-9f6e-2b1a40c3e7d9", ...args, path);
    return path;
  }

  /** One of the page's samples, unpacked. */
  sample(name) {
    const packed = readFileSync(new URL(`../../web/samples/${name}.img.gz`, import.meta.url));
    return this.file(`${name}.img`, gunzipSync(packed));
  }

  /** A disk with images in its partitions: each a file, or a number of bytes to leave empty. */
  disk(name, ...partitions) {
    const contents = partitions.map((image) => (typeof image === "number" ? Buffer.alloc(image) : readFileSync(image)));
    const path = this.sparse(name, contents.reduce((sum, { length }) => sum + length, 2 * MiB));
    let offset = MiB;
    const places = contents.map((image) => {
      const place = [offset, image.length];
      poke(path, offset, image);
      offset += image.length;
      return place;
    });
    return partition(path, places);
  }

  /** A copy under another name. */
  copy(path, name) {
    copyFileSync(path, this.path(name));
    return this.path(name);
  }

  remove() {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** Writes a GPT in sectors of 512 bytes to the head of a disk: first byte and bytes of each partition. */
export function partition(path, places) {
  const entries = Buffer.alloc(128 * 128);
  places.forEach(([offset, bytes], index) => {
    const entry = entries.subarray(128 * index);
    entry.write("af3dc60f838472478e793d69d8477de4", "hex");
    entry[16] = index + 1;
    entry.writeBigUInt64LE(BigInt(offset / 512), 32);
    entry.writeBigUInt64LE(BigInt((offset + bytes) / 512 - 1), 40);
  });
  const header = Buffer.alloc(92);
  header.write("EFI PART");
  header.writeUInt32LE(0x10000, 8);
  header.writeUInt32LE(92, 12);
  header.writeBigUInt64LE(2n, 72);
  header.writeUInt32LE(128, 80);
  header.writeUInt32LE(128, 84);
  header.writeUInt32LE(crc32(entries), 88);
  header.writeUInt32LE(crc32(header), 16);
  poke(path, 512, header);
  poke(path, 1024, entries);
  // The MBR that stands for it.
  poke(path, 446, [0, 0, 2, 0, 0xee, 0xff, 0xff, 0xff, 1, 0, 0, 0, 0xff, 0xff, 0xff, 0xff]);
  poke(path, 510, [0x55, 0xaa]);
  return path;
}

/** Writes bytes into a file. */
export function poke(path, offset, bytes) {
  const file = openSync(path, "r+");
  writeSync(file, Uint8Array.from(bytes), 0, bytes.length, offset);
  closeSync(file);
}

/** Carries out requests of debugfs, one a line. */
export function debugfs(path, ...requests) {
  for (const request of requests) run("debugfs", "-w", "-R", request, path);
}

/** Carries out requests of debugfs in one session, as a log that is written needs. */
export function debugfsSession(path, ...requests) {
  execFileSync("debugfs", ["-w", "-f", "-", path], { env, input: `${requests.join("\n")}\n`, stdio: ["pipe", "ignore", "ignore"] });
}

/** The block with the inode of a file, and what it holds. */
export function inodeBlock(path, file) {
  const block = Number(/located at block (\d+)/.exec(run("debugfs", "-R", `imap ${file}`, path))[1]);
  const size = Number(/^Block size:\s+(\d+)/m.exec(run("dumpe2fs", "-h", path))[1]);
  return { block, bytes: readFileSync(path).subarray(block * size, (block + 1) * size) };
}

/** What e2freefrag tells with chunks of so many KiB: extents and blocks by length, and sums. */
export function freefrag(path, chunk) {
  const text = run("e2freefrag", "-c", String(chunk), path);
  const rows = text.matchAll(/:\s+(\d+)\s+(\d+)\s+[\d.]+%/g);
  return {
    histogram: Array.from(rows, ([, extents, blocks]) => ({ extents: Number(extents), blocks: Number(blocks) })),
    extents: Number(/Num\. free extent: (\d+)/.exec(text)[1]),
    chunks: Number(/Free chunks: (\d+)/.exec(text)[1]),
  };
}

/** The data blocks of a file in their order, as debugfs lists them. */
export function blocks(path, file) {
  const text = run("debugfs", "-R", `stat ${file}`, path);
  const pieces = text.slice(text.indexOf("EXTENTS:")).matchAll(/\((\d+)(?:-(\d+))?\):(\d+)(?:-(\d+))?/g);
  return Array.from(pieces).flatMap(([, , , from, to = from]) =>
    Array.from({ length: to - from + 1 }, (_, n) => Number(from) + n),
  );
}

/** The deleted inodes that debugfs lists. */
export function lsdel(path) {
  const rows = run("debugfs", "-R", "lsdel", path).split("\n").slice(1);
  return rows.map((row) => /^\s*(\d+)\s+\d+\s+\d+\s/.exec(row)).filter(Boolean).map(([, ino]) => Number(ino));
}

/** What dumpe2fs tells of each group: its blocks, how many of them are in use, and its free extents. */
export function groups(path) {
  const text = run("dumpe2fs", "-f", path);
  const found = text.matchAll(/^Group (\d+): \(Blocks (\d+)-(\d+)\)[^]*?^ {2}Free blocks: (.*)$/gm);
  return Array.from(found, ([, group, first, last, ranges]) => {
    const lengths = ranges.split(", ").filter(Boolean).map((range) => {
      const [from, to = from] = range.split("-").map(Number);
      return to - from + 1;
    });
    const blocks = last - first + 1;
    const free = lengths.reduce((sum, length) => sum + length, 0);
    return { group: Number(group), first: Number(first), last: Number(last), blocks, used: blocks - free, extents: lengths.length };
  });
}

/** Where each group's descriptor says that its block bitmap lies. */
export function descriptors(path) {
  const rows = run("dumpe2fs", "-g", path).trim().split("\n").slice(1);
  return rows.map((row) => ({ blockBitmap: Number(row.split(":")[4]) }));
}

/** Heads and feet of the lists of blocks and inodes that differ, which are no problems. */
const LISTS = [0x050003, 0x050006, 0x050007, 0x05000a];

/** What `e2fsck -fn` finds: its exit status, and the numbers of its problems in their order. */
export function e2fsck(path) {
  const log = `${path}.problems`;
  const { status } = spawnSync("e2fsck", ["-fn", "-E", `problem_log=${log}`, path], { env });
  const numbers = readFileSync(log, "utf8").matchAll(/<problem code="0x([0-9a-f]+)"/gi);
  rmSync(log);
  const codes = Array.from(numbers, ([, code]) => Number.parseInt(code, 16));
  return { exit: status, codes: codes.filter((code) => !LISTS.includes(code)) };
}

/** The smallest size in blocks, as `resize2fs -P` estimates it. */
export function minimum(path) {
  return Number(/: (\d+)/.exec(run("resize2fs", "-P", path))[1]);
}

/** Blocks of a filesystem. */
export function blockCount(path) {
  return Number(/^Block count: +(\d+)/m.exec(run("dumpe2fs", "-h", path))[1]);
}

/** Marks a filesystem as mounted after its last check. */
export function mount(path) {
  debugfs(path, "set_super_value mtime 20250101000000");
}

/** Runs a script in a folder; any command that fails ends it. */
export function shell(folder, script) {
  execFileSync("sh", ["-e", "-c", script], { env, cwd: folder, stdio: "pipe" });
}

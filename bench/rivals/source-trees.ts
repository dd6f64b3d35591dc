import { spawnSync } from "node:child_process";
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";

/** A source tree that benches read. */
export interface SourceTree {
  /** The Debian source package it is. */
  readonly name: string;
  readonly folder: string;
}

/** Source packages of Debian 12 of about 10, 50 and 300 MB. */
const packageNames = ["redis", "git", "wireshark"] as const;

/** Where the trees lie: `BENCH_TREES`, by default a folder for temporary files. */
export function treesFolder(): string {
  return process.env["BENCH_TREES"] ?? join(tmpdir(), "bench-trees");
}

/** The trees, small to large; there after `prepareSourceTrees`. */
export function sourceTrees(): readonly SourceTree[] {
  return packageNames.map((name) => ({ name, folder: join(treesFolder(), name) }));
}

/**
 * Fetches the trees that are not there, once, by apt (which needs a line `deb-src` in its sources).
 *
 * @returns Why they cannot be used, or `undefined`.
 */
export function prepareSourceTrees(): string | undefined {
  mkdirSync(treesFolder(), { recursive: true });
  for (const { name, folder } of sourceTrees()) {
    if (existsSync(folder)) continue;
    const download = mkdtempSync(join(treesFolder(), ".download-"));
    const run = (command: string, args: readonly string[]): boolean =>
      spawnSync(command, args, { cwd: download, stdio: "ignore" }).status === 0;
    const isThere =
      run("apt-get", ["source", "--quiet=2", "--download-only", `${name}/bookworm`]) &&
      run("dpkg-source", ["--no-check", "--extract", onlyDescription(download), "tree"]);
    if (isThere) renameSync(join(download, "tree"), folder);
    rmSync(download, { recursive: true, force: true });
    if (!isThere)
      return `the source of ${name} cannot be fetched by apt-get: unpack it as "${folder}"`;
  }
  return undefined;
}

function onlyDescription(download: string): string {
  return readdirSync(download).find((file) => file.endsWith(".dsc")) ?? "none";
}

/** Larger files are not indexed. */
const fileBytesMax = 1024 * 1024;

/** Bytes of the regular files of a tree that are indexed; an index is none of it. */
export function treeBytes(folder: string): number {
  let sum = 0;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.name === ".codetool") continue;
    const path = join(folder, entry.name);
    if (entry.isDirectory()) sum += treeBytes(path);
    else if (entry.isFile()) {
      const sizeBytes = lstatSync(path).size;
      if (sizeBytes <= fileBytesMax) sum += sizeBytes;
    }
  }
  return sum;
}

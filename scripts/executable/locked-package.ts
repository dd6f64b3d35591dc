import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { gunzipSync } from "node:zlib";
import { root } from "../test-files.ts";

/** What the lock file says of a package. */
export interface LockedPackage {
  readonly version: string;
  /** `sha512-` and base64, of its tarball. */
  readonly integrity: string;
}

interface LockFile {
  readonly packages: { readonly [path: string]: Partial<LockedPackage> };
}

/** Reads a package's entry of `package-lock.json`. */
export function lockedPackage(name: string): LockedPackage {
  const lock = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")) as LockFile;
  const { version, integrity } = lock.packages[`node_modules/${name}`] ?? {};
  if (version === undefined || integrity === undefined)
    throw new Error(`package-lock.json has no package "${name}"`);
  return { version, integrity };
}

/**
 * Finds the folder of a package that the lock file names: in `node_modules`, or, where npm did not install it because it is
 * for another platform, fetched by npm and kept in `node_modules/.cache/packages`.
 *
 * @throws Error when npm does not give it, or gives another one than the lock file's.
 */
export function packageFolder(name: string): string {
  const installed = join(root, "node_modules", name);
  if (existsSync(join(installed, "package.json"))) return installed;
  const { version, integrity } = lockedPackage(name);
  const folder = join(root, "node_modules", ".cache", "packages", `${name}@${version}`);
  if (existsSync(folder)) return folder;
  const draft = `${folder}.${process.pid}`;
  mkdirSync(draft, { recursive: true });
  try {
    const spec = `${name}@${version}`;
    const npm = process.platform === "win32" ? "npm.cmd" : "npm";
    const result = spawnSync(npm, ["pack", "--silent", "--pack-destination", draft, spec], {
      cwd: draft,
      encoding: "utf8",
      shell: process.platform === "win32",
    });
    if (result.status !== 0) throw new Error(`npm does not give ${spec}: ${result.stderr}`);
    const tarball = readFileSync(join(draft, result.stdout.trim()));
    const digest = `sha512-${createHash("sha512").update(tarball).digest("base64")}`;
    if (digest !== integrity)
      throw new Error(`${spec} has the digest ${digest}, and package-lock.json wants ${integrity}`);
    rmSync(draft, { recursive: true });
    unpackTarball(gunzipSync(tarball), draft);
    renameSync(draft, folder);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
  return folder;
}

const blockBytes = 512;

/** Unpacks the files of an npm tarball without their first folder. */
function unpackTarball(archive: Buffer, folder: string): void {
  for (let at = 0; at + blockBytes <= archive.length;) {
    const field = (start: number, length: number): string =>
      archive.toString("utf8", at + start, at + start + length).replace(/\0.*$/s, "");
    const [name, size, type] = [field(0, 100), Number.parseInt(field(124, 12), 8), field(156, 1)];
    if (name === "") return;
    const start = at + blockBytes;
    at = start + Math.ceil(size / blockBytes) * blockBytes;
    if (type !== "0" && type !== "") continue;
    const parts = [field(345, 155), name]
      .join("/")
      .split("/")
      .filter((part) => part !== "");
    const path = parts.slice(1);
    if (path.length === 0 || path.includes("..")) throw new Error(`"${name}" is not a path of npm`);
    mkdirSync(join(folder, ...path.slice(0, -1)), { recursive: true });
    writeFileSync(join(folder, ...path), archive.subarray(start, start + size), { mode: 0o755 });
  }
}

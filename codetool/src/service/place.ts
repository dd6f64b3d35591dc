import { lstatSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import process from "node:process";

/** Environment variables by name. */
type Environment = { readonly [name: string]: string | undefined };

/** Where the services of a user listen. */
export interface ServicePlace {
  /** Absolute path of the folder that their sockets are in, with the mode 0700; `undefined` on Windows. */
  readonly folder: string | undefined;
  /** The address of the service of a tree: path of a socket, or name of a pipe. */
  addressOf(root: string): string;
}

/** A socket's address holds 108 bytes on Linux, 104 on macOS. */
const addressBytesMax = 100;

/**
 * Says where the services of this user listen: in `$XDG_RUNTIME_DIR/codetool`, else in `codetool-<uid>` in `$TMPDIR` or
 * `/tmp`; on Windows in pipes of the user's name.
 *
 * @returns `undefined` where no such address is possible.
 */
export function servicePlace(environment: Environment): ServicePlace | undefined {
  if (process.platform === "win32") {
    const username = environment["USERNAME"] ?? "";
    const addressOf = (root: string): string =>
      `\\\\.\\pipe\\codetool-${hashOf(`${username} ${root.toLowerCase()}`)}`;
    return { folder: undefined, addressOf };
  }
  const runtime = environment["XDG_RUNTIME_DIR"] ?? "";
  const uid = process.getuid?.() ?? 0;
  const folder = runtime.startsWith("/")
    ? join(runtime, "codetool")
    : join(environment["TMPDIR"] || "/tmp", `codetool-${uid}`);
  if (Buffer.byteLength(folder) > addressBytesMax - 22) return undefined;
  return { folder, addressOf: (root) => join(folder, `${hashOf(root)}.sock`) };
}

/**
 * Makes the folder of the sockets where it is not there.
 *
 * @returns False where it is somebody else's or others may enter it: then nothing in it is trusted.
 */
export function makePrivateFolder(folder: string): boolean {
  try {
    mkdirSync(folder, { mode: 0o700, recursive: true });
  } catch {
    // Whatever is in its place is looked at.
  }
  return isPrivateFolder(folder);
}

/** Whether a folder is this user's, and nobody else may enter it. */
export function isPrivateFolder(folder: string): boolean {
  const stat = lstatSync(folder, { throwIfNoEntry: false });
  return (
    stat?.isDirectory() === true && stat.uid === process.getuid?.() && (stat.mode & 0o77) === 0
  );
}

/** A folder and those above it, nearest first. */
export function withAncestors(folder: string): readonly string[] {
  const folders = [folder];
  for (let at = folder; dirname(at) !== at; at = dirname(at)) folders.push(dirname(at));
  return folders;
}

/** FNV-1a in 64 bits, in hexadecimal: a name, and no secret. */
function hashOf(text: string): string {
  let hash = 0xcbf2_9ce4_8422_2325n;
  for (const byte of Buffer.from(text))
    hash = ((hash ^ BigInt(byte)) * 0x100_0000_01b3n) & 0xffff_ffff_ffff_ffffn;
  return hash.toString(16).padStart(16, "0");
}

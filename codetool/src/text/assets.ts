import { closeSync, openSync, readFileSync, readSync } from "node:fs";

/**
 * Where assets lie seen from the module that asks: next to it in the one-file executable, one level up in a built
 * package (`dist/`), two in a checkout (`src/text/`) and in a built package's folders.
 */
const assetFolders = ["./", "../assets/", "../../assets/"] as const;

/**
 * Reads a file that codetool ships with, wherever this copy of codetool runs from: a checkout, an installed package
 * or the one-file executable.
 *
 * @param name File name in `codetool/assets`, for example `"o200k_base.bin"`.
 * @returns The content, in its own buffer that begins at a multiple of four.
 * @throws Error when this copy of codetool is incomplete.
 */
export function readAsset(name: string): Uint8Array {
  for (const folder of assetFolders) {
    const content = readIfPresent(new URL(folder + name, import.meta.url));
    if (content !== undefined) return content.byteOffset % 4 === 0 ? content : content.slice();
  }
  throw incomplete(name);
}

/** Parts of a file that codetool ships with. */
export interface AssetParts extends Disposable {
  /** Reads the bytes from `start` to before `end`, in a separate buffer. */
  read(start: number, end: number): Promise<Uint8Array>;
}

/**
 * Opens a file that codetool ships with, of which little is needed.
 *
 * @param name File name in `codetool/assets`.
 * @throws Error when this copy of codetool is incomplete.
 */
export function openAsset(name: string): AssetParts {
  for (const folder of assetFolders) {
    const address = new URL(folder + name, import.meta.url);
    const parts = openEmbedded(address) ?? openOnDisk(address);
    if (parts !== undefined) return parts;
  }
  throw incomplete(name);
}

function incomplete(name: string): Error {
  return new Error(`Cannot find "${name}": this copy of codetool is incomplete, install it again`);
}

/** What this file uses of the runtime that the executable is built on. */
interface Runtime {
  readonly file: (address: URL) => EmbeddedFile;
}

interface EmbeddedFile extends Part {
  /** 0 for one that is not there. */
  readonly size: number;
}

interface Part {
  slice(start: number, end: number): Part;
  bytes(): Promise<Uint8Array>;
}

/** By address. Made once: each counts as so much memory as the file has bytes, which is collected soon after. */
const embeddedFiles = new Map<string, EmbeddedFile>();

/** The files inside of the executable have no descriptors; their bytes lie in memory already. */
function openEmbedded(address: URL): AssetParts | undefined {
  const { Bun: runtime } = globalThis as { readonly Bun?: Runtime };
  if (runtime === undefined) return undefined;
  const file = embeddedFiles.get(address.href) ?? runtime.file(address);
  if (file.size === 0) return undefined;
  embeddedFiles.set(address.href, file);
  const read = async (start: number, end: number): Promise<Uint8Array> =>
    await file.slice(start, end).bytes();
  return { read, [Symbol.dispose]: () => undefined };
}

function openOnDisk(address: URL): AssetParts | undefined {
  let descriptor: number;
  try {
    descriptor = openSync(address, "r");
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
  const read = async (start: number, end: number): Promise<Uint8Array> => {
    const bytes = new Uint8Array(end - start);
    readSync(descriptor, bytes, 0, bytes.length, start);
    return bytes;
  };
  return { read, [Symbol.dispose]: () => closeSync(descriptor) };
}

function isMissing(error: unknown): boolean {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return code === "ENOENT" || code === "ENOTDIR";
}

function readIfPresent(address: URL): Uint8Array | undefined {
  try {
    const { buffer, byteOffset, byteLength } = readFileSync(address);
    return new Uint8Array(buffer, byteOffset, byteLength);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

import { readFileSync } from "node:fs";

/**
 * Where assets lie seen from the module that asks: beside it in the one-file executable, one level up in a built
 * package (`dist/`), two in a checkout (`src/text/`) and in a built package's folders.
 */
const assetFolders = ["./", "../assets/", "../../assets/"] as const;

/**
 * Reads a file that codetool ships with, wherever this copy of codetool runs from: a checkout, an installed package
 * or the one-file executable.
 *
 * @param name File name in `codetool/assets`, for example `"o200k_base.bin"`.
 * @returns The content, in a buffer of its own that begins at a multiple of four.
 * @throws Error when this copy of codetool is incomplete.
 */
export function readAsset(name: string): Uint8Array {
  for (const folder of assetFolders) {
    const content = readIfPresent(new URL(folder + name, import.meta.url));
    if (content !== undefined) return content.byteOffset % 4 === 0 ? content : content.slice();
  }
  throw new Error(`Cannot find "${name}": this copy of codetool is incomplete, install it again`);
}

function readIfPresent(address: URL): Uint8Array | undefined {
  try {
    const { buffer, byteOffset, byteLength } = readFileSync(address);
    return new Uint8Array(buffer, byteOffset, byteLength);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    throw error;
  }
}

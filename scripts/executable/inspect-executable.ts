import { createHash } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { zstdDecompressSync } from "node:zlib";
import { root } from "../test-files.ts";
import { assetNames, type NativeLibrary } from "./build-executable.ts";
import { type EmbeddedPart, embeddedSection } from "./embedded-parts.ts";
import { packageFolder } from "./locked-package.ts";
import { machineOf } from "./machine-of.ts";
import { checkedPages } from "./macho-signature.ts";
import type { Target } from "./targets.ts";

/** What an executable is made of, in bytes. */
export interface ExecutableSizes {
  readonly runtime: number;
  readonly tokenVectors: number;
  readonly tokenCounter: number;
  readonly parser: number;
  readonly grammars: number;
  readonly javaScript: number;
  readonly bytecode: number;
  /** Between the runtime and the files, and the signature of macOS. */
  readonly rest: number;
  readonly total: number;
}

/** An executable that was looked into. */
export interface InspectedExecutable {
  readonly sizes: ExecutableSizes;
  readonly grammarCount: number;
  /** Pages whose digest the signature of macOS says. */
  readonly signedPageCount: number;
}

/**
 * Looks into a built executable: it is for its platform, has each asset and library whole and once, and each library is for
 * that platform too.
 *
 * @throws Error that says what is wrong with it.
 */
export function inspectExecutable(
  path: string,
  { target, libraries }: { readonly target: Target; readonly libraries: readonly NativeLibrary[] },
): InspectedExecutable {
  const bytes = readFileSync(path);
  requireMachine(bytes, { target, what: path });
  const section = embeddedSection(bytes);
  const parts = new Map(section.parts.map((part) => [part.name, part]));
  const contentOf = (name: string): Buffer => {
    const part = parts.get(name);
    if (part === undefined) throw new Error(`${path} has no "${name}"`);
    return part.content;
  };
  for (const name of assetNames)
    if (!contentOf(name).equals(readFileSync(join(root, "codetool", "assets", name))))
      throw new Error(`"${name}" in ${path} is not the file of the checkout`);
  const code = Buffer.concat(section.parts.filter(isCode).map(({ content }) => content));
  for (const { key, content, digest } of libraries) {
    requireMachine(content, { target, what: key });
    if (!zstdDecompressSync(contentOf(`${key}.library`)).equals(content))
      throw new Error(`"${key}" in ${path} is not the library that was packed`);
    if (!code.includes(digest)) throw new Error(`the program does not know the digest of "${key}"`);
  }
  requireOnce(section.parts);
  const sizeOf = (isWanted: (part: EmbeddedPart) => boolean): number =>
    section.parts.filter(isWanted).reduce((sum, { content }) => sum + content.length, 0);
  const runtime = statSync(join(packageFolder(target.runtimePackage), target.runtimeFile)).size;
  const inSection = {
    tokenVectors: sizeOf(({ name }) => name === "token-vectors.bin"),
    tokenCounter: sizeOf(({ name }) => name === "o200k_base.bin"),
    parser: sizeOf(({ name }) => name === "binding.library"),
    grammars: sizeOf(({ name }) => name.endsWith(".library") && name !== "binding.library"),
    javaScript: sizeOf(isCode),
    bytecode:
      section.sharedBytecodeBytes +
      section.parts.reduce((sum, { bytecodeBytes }) => sum + bytecodeBytes, 0),
  };
  const known = Object.values(inSection).reduce((sum, size) => sum + size, runtime);
  const total = bytes.length;
  return {
    sizes: { runtime, ...inSection, rest: total - known, total },
    grammarCount: libraries.length - 1,
    signedPageCount: target.system === "darwin" ? checkedPages(bytes) : 0,
  };
}

function isCode({ name }: EmbeddedPart): boolean {
  return !/\.(bin|library)$/.test(name);
}

function requireMachine(
  bytes: Buffer,
  { target, what }: { readonly target: Target; readonly what: string },
): void {
  const machine = machineOf(bytes);
  if (machine?.system === target.system && machine.processor === target.processor) return;
  const found = machine === undefined ? "unknown" : `${machine.system}-${machine.processor}`;
  throw new Error(`"${what}" is for ${found}, wanted ${target.system}-${target.processor}`);
}

/** Small files may be equal: modules that only pass on what another one exports. */
const repeatedBytesMax = 1000;

function requireOnce(parts: readonly EmbeddedPart[]): void {
  const names = new Map<string, string>();
  for (const { name, content } of parts) {
    if (content.length <= repeatedBytesMax) continue;
    const digest = createHash("sha256").update(content).digest("hex");
    const other = names.get(digest);
    if (other !== undefined) throw new Error(`"${name}" is the same as "${other}"`);
    names.set(digest, name);
  }
}

import { readFileSync } from "node:fs";
import process from "node:process";
import { main } from "./cli/index.ts";
import { useThreadModule } from "./system/index.ts";
import {
  cacheFolders,
  type EmbeddedFile,
  type GrammarName,
  type IntegrityCheck,
  grammarSymbol,
  MemoryFiles,
  type NativeBinding,
  type NativeFiles,
  unpackFile,
  useNativeFiles,
} from "./native/index.ts";

/** The native libraries that the build put into the executable. */
export interface EmbeddedLibraries {
  readonly binding: EmbeddedFile;
  /** Those that there are for the executable's platform. */
  readonly grammars: { readonly [Name in GrammarName]?: EmbeddedFile };
}

/**
 * Entry of the one-file executable: as on Node, but native code comes out of the executable itself, unpacked to the
 * first cache folder that it can be loaded from. Its threads begin here too.
 *
 * @param libraries What the build embedded.
 * @param addresses Of the modules that threads begin with: the one that calls this, and one that calls `serveLook`.
 */
export function runExecutable(
  libraries: EmbeddedLibraries,
  addresses: { readonly own: URL; readonly look: URL },
): void {
  useNativeFiles(unpackedFiles(libraries, process.env));
  if (!runtime().isMainThread) {
    // Loaded only here: most answers need nothing of the index.
    void import("./store/index.ts").then(async ({ serveThread }) => await serveThread());
    return;
  }
  useThreadModule(addresses.own, addresses.look);
  // What runs for a tenth of a second ends before most of what would be compiled is of use: a fifth of the processor time.
  if (![process.argv0, ...process.argv.slice(1)].some((word) => lastingCommand.test(word)))
    runtime().unsafe.setJITPolicy(shortRunScale);
  main();
}

/** The names of commands that last; of any other word that ends so nothing else depends. */
const lastingCommand =
  /^(?:.*[/\\])?(?:codetool-)?(?:batch|bench|bench-ndcg|index|mcp|run|serve)(?:\.exe)?$/;
/** How many times as often a function has to run before it is compiled. */
const shortRunScale = 30;

/** A place that libraries are unpacked to; each function gives the path of a file. */
interface UnpackingPlace {
  readonly name: string;
  readonly bindingPath: (file: EmbeddedFile) => string;
  readonly grammarPath: (file: EmbeddedFile, grammar: WantedGrammar) => string;
  readonly onRegistered?: () => void;
}

interface WantedGrammar {
  readonly name: GrammarName;
  /** All are loaded at once: reading those of other languages would take longer than parsing this one's text. */
  readonly check: IntegrityCheck;
}

/** Unpacks on first use; answers that need no parser write nothing. */
export function unpackedFiles(
  libraries: EmbeddedLibraries,
  environment: { readonly [name: string]: string | undefined },
): NativeFiles {
  let place: UnpackingPlace | undefined;
  return {
    loadBinding: () => {
      const failures: string[] = [];
      for (const candidate of unpackingPlaces(environment)) {
        try {
          const loaded = loadLibrary(candidate.bindingPath(libraries.binding));
          place = candidate;
          return loaded;
        } catch (error) {
          const reason = error instanceof Error ? error.message : String(error);
          failures.push(`${candidate.name}: ${reason}`);
        }
      }
      throw new Error(
        `no folder to unpack the parser to; set CODETOOL_CACHE_DIR to one that programs can be run from (${failures.join("; ")})`,
      );
    },
    hasGrammar: (grammar) => libraries.grammars[grammar] !== undefined,
    grammarPath: (grammar, { isWanted }) => {
      const file = libraries.grammars[grammar];
      if (file === undefined || place === undefined)
        throw new Error(`no grammar of ${grammar} in this executable`);
      return place.grammarPath(file, { name: grammar, check: isWanted ? "content" : "stamp" });
    },
    onRegistered: () => place?.onRegistered?.(),
  };
}

/** In the order that they are tried. */
function unpackingPlaces(environment: {
  readonly [name: string]: string | undefined;
}): UnpackingPlace[] {
  const contentOf = contentOfFile;
  const folders = cacheFolders(environment).map((folder): UnpackingPlace => {
    const options = { folder, digestOf: digestOfFile, contentOf };
    return {
      name: `"${folder}"`,
      bindingPath: (file) => unpackFile(file, options),
      grammarPath: (file, { check }) => unpackFile(file, { ...options, check }),
    };
  });
  const files = new MemoryFiles({ digestOf: digestOfBytes, contentOf });
  const memory: UnpackingPlace = {
    name: "memory",
    bindingPath: (file) => files.pathOf(file),
    grammarPath: (file, { name }) => files.namedPathOf(file, grammarSymbol(name)),
    onRegistered: () => files.removeNames(),
  };
  return [...folders, memory];
}

function loadLibrary(path: string): NativeBinding {
  const module: { exports: unknown } = { exports: {} };
  // Unlike `require`, it takes a path that is no name of a file in memory.
  process.dlopen(module, path);
  return module.exports as NativeBinding;
}

/** What this file uses of the runtime that the executable is built on. */
interface Runtime {
  readonly isMainThread: boolean;
  /** A scale of 1 is what it begins with. */
  readonly unsafe: { readonly setJITPolicy: (scale: number) => void };
  readonly hash: { readonly xxHash3: (bytes: Uint8Array) => bigint };
  readonly mmap: (path: string) => Uint8Array;
  readonly zstdDecompressSync: (bytes: Uint8Array) => Uint8Array;
}

/** Asked instead of "node:worker_threads", whose loading takes longer than the rest of the start. */
function runtime(): Runtime {
  return (globalThis as unknown as { readonly Bun: Runtime }).Bun;
}

/** Reads through the page cache without a copy: a millisecond for the parser's nine megabytes, a tenth of SHA-256. */
function digestOfFile(path: string): string {
  return digestOfBytes(process.platform === "win32" ? readFileSync(path) : runtime().mmap(path));
}

function digestOfBytes(bytes: Uint8Array): string {
  return runtime().hash.xxHash3(bytes).toString(16).padStart(16, "0");
}

function contentOfFile({ path }: EmbeddedFile): Uint8Array {
  return runtime().zstdDecompressSync(readFileSync(path));
}

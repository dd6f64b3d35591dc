import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import process from "node:process";
import { main } from "./cli/index.ts";
import { useThreadModule } from "./system/index.ts";
import {
  cacheFolders,
  type EmbeddedFile,
  type GrammarName,
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
 * @param address Of the module that calls this, for threads.
 */
export function runExecutable(libraries: EmbeddedLibraries, address: URL): void {
  useNativeFiles(unpackedFiles(libraries, process.env));
  if (!runtime().isMainThread) {
    // Loaded only here: most answers need nothing of the index.
    void import("./store/index.ts").then(async ({ serveThread }) => await serveThread());
    return;
  }
  useThreadModule(address);
  main();
}

/** Unpacks on first use; answers that need no parser write nothing. */
export function unpackedFiles(
  libraries: EmbeddedLibraries,
  environment: { readonly [name: string]: string | undefined },
): NativeFiles {
  let folder = "";
  return {
    loadBinding: () => {
      const failures: string[] = [];
      for (const candidate of cacheFolders(environment)) {
        try {
          const loaded = loadLibrary(
            unpackFile(libraries.binding, { folder: candidate, digestOf: digestOfFile }),
          );
          folder = candidate;
          return loaded;
        } catch (error) {
          failures.push(
            `"${candidate}": ${error instanceof Error ? error.message : String(error)}`,
          );
        }
      }
      throw new Error(
        `no folder to unpack the parser to; set CODETOOL_CACHE_DIR to one that programs can be run from (${failures.join("; ")})`,
      );
    },
    hasGrammar: (grammar) => libraries.grammars[grammar] !== undefined,
    grammarPath: (grammar, { isWanted }) => {
      const file = libraries.grammars[grammar];
      if (file === undefined) throw new Error(`no grammar of ${grammar} in this executable`);
      // All are loaded at once: reading those of other languages would take longer than parsing this one's text.
      const check = isWanted ? "content" : "stamp";
      return unpackFile(file, { folder, digestOf: digestOfFile, check });
    },
  };
}

function loadLibrary(path: string): NativeBinding {
  return createRequire(import.meta.url)(path) as NativeBinding;
}

/** What this file uses of the runtime that the executable is built on. */
interface Runtime {
  readonly isMainThread: boolean;
  readonly hash: { readonly xxHash3: (bytes: Uint8Array) => bigint };
  readonly mmap: (path: string) => Uint8Array;
}

/** Asked instead of "node:worker_threads", whose loading takes longer than the rest of the start. */
function runtime(): Runtime {
  return (globalThis as unknown as { readonly Bun: Runtime }).Bun;
}

/** Reads through the page cache without a copy: a millisecond for the parser's nine megabytes, a tenth of SHA-256. */
function digestOfFile(path: string): string {
  const { hash, mmap } = runtime();
  const bytes = process.platform === "win32" ? readFileSync(path) : mmap(path);
  return hash.xxHash3(bytes).toString(16).padStart(16, "0");
}

import { spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";
import process from "node:process";
import { constants, zstdCompressSync } from "node:zlib";
import { grammarNames } from "../../codetool/src/native/binding.ts";
import { packagedGrammar } from "../../codetool/src/native/packaged-grammar.ts";
import { root } from "../test-files.ts";
import { packageFolder } from "./locked-package.ts";
import { machineOf } from "./machine-of.ts";
import { signed } from "./macho-signature.ts";
import { type Target, targetHere } from "./targets.ts";

const load = createRequire(join(root, "codetool", "package.json"));
const { xxhash3 } = load("hash-wasm") as { xxhash3: (content: Uint8Array) => Promise<string> };

/** A native library that goes into an executable. */
export interface NativeLibrary {
  /** `binding` for the parser's, else the grammar's name. */
  readonly key: string;
  /** The name that it is unpacked to. */
  readonly name: string;
  readonly content: Buffer;
  /** XXH3 of the content, 16 hexadecimal digits. */
  readonly digest: string;
}

/** Of the files that are embedded as they are, in `codetool/assets`. */
export const assetNames = ["o200k_base.bin", "token-vectors.bin"] as const;

/** Flags for the compiler. Files of the folder it is run in must not reach into the program: a preload there would be run. */
const compilerFlags = [
  "--compile",
  "--minify",
  "--bytecode",
  // What is imported on demand is loaded on demand.
  "--splitting",
  "--format=esm",
  "--no-compile-autoload-dotenv",
  "--no-compile-autoload-bunfig",
  "--no-compile-autoload-tsconfig",
  "--no-compile-autoload-package-json",
  "--asset-naming=[name].[ext]",
];

/** What is said of the build. */
export type Say = (text: string) => void;

/**
 * Gathers the native libraries of a platform: the parser's first, then those of the grammars that are published for it.
 *
 * @throws Error when the parser's is missing or is for another platform.
 */
export async function nativeLibraries(target: Target, say: Say): Promise<readonly NativeLibrary[]> {
  const isForTarget = (content: Buffer): boolean => {
    const machine = machineOf(content);
    return machine?.system === target.system && machine.processor === target.processor;
  };
  const folder = packageFolder(target.parserPackage);
  const [binding] = globSync("*.node", { cwd: folder });
  const content = binding === undefined ? undefined : readFileSync(join(folder, binding));
  if (binding === undefined || content === undefined || !isForTarget(content))
    throw new Error(`${target.parserPackage} has no library for ${target.name}`);
  const libraries = [{ key: "binding", name: binding, content, digest: await xxhash3(content) }];
  const machine = { platform: target.system, arch: target.processor };
  for (const key of grammarNames()) {
    const path = packagedGrammar(key, load, machine);
    const grammar = path === null ? undefined : readFileSync(path);
    if (grammar === undefined) say(`no grammar of ${key} for ${target.name}`);
    else if (!isForTarget(grammar)) {
      const { system, processor } = machineOf(grammar) ?? { system: "no", processor: "system" };
      say(`the grammar of ${key} for ${target.name} is one for ${system}-${processor}: left out`);
    } else {
      const digest = await xxhash3(grammar);
      libraries.push({ key, name: `${key}.so`, content: grammar, digest });
    }
  }
  return libraries;
}

/**
 * Libraries are read only when they are unpacked, once for each user: they can be small. That takes seconds, so it is
 * kept for the next build.
 */
export function compressedLibrary({ content, digest }: NativeLibrary): Buffer {
  const kept = join(root, "node_modules", ".cache", "executable", `${digest}.zst`);
  if (existsSync(kept)) return readFileSync(kept);
  const params = { [constants.ZSTD_c_compressionLevel]: 19 };
  const bytes = zstdCompressSync(content, { params });
  mkdirSync(dirname(kept), { recursive: true });
  const temporary = `${kept}.${process.pid}`;
  writeFileSync(temporary, bytes);
  renameSync(temporary, kept);
  return bytes;
}

/** The file of the second entry, for threads. */
const lookEntry = "look.ts";

/** Where threads begin that look at the stamps of a tree: a module that loads little. */
function lookEntryText(): string {
  const path = join(root, "codetool", "src", "store", "folder", "serve-look.ts");
  return `import { serveLook } from ${JSON.stringify(path)};\nserveLook();\n`;
}

/** The program's entry: imports of files become files inside of the executable. */
function entryText(libraries: readonly NativeLibrary[], copyOf: (key: string) => string): string {
  const describe = ({ key, name, digest, content }: NativeLibrary): string =>
    `{ name: ${JSON.stringify(name)}, path: ${key}Path, digest: "${digest}", sizeBytes: ${content.length} }`;
  const [binding, ...grammars] = libraries;
  if (binding === undefined) throw new Error("no library to embed");
  const source = (path: string): string => JSON.stringify(join(root, "codetool", path));
  return [
    ...assetNames.map((name) => `import ${source(`assets/${name}`)} with { type: "file" };`),
    ...libraries.map(
      ({ key }) => `import ${key}Path from ${JSON.stringify(copyOf(key))} with { type: "file" };`,
    ),
    `import { answerVersion } from ${source("src/cli/answer-version.ts")};`,
    "if (!answerVersion()) {",
    // Loaded here and not before: half of the time of an answer that needs nothing is that of its loading.
    `  const { runExecutable } = await import(${source("src/executable.ts")});`,
    `  runExecutable({ binding: ${describe(binding)}, grammars: {`,
    ...grammars.map((file) => `    ${file.key}: ${describe(file)},`),
    `  } }, { own: new URL(import.meta.url), look: new URL("./${lookEntry}", import.meta.url) });`,
    "}",
    "",
  ].join("\n");
}

/** Where an executable is built, and for which platform. */
export interface ExecutableBuild {
  readonly target: Target;
  /** Absolute path of the file. Programs that run an old one there keep it. */
  readonly path: string;
  readonly say: Say;
  /** Absolute path of a file for the compiler's list of what went into it. */
  readonly metafile?: string;
}

/**
 * Builds codetool as one file. The same sources and packages give the same bytes.
 *
 * @throws Error when a part is missing, or the compiler fails.
 */
export async function buildExecutable(build: ExecutableBuild): Promise<void> {
  const { target, path, metafile } = build;
  const compilerTarget = targetHere();
  if (compilerTarget === undefined)
    throw new Error(`there is no compiler for ${process.platform}-${process.arch}`);
  const compiler = join(packageFolder(compilerTarget.runtimePackage), compilerTarget.runtimeFile);
  const runtime = join(packageFolder(target.runtimePackage), target.runtimeFile);
  if (!existsSync(compiler) || !existsSync(runtime))
    throw new Error(`there is no compiler for ${target.name}: wanted "${runtime}"`);
  // Of this process: tests and benches may build at the same time.
  const folder = `${path}.${process.pid}`;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  try {
    const libraries = await nativeLibraries(target, build.say);
    // Under a name that the compiler does not take for a module.
    const copyOf = (key: string): string => join(folder, `${key}.library`);
    for (const library of libraries) writeFileSync(copyOf(library.key), compressedLibrary(library));
    const entry = join(folder, "codetool.ts");
    writeFileSync(entry, entryText(libraries, copyOf));
    writeFileSync(join(folder, lookEntry), lookEntryText());
    const built = join(folder, `codetool${target.suffix}`);
    const result = spawnSync(
      compiler,
      [
        "build",
        ...compilerFlags,
        `--target=${target.compilerName}`,
        `--compile-executable-path=${runtime}`,
        ...(metafile === undefined ? [] : [`--metafile=${metafile}`]),
        `--outfile=${built}`,
        entry,
        join(folder, lookEntry),
      ],
      { cwd: root, stdio: ["ignore", "pipe", "inherit"], encoding: "utf8" },
    );
    if (result.status !== 0) throw new Error(`the compiler failed:\n${result.stdout}`);
    // The compiler signs only programs for arm64, and leaves the runtime's signature, which holds no more, in others.
    if (target.system === "darwin" && target.processor === "x64")
      writeFileSync(built, signed(readFileSync(built), "codetool"));
    chmodSync(built, 0o755);
    renameSync(built, join(dirname(path), basename(path)));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

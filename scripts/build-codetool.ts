/**
 * Builds codetool as one executable file for this machine: `dist/codetool`. Everything is in it: the program as
 * bytecode, the parser and its grammars (unpacked to the user's cache on first use) and the table of the token counter.
 */
import { spawnSync } from "node:child_process";
import {
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join, relative } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { constants, zstdCompressSync } from "node:zlib";
import { grammarNames } from "../codetool/src/native/binding.ts";
import { packagedGrammar } from "../codetool/src/native/packaged-grammar.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const platform = `${process.platform}-${process.arch}`;
const bunPackages: { readonly [platform: string]: string } = {
  "linux-x64": "bun-linux-x64/bin/bun",
  "linux-arm64": "bun-linux-aarch64/bin/bun",
  "darwin-arm64": "bun-darwin-aarch64/bin/bun",
  "darwin-x64": "bun-darwin-x64/bin/bun",
  "win32-x64": "bun-windows-x64/bin/bun.exe",
};
// Of this process alone: tests and benches may build at the same time.
const buildFolder = join(root, "dist", `build-codetool-${process.pid}`);
const target = join(root, "dist", process.platform === "win32" ? "codetool.exe" : "codetool");

function fail(message: string): never {
  process.stderr.write(`build: ${message}\n`);
  process.exit(1);
}

function bunBinary(): string {
  const path = join(root, "node_modules", "@oven", bunPackages[platform] ?? "none");
  if (!existsSync(path))
    fail(`there is no compiler for ${platform}: wanted "${relative(root, path)}"`);
  return path;
}

/** The parser library of this machine, out of the one platform package that npm installed. */
function bindingPath(): string {
  const found = globSync(`node_modules/@ast-grep/napi-${platform}*/*.node`, { cwd: root });
  // Where both C libraries' packages are there, the executable's own is glibc's.
  const path = found.find((candidate) => !candidate.includes("musl")) ?? found[0];
  if (path === undefined) fail(`the parser has no library for ${platform}`);
  return join(root, path);
}

/**
 * Libraries are read only when they are unpacked, once for each user: they can be small. That takes seconds, so it is
 * kept for the next build.
 */
function compressed(content: Uint8Array, digest: string): Uint8Array {
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

/** The program's entry: imports of files become files inside of the executable. */
async function entryText(): Promise<string> {
  const load = createRequire(join(root, "codetool", "package.json"));
  const { xxhash3 } = load("hash-wasm") as { xxhash3: (content: Uint8Array) => Promise<string> };
  const files = [
    { key: "binding", name: basename(bindingPath()), path: bindingPath() },
    ...grammarNames().flatMap((grammar) => {
      const path = packagedGrammar(grammar, load);
      if (path === null) process.stderr.write(`build: no grammar of ${grammar} for ${platform}\n`);
      return path === null ? [] : [{ key: grammar, name: `${grammar}.so`, path }];
    }),
  ];
  const copies = await Promise.all(
    files.map(async (file) => {
      // Under a name of its own each, and none that the compiler takes for a module.
      const copy = join(buildFolder, `${file.key}.library`);
      const content = readFileSync(file.path);
      const digest = await xxhash3(content);
      writeFileSync(copy, compressed(content, digest));
      return { ...file, copy, digest, sizeBytes: content.length };
    }),
  );
  const describe = (file: (typeof copies)[number]): string =>
    `{ name: ${JSON.stringify(file.name)}, path: ${file.key}Path, digest: "${file.digest}", sizeBytes: ${file.sizeBytes} }`;
  const [binding, ...grammars] = copies;
  if (binding === undefined) fail("no library to embed");
  const assets = ["o200k_base.bin", "token-vectors.bin"].map((name) =>
    join(root, "codetool", "assets", name),
  );
  return [
    ...assets.map((path) => `import ${JSON.stringify(path)} with { type: "file" };`),
    ...copies.map(
      (file) => `import ${file.key}Path from ${JSON.stringify(file.copy)} with { type: "file" };`,
    ),
    `import { answerVersion } from ${JSON.stringify(join(root, "codetool/src/cli/answer-version.ts"))};`,
    "if (!answerVersion()) {",
    // Loaded here and not before: half of the time of an answer that needs nothing is that of its loading.
    `  const { runExecutable } = await import(${JSON.stringify(join(root, "codetool/src/executable.ts"))});`,
    `  runExecutable({ binding: ${describe(binding)}, grammars: {`,
    ...grammars.map((file) => `    ${file.key}: ${describe(file)},`),
    "  } }, new URL(import.meta.url));",
    "}",
    "",
  ].join("\n");
}

async function main(): Promise<void> {
  rmSync(buildFolder, { recursive: true, force: true });
  mkdirSync(buildFolder, { recursive: true });
  const entry = join(buildFolder, "codetool.ts");
  const built = join(buildFolder, basename(target));
  writeFileSync(entry, await entryText());
  const result = spawnSync(
    bunBinary(),
    [
      "build",
      "--compile",
      "--minify",
      "--bytecode",
      // What is imported on demand is loaded on demand.
      "--splitting",
      "--format=esm",
      // Files of the folder it is run in must not reach into the program: a preload there would be run.
      "--no-compile-autoload-dotenv",
      "--no-compile-autoload-bunfig",
      "--no-compile-autoload-tsconfig",
      "--no-compile-autoload-package-json",
      "--asset-naming=[name].[ext]",
      `--outfile=${built}`,
      entry,
    ],
    { cwd: root, stdio: ["ignore", "pipe", "inherit"], encoding: "utf8" },
  );
  if (result.status !== 0) {
    rmSync(buildFolder, { recursive: true });
    fail(`the compiler failed:\n${result.stdout}`);
  }
  // Programs that run the old file keep it.
  renameSync(built, target);
  rmSync(buildFolder, { recursive: true });
  const megabytes = (statSync(target).size / 1e6).toFixed(0);
  process.stderr.write(`build: ${relative(root, target)} for ${platform}, ${megabytes} MB\n`);
}

await main();

/** Bundles the JavaScript of one package, as it is published and as end-to-end tests run it. */
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import process from "node:process";
import { build } from "esbuild";
import { root } from "./test-files.ts";

/** The packages that are published. */
export const publishedPackages = ["agentrt", "codetool"] as const;

/** The name of a published package. */
export type PublishedPackage = (typeof publishedPackages)[number];

/** Files that a package ships in its dist folder as they are. */
const shippedFiles: { readonly [name in PublishedPackage]: readonly string[] } = {
  agentrt: ["docs/reference/topology.schema.json", "agentrt/src/gateway/grpc/agent.proto"],
  codetool: [],
};

/** Files that run on their own: the command line, and what a thread begins with. */
const innerEntries = [
  "src/cli/main.ts",
  "src/cli/running/loop-watch-main.ts",
  "src/store/gather/worker-main.ts",
  "src/telemetry/sqlite/writer-main.ts",
];

interface Manifest {
  readonly exports: {
    readonly [subpath: string]: string | { readonly "agentrt-source"?: string };
  };
}

/** The sources of what `exports` names and inner entries, those that are there. */
function entryPoints(folder: string): string[] {
  const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Manifest;
  const sources = Object.values(manifest.exports).flatMap((entry) =>
    typeof entry === "string" || entry["agentrt-source"] === undefined
      ? []
      : [entry["agentrt-source"].replace("./", "")],
  );
  const present = new Set(globSync([...sources, ...innerEntries], { cwd: folder }));
  for (const source of sources)
    if (!present.has(source)) process.stderr.write(`build: ${source} is not there yet\n`);
  return [...present].sort();
}

/** Makes a folder hold these files and no others. Files that are as wanted are not touched. */
export function writeFolder(folder: string, files: ReadonlyMap<string, Uint8Array>): void {
  for (const [path, content] of files) {
    if (existsSync(path) && readFileSync(path).equals(content)) continue;
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
  }
  for (const entry of globSync("**/*", { cwd: folder, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isFile() && !files.has(path)) rmSync(path);
  }
}

/**
 * Writes a package's JavaScript and the files that it ships next to it. Code that entry points share goes to `chunks`;
 * packages of others stay imports. What else is in the folder is removed.
 *
 * @param name The package.
 * @param outputFolder Where to, for example `<package>/dist`. The package's other files are expected next to it.
 */
export async function bundlePackage(name: PublishedPackage, outputFolder: string): Promise<void> {
  const folder = join(root, name);
  const { outputFiles } = await build({
    write: false,
    absWorkingDir: folder,
    entryPoints: entryPoints(folder),
    outdir: outputFolder,
    outbase: "src",
    // Two levels below the package, as the sources are: relative addresses of assets hold for both.
    chunkNames: "chunks/[name]-[hash]",
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node24",
    packages: "external",
    conditions: ["agentrt-source"],
    legalComments: "none",
    logLevel: "warning",
  });
  const files = new Map<string, Uint8Array>(
    outputFiles.map(({ path, contents }) => [path, contents]),
  );
  for (const path of shippedFiles[name])
    files.set(join(outputFolder, basename(path)), readFileSync(join(root, path)));
  writeFolder(outputFolder, files);
}

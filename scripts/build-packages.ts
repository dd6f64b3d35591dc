/**
 * Builds what the npm packages ship: JavaScript and declarations in `<package>/dist`. Node refuses TypeScript below
 * `node_modules`, so a package that was installed cannot run its sources.
 *
 * JavaScript is bundled by entry point, with code that entries share in `dist/chunks`; packages of others stay imports.
 * Arguments: names of packages; without any, all that are published.
 */
import { spawnSync } from "node:child_process";
import { copyFileSync, globSync, readFileSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const root = fileURLToPath(new URL("..", import.meta.url));
const publishedPackages = ["agentrt", "codetool"] as const;
/** Files that a package ships in its dist folder as they are. */
const shippedFiles: { readonly [name in (typeof publishedPackages)[number]]: readonly string[] } = {
  agentrt: ["docs/reference/topology.schema.json", "agentrt/src/gateway/grpc/agent.proto"],
  codetool: [],
};

/** Files that run on their own: the command line, and what a thread begins with. */
const innerEntries = ["src/cli/main.ts", "src/store/gather/worker-main.ts"];

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

async function bundle(folder: string): Promise<void> {
  await build({
    absWorkingDir: folder,
    entryPoints: entryPoints(folder),
    outdir: "dist",
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
}

function writeDeclarations(folder: string): boolean {
  const compiler = join(root, "node_modules", "typescript", "bin", "tsc");
  const result = spawnSync(
    process.execPath,
    [compiler, "-p", join(folder, "tsconfig.build.json")],
    {
      cwd: root,
      stdio: ["ignore", 2, 2],
    },
  );
  return result.status === 0;
}

async function main(): Promise<number> {
  const wanted = process.argv.slice(2);
  const unknown = wanted.find((name) => !publishedPackages.some((known) => known === name));
  if (unknown !== undefined) {
    process.stderr.write(
      `build: there is no package "${unknown}": ${publishedPackages.join(", ")}\n`,
    );
    return 2;
  }
  for (const name of publishedPackages) {
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    const startedMs = performance.now();
    const folder = join(root, name);
    rmSync(join(folder, "dist"), { recursive: true, force: true });
    await bundle(folder);
    for (const path of shippedFiles[name])
      copyFileSync(join(root, path), join(folder, "dist", basename(path)));
    if (!writeDeclarations(folder)) return 1;
    process.stderr.write(
      `build: ${name}/dist in ${((performance.now() - startedMs) / 1000).toFixed(1)} s\n`,
    );
  }
  return 0;
}

process.exitCode = await main();

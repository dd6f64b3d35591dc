/** Bundles the JavaScript of one package, as it is published and as end-to-end tests run it. */
import { copyFileSync, globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
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

/**
 * Writes a package's JavaScript and the files that it ships next to it. Code that entry points share goes to `chunks`;
 * packages of others stay imports.
 *
 * @param name The package.
 * @param outputFolder Where to, for example `<package>/dist`. The package's other files are expected next to it.
 */
export async function bundlePackage(name: PublishedPackage, outputFolder: string): Promise<void> {
  const folder = join(root, name);
  await build({
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
  for (const path of shippedFiles[name])
    copyFileSync(join(root, path), join(outputFolder, basename(path)));
}

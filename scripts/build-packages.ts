/**
 * Builds what the npm packages ship: JavaScript and declarations in `<package>/dist`. Node refuses TypeScript below
 * `node_modules`, so a package that was installed cannot run its sources.
 *
 * Arguments: names of packages; without any, all that are published.
 */
import { spawnSync } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { bundlePackage, publishedPackages } from "./bundle-package.ts";
import { root } from "./test-files.ts";

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
    await bundlePackage(name, join(folder, "dist"));
    if (!writeDeclarations(folder)) return 1;
    process.stderr.write(
      `build: ${name}/dist in ${((performance.now() - startedMs) / 1000).toFixed(1)} s\n`,
    );
  }
  return 0;
}

process.exitCode = await main();

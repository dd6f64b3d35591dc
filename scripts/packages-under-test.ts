/** The copies of the published packages that end-to-end tests start. */
import { cpSync, existsSync, mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { bundlePackage, publishedPackages } from "./bundle-package.ts";
import { keptFolder, root } from "./test-files.ts";

const folder = join(keptFolder, "packages");
/** What else of a package its program reads. Paths that this package lacks are left out. */
const linkedFolders: { readonly [name: string]: readonly string[] } = { codetool: ["assets"] };

/**
 * Builds both packages as they are published. A bundle starts in about half of the time that hundreds of source files
 * take. What is built already stays, so another run that uses it goes on.
 *
 * @returns The folder that holds `agentrt` and `codetool`, each with its launcher in `bin`.
 */
export async function buildPackagesUnderTest(): Promise<string> {
  for (const name of publishedPackages) {
    const copy = join(folder, name);
    mkdirSync(copy, { recursive: true });
    for (const path of ["package.json", "bin"])
      cpSync(join(root, name, path), join(copy, path), { recursive: true });
    for (const path of linkedFolders[name] ?? [])
      if (!existsSync(join(copy, path)))
        symlinkSync(join(root, name, path), join(copy, path), "junction");
    await bundlePackage(name, join(copy, "dist"));
  }
  return folder;
}

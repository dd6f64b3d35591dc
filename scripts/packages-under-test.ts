/** The copies of the published packages that end-to-end tests start. */
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { bundlePackage, publishedPackages, writeFolder } from "./bundle-package.ts";
import { keptFolder, root } from "./test-files.ts";

const folder = join(keptFolder, "packages");
/** What else of a package its program reads. Paths that this package lacks are left out. */
const linkedFolders: { readonly [name: string]: readonly string[] } = {
  agentrt: ["assets"],
  codetool: ["assets"],
};
/** Dependencies of which Node loads many files at each start, for a tenth of a second. */
const packedDependencies: readonly string[] = ["commander", "yaml", "zod"];

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
  await Promise.all(packedDependencies.map(packDependency));
  return folder;
}

/** Puts a dependency, of the version that is installed, next to the packages as one module. */
async function packDependency(name: string): Promise<void> {
  const names = Object.keys((await import(name)) as object).filter(
    (key) => key !== "module.exports",
  );
  const bindings = names.map((key, index) => `${key}: name${index}`).join(", ");
  const exported = names.map((key, index) => `name${index} as ${key}`).join(", ");
  const contents = `import * as all from "${name}";\nconst { ${bindings} } = all;\nexport { ${exported} };\n`;
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: root },
    write: false,
    bundle: true,
    format: "esm",
    platform: "node",
    // What came as CommonJS asks for Node's modules.
    banner: {
      js: `import { createRequire as requireFrom } from "node:module";\nconst require = requireFrom(import.meta.url);`,
    },
    logLevel: "warning",
  });
  const { version } = JSON.parse(
    readFileSync(join(root, "node_modules", name, "package.json"), "utf8"),
  ) as { readonly version: string };
  const manifest = JSON.stringify({ name, version, type: "module", exports: "./index.js" });
  const copy = join(folder, "node_modules", name);
  const files = outputFiles.map(({ contents: bytes }) => [join(copy, "index.js"), bytes] as const);
  writeFolder(copy, new Map([...files, [join(copy, "package.json"), Buffer.from(manifest)]]));
}

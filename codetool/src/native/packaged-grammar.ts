import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import process from "node:process";

const systems: { readonly [platform: string]: string } = {
  darwin: "macOS",
  linux: "Linux",
  win32: "Windows",
};

/** Grammars that come in a package of their own make, as an addon of Node. */
const addons: { readonly [grammar: string]: string } = {
  zig: "@tree-sitter-grammars/tree-sitter-zig",
};

/**
 * Finds the compiled grammar that a package of `node_modules` brings for a machine. The package's own answer is not
 * asked for: some name a file that only their install script would make.
 *
 * @param grammar The grammar's name, for example `"python"`.
 * @param load How modules are found.
 * @param machine As Node calls them; default: this machine's. That the file is what its name says is not looked at.
 * @returns `null` when the package has none for this platform.
 */
export function packagedGrammar(
  grammar: string,
  load: { readonly resolve: (name: string) => string },
  { platform, arch }: { readonly platform: string; readonly arch: string } = process,
): string | null {
  const addon = addons[grammar];
  if (addon !== undefined) {
    const file = `${addon.replace("/", "+")}.node`;
    const prebuilds = join(dirname(load.resolve(`${addon}/package.json`)), "prebuilds");
    const path = join(prebuilds, `${platform}-${arch}`, file);
    return existsSync(path) ? path : null;
  }
  const folder = dirname(load.resolve(`@ast-grep/lang-${grammar}/package.json`));
  const name = `${systems[platform]}-${arch.toUpperCase()}`;
  const paths = [
    join(folder, "prebuilds", `prebuild-${name}`, "parser.so"),
    join(folder, "parser.so"),
  ];
  return paths.find((path) => existsSync(path)) ?? null;
}

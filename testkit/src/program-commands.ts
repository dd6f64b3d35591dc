import { join } from "node:path";
import process from "node:process";
import { fileURLToPath, pathToFileURL } from "node:url";

/** The built packages that `E2E_PACKAGES` names; without them tests start the programs of this checkout. */
function builtPackages(): string | undefined {
  return process.env["E2E_PACKAGES"] || undefined;
}

/** The launcher of a package: in the built packages, or in this checkout. */
function launcherOf(name: string): string {
  const packages = builtPackages();
  return packages === undefined
    ? fileURLToPath(new URL(`../../${name}/bin/${name}.cjs`, import.meta.url))
    : join(packages, name, "bin", `${name}.cjs`);
}

/**
 * The launcher that end-to-end tests start agentrt with, under this Node. `npm test` lets it run the built package;
 * a test file that is run without it, the sources.
 */
export function agentrtLauncher(): string {
  return launcherOf("agentrt");
}

/**
 * The text of a program that imports `agentrt` or one of its subpaths, such as `agentrt/state`, with imports that lead to
 * what `agentrtLauncher()` runs, whatever folder the program is in.
 *
 * @param source The program's text.
 */
export function overAgentrt(source: string): string {
  const packages = builtPackages();
  return source.replaceAll(/(?<=\bfrom )"agentrt((?:\/\w+)?)"/g, (_, subpath: string) => {
    const url =
      packages === undefined
        ? new URL(`../../agentrt/src${subpath}/index.ts`, import.meta.url)
        : pathToFileURL(join(packages, "agentrt", "dist", subpath, "index.js"));
    return JSON.stringify(url.href);
  });
}

/** The launcher of codetool. A test of what the executable does too takes `codetoolCommand()`. */
export function codetoolLauncher(): string {
  return launcherOf("codetool");
}

/**
 * The program and first arguments that start codetool in end-to-end tests: the launcher under this Node, or the one-file
 * executable that `CODETOOL_E2E_BINARY` names.
 */
export function codetoolCommand(): { readonly command: string; readonly args: readonly string[] } {
  const binary = process.env["CODETOOL_E2E_BINARY"];
  if (binary !== undefined && binary !== "") return { command: binary, args: [] };
  return { command: process.execPath, args: [codetoolLauncher()] };
}

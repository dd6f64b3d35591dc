import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";

/** The launcher of a package: in the built packages that `E2E_PACKAGES` names, or in this checkout. */
function launcherOf(name: string): string {
  const packages = process.env["E2E_PACKAGES"];
  return packages === undefined || packages === ""
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

/** The same for codetool. A test of what the executable does too takes `codetoolCommand()`. */
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

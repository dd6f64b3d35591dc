import process from "node:process";
import { fileURLToPath } from "node:url";

/**
 * The program and first arguments that start codetool in end-to-end tests: the launcher under this Node, or the one-file
 * executable that `CODETOOL_E2E_BINARY` names.
 */
export function codetoolCommand(): { readonly command: string; readonly args: readonly string[] } {
  const binary = process.env["CODETOOL_E2E_BINARY"];
  if (binary !== undefined && binary !== "") return { command: binary, args: [] };
  const launcher = fileURLToPath(new URL("../../codetool/bin/codetool.cjs", import.meta.url));
  return { command: process.execPath, args: [launcher] };
}

import { existsSync, realpathSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import process from "node:process";
import { errors } from "../../envelope/index.ts";

/**
 * The words that start this program once more: the executable, or Node with its own options and the script.
 *
 * @throws invalid_argument where it was started by a link named after a command and has no other name next to that.
 */
export function ownProgram(): readonly string[] {
  const script = "Bun" in globalThis ? undefined : process.argv[1];
  if (script !== undefined) return [process.execPath, ...process.execArgv, realpathSync(script)];
  const link = /^codetool-[a-z][a-z-]*(\.exe)?$/.exec(basename(process.execPath));
  if (link === null) return [process.execPath];
  const named = join(dirname(process.execPath), `codetool${link[1] ?? ""}`);
  if (existsSync(named)) return [named];
  throw new errors.invalid_argument({
    argument: basename(process.execPath),
    reason: `a bench starts codetool itself, and there is no "${named}"`,
  });
}

import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

/** Tells where an import of this package leads, so that user code never gets a second copy of it. */
export interface RunningCopy {
  /** The package's name. */
  readonly name: string;
  /** The URL of a subpath such as `.` or `./testing`, or `undefined` when the package has no such export. */
  readonly urlOf: (subpath: string) => string | undefined;
}

/**
 * Finds the copy of the package that is running: its sources in a checkout, its built files in an installed package.
 *
 * @param moduleUrl The URL of a module of the package; by default this one.
 * @returns Where its exports are.
 */
export function findRunningCopy(moduleUrl: string = import.meta.url): RunningCopy {
  const path = fileURLToPath(moduleUrl);
  let folder = dirname(path);
  while (!existsSync(join(folder, "package.json")) && dirname(folder) !== folder)
    folder = dirname(folder);
  const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as {
    name: string;
    exports: { [subpath: string]: string | { [condition: string]: string } };
  };
  const condition = path.endsWith(".ts") ? "agentrt-source" : "default";
  return {
    name: manifest.name,
    urlOf: (subpath) => {
      const target = Object.hasOwn(manifest.exports, subpath)
        ? manifest.exports[subpath]
        : undefined;
      const file = typeof target === "string" ? target : target?.[condition];
      return file === undefined ? undefined : pathToFileURL(join(folder, file)).href;
    },
  };
}

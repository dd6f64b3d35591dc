import { readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { ReadScript } from "../../reports/index.ts";

/** Larger ones are not read. */
const manifestSizeBytesMax = 1024 * 1024;

/**
 * Reads scripts out of the nearest `package.json` upwards, as package managers do. A missing or broken file has
 * none.
 *
 * @param workingDirectory Absolute.
 */
export function packageScripts(workingDirectory: string): ReadScript {
  return (name, folder = ".") => {
    for (let at = resolve(workingDirectory, folder); ; at = dirname(at)) {
      const scripts = scriptsOf(join(at, "package.json"));
      if (scripts !== undefined)
        return typeof scripts[name] === "string" ? scripts[name] : undefined;
      if (at === dirname(at)) return undefined;
    }
  };
}

/** @returns `undefined` where there is no manifest. */
function scriptsOf(path: string): { readonly [name: string]: unknown } | undefined {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch {
    // None here: those above are looked at.
    return undefined;
  }
  if (text.length > manifestSizeBytesMax) return {};
  try {
    const { scripts } = JSON.parse(text) as { readonly scripts?: unknown };
    return typeof scripts === "object" && scripts !== null && !Array.isArray(scripts)
      ? (scripts as { readonly [name: string]: unknown })
      : {};
  } catch {
    // The package manager itself will report what is wrong with it.
    return {};
  }
}

/** Bundles the console's page: `agentrt/console` → `agentrt/assets/console`. */
import { basename, join } from "node:path";
import { build } from "esbuild";
import { root } from "./test-files.ts";

const licence = `/*! agentrt's console. Contains Preact, MIT License, Copyright (c) 2015-present Jason Miller. */`;

let bundled: Promise<ReadonlyMap<string, string>> | undefined;

/**
 * Bundles the script and the style of the console.
 *
 * @param name `console.js` or `console.css`.
 * @returns Its text.
 */
export async function renderConsoleFile(name: "console.js" | "console.css"): Promise<string> {
  bundled ??= bundleConsole();
  return (await bundled).get(name) ?? "";
}

async function bundleConsole(): Promise<ReadonlyMap<string, string>> {
  const { outputFiles } = await build({
    write: false,
    absWorkingDir: join(root, "agentrt"),
    entryPoints: { console: "console/main.tsx" },
    outdir: "assets/console",
    bundle: true,
    minify: true,
    format: "esm",
    platform: "browser",
    target: ["es2022", "chrome123", "firefox120", "safari17.5"],
    jsx: "automatic",
    jsxImportSource: "preact",
    // Without lines a change would be one line of everything.
    lineLimit: 120,
    charset: "utf8",
    legalComments: "none",
    banner: { js: licence },
    logLevel: "warning",
  });
  return new Map(outputFiles.map(({ path, text }) => [basename(path), text]));
}

/**
 * Builds codetool as one executable file: `dist/codetool` for this machine; with `--target=NAME`, `dist/NAME/codetool` for
 * another one. Everything is in it: the program as bytecode, the parser and its grammars (unpacked to the user's cache on
 * first use) and the tables of the token counter and of token vectors.
 */
import { mkdirSync, statSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { buildExecutable } from "./executable/build-executable.ts";
import { type Target, targetHere, targets } from "./executable/targets.ts";
import { root } from "./test-files.ts";

const say = (text: string): void => void process.stderr.write(`build: ${text}\n`);

function wantedTarget(name: string | undefined): Target {
  const target =
    name === undefined ? targetHere() : targets.find((candidate) => candidate.name === name);
  if (target !== undefined) return target;
  const names = targets.map((candidate) => candidate.name).join(", ");
  say(`there is no executable for ${name ?? `${process.platform}-${process.arch}`}, only ${names}`);
  process.exit(2);
}

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { target: { type: "string" } } });
  const target = wantedTarget(values.target);
  const folder = values.target === undefined ? "dist" : join("dist", target.name);
  const path = join(root, folder, `codetool${target.suffix}`);
  mkdirSync(dirname(path), { recursive: true });
  try {
    await buildExecutable({ target, path, say });
  } catch (error) {
    say(error instanceof Error ? error.message : String(error));
    process.exit(1);
  }
  const megabytes = (statSync(path).size / 1e6).toFixed(0);
  say(`${relative(root, path)} for ${target.name}, ${megabytes} MB`);
}

await main();

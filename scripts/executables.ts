/**
 * `npm run executables`: builds the executables of all platforms into `dist/<platform>/`, looks into each, runs those that
 * this machine can run, and writes the table of their sizes to `docs/reference/executables.md`. Exit 1: something is wrong with one.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { examineExecutable, type ExaminedExecutable } from "./executable/examine-executable.ts";
import { renderSizes } from "./executable/render-sizes.ts";
import { targets } from "./executable/targets.ts";
import { root } from "./test-files.ts";

const say = (text: string): void => void process.stderr.write(`executables: ${text}\n`);

const executables: ExaminedExecutable[] = [];
for (const target of targets) executables.push(await examineExecutable(target, say));
writeFileSync(join(root, "docs", "reference", "executables.md"), renderSizes(executables));

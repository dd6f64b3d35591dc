/**
 * Keeps the architecture, for all folders of both packages:
 *
 * - a folder imports only what its row of `layers.json` names;
 * - a folder is entered through its `index.ts`;
 * - no file and no folder imports itself by way of others; imports of types count;
 * - a folder holds at most `rooms.fileCountMax` files side by side;
 * - clock, timers and randomness are read only in the files under `world`.
 *
 * Prints `file:line: what and why`, and exits with 1 where there is a fault. An argument narrows what is printed to
 * the files whose path begins with it.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { checkRows } from "./check-layers/architecture-rows.ts";
import { checkFileCycles, checkFolderCycles } from "./check-layers/cycle-rule.ts";
import { checkDoors } from "./check-layers/door-rule.ts";
import { checkLayer } from "./check-layers/layer-rule.ts";
import { readLayers } from "./check-layers/layers.ts";
import { checkRooms } from "./check-layers/room-rule.ts";
import { readRoot } from "./check-layers/source-files.ts";
import { checkWorld } from "./check-layers/world-rule.ts";

const repository = fileURLToPath(new URL("..", import.meta.url));
const layers = readLayers(join(repository, "layers.json"));
const architecture = readFileSync(join(repository, "ARCHITECTURE.md"), "utf8");

const faults: string[] = [];
let fileCount = 0;
for (const root of Object.keys(layers.roots)) {
  const files = readRoot(repository, root);
  fileCount += files.length;
  const found = [
    ...files.flatMap((file) => [
      ...checkLayer(file, layers),
      ...checkDoors(file),
      ...checkWorld(file, layers),
    ]),
    ...checkRooms(files, layers),
    ...checkFileCycles(files),
    ...checkFolderCycles(files),
  ];
  faults.push(...found.map(({ path, line1, message }) => `${root}/${path}:${line1}: ${message}`));
  faults.push(...checkRows(root, files, { layers, architecture }));
}
if (fileCount === 0) faults.push("layers.json:1: no source file was found to check");
const prefix = process.argv[2] ?? "";
const shown = faults.filter((fault) => fault.startsWith(prefix));
for (const fault of shown) process.stdout.write(`${fault}\n`);
process.stdout.write(`layers: ${fileCount} files, ${shown.length} faults\n`);
process.exitCode = shown.length === 0 ? 0 : 1;

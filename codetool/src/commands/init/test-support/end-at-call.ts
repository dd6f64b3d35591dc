import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import process from "node:process";

/**
 * Loaded before a program: kills it at the n-th of its calls that change the disk, before the call is made. `END_AT` says which;
 * the program never gets beyond it, not even to what it does at its end.
 */
const endAt = Number(process.env["END_AT"]);
let count = 0;

type Call = (...parameters: unknown[]) => unknown;

const changing = [
  "writeFileSync",
  "renameSync",
  "linkSync",
  "rmSync",
  "rmdirSync",
  "mkdirSync",
  "chmodSync",
  "writeSync",
] as const;
const module = fs as unknown as { [name: string]: Call };
for (const name of changing) {
  const call = module[name] as Call;
  module[name] = (...parameters) => {
    // The output is not on the disk.
    const isOutput = name === "writeSync" && parameters[0] === 1;
    if (!isOutput) count += 1;
    if (count === endAt) process.kill(process.pid, "SIGKILL");
    return call(...parameters);
  };
}
syncBuiltinESMExports();

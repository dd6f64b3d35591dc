// `npm run bench:search -- <folder of datasets> <folder of trees>`: set-up, then NDCG@10 under the pinned Node; with
// `--labels --sources=<folder>`, the places shown for the labelled questions; with `--messages --sources=<folder>`, those
// shown for printed messages.
import process from "node:process";
import { runPinned, setUp } from "./setup.mjs";

setUp();
const given = process.argv.slice(2);
const scripts = [
  ["--labels", "lab/labels/judge.ts"],
  ["--messages", "lab/messages/measure.ts"],
];
const script = scripts.find(([flag]) => given.includes(flag))?.[1] ?? "scripts/bench-search.ts";
process.exit(await runPinned([script, ...given]));

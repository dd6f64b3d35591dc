// `npm run bench:search -- <folder of datasets> <folder of trees>`: set-up, then NDCG@10 under the pinned Node; with
// `--labels --sources=<folder>`, the places shown for the labelled questions.
import process from "node:process";
import { runPinned, setUp } from "./setup.mjs";

setUp();
const given = process.argv.slice(2);
const script = given.includes("--labels") ? "lab/labels/judge.ts" : "scripts/bench-search.ts";
process.exit(await runPinned([script, ...given]));

// `npm run bench:search -- <folder of datasets> <folder of trees>`: set-up, then NDCG@10 under the pinned Node.
import process from "node:process";
import { runPinned, setUp } from "./setup.mjs";

setUp();
process.exit(await runPinned(["scripts/bench-search.ts", ...process.argv.slice(2)]));

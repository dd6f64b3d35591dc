// `npm run scaling [-- --measure]`: set-up, then the simulation under the pinned Node.
import process from "node:process";
import { runPinned, setUp } from "../scripts/setup.mjs";

setUp();
process.exit(
  await runPinned([
    "--max-old-space-size=4096",
    "--conditions=agentrt-source",
    "lab/scaling.ts",
    ...process.argv.slice(2),
  ]),
);

// `npm run token-economy -- <folder of checkouts>`: set-up, then the comparison under the pinned Node.
import process from "node:process";
import { runPinned, setUp } from "../scripts/setup.mjs";

setUp();
process.exit(
  await runPinned([
    "--conditions=agentrt-source",
    "lab/token-economy.ts",
    ...process.argv.slice(2),
  ]),
);

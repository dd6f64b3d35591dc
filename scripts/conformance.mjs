// `npm run conformance [-- <judge> …]`: set-up, then the judges under the pinned Node.
import process from "node:process";
import { runPinned, setUp } from "./setup.mjs";

setUp();
process.exit(
  await runPinned([
    "--conditions=agentrt-source",
    "scripts/conformance.ts",
    ...process.argv.slice(2),
  ]),
);

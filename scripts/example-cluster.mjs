// `npm run example:cluster [-- <words of agentrt run>]`: set-up, then the triage example as a broker, a supervisor and two workers.
import process from "node:process";
import { runPinned, setUp } from "./setup.mjs";

setUp();
process.exit(
  await runPinned([
    "--conditions=agentrt-source",
    "scripts/example-cluster.ts",
    ...process.argv.slice(2),
  ]),
);

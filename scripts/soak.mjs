// `npm run soak -- <name> [--rounds=<count>]`: set-up, then the named soak under the pinned Node.
import process from "node:process";
import { runPinned, setUp } from "./setup.mjs";

setUp();
process.exit(
  await runPinned(["--conditions=agentrt-source", "scripts/soak.ts", ...process.argv.slice(2)]),
);

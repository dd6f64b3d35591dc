// `npm run bench -- <name>… [--quick]`: set-up, then the named benches under the pinned Node.
import { runPinned, setUp } from "./setup.mjs";

setUp();
process.exit(
  await runPinned([
    "--expose-gc",
    "--conditions=agentrt-source",
    "bench/run.ts",
    ...process.argv.slice(2),
  ]),
);

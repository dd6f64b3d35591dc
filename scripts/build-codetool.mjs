// `npm run build:codetool`: set-up, then the one-file executable for this machine, `dist/codetool`.
import { runPinned, setUp } from "./setup.mjs";

setUp();
process.exit(
  await runPinned([
    "--conditions=agentrt-source",
    "scripts/build-codetool.ts",
    ...process.argv.slice(2),
  ]),
);

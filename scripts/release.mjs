// `npm run release [-- <platform> …]`: set-up, then archives of the executables, checksums and bills of materials.
import process from "node:process";
import { runPinned, setUp } from "./setup.mjs";

setUp();
process.exit(
  await runPinned(["--conditions=agentrt-source", "scripts/release.ts", ...process.argv.slice(2)]),
);

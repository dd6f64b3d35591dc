// `npm run executables`: set-up, then the executables of all platforms, built and looked into.
import { runPinned, setUp } from "./setup.mjs";

setUp();
process.exit(await runPinned(["--conditions=agentrt-source", "scripts/executables.ts"]));

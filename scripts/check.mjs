// `npm run check`: set-up, then every check in the order of CONTRIBUTING.md, under the pinned Node.
import { runPinned, setUp } from "./setup.mjs";

setUp();
process.exit(await runPinned(["scripts/run-checks.ts", ...process.argv.slice(2)]));

// `npm run coverage`: set-up, then all tests, and the share of the lines that they ran.
import { runPinned, setUp } from "./setup.mjs";

setUp({ servers: true });
process.exit(await runPinned(["scripts/coverage.ts", ...process.argv.slice(2)]));

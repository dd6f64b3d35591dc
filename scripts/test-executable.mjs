// `npm run test:executable`: set-up, then codetool's end-to-end tests on a one-file executable built just now.
import { runPinned, setUp } from "./setup.mjs";

setUp({ servers: true });
process.exit(await runPinned(["scripts/run-tests.ts", "--executable", ...process.argv.slice(2)]));

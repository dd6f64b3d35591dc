// `npm test`: set-up, then all tests, under the pinned Node. Arguments: paths or parts of paths of test files.
import { runPinned, setUp } from "./setup.mjs";

setUp({ servers: true });
process.exit(await runPinned(["scripts/run-tests.ts", ...process.argv.slice(2)]));

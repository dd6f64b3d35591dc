// `npm run test:long`: set-up, then the long suite of the tests. Arguments: as for `npm test`.
import { runPinned, setUp } from "./setup.mjs";

setUp({ servers: true });
process.exit(await runPinned(["scripts/run-tests.ts", "--long", ...process.argv.slice(2)]));

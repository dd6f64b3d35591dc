// `npm run build [-- <package>…]`: set-up, then JavaScript and declarations of the packages into their dist folders.
import { runPinned, setUp } from "./setup.mjs";

setUp();
process.exit(await runPinned(["scripts/build-packages.ts", ...process.argv.slice(2)]));

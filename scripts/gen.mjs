// `npm run gen`: regenerates the committed generated files (pages of errors and others).
import { runPinned, setUp } from "./setup.mjs";

setUp();
process.exit(await runPinned(["scripts/generate.ts", ...process.argv.slice(2)]));

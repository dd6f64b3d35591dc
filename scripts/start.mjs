// `npm start`: set-up, then the demo under the pinned Node. `npm start -- --once` runs its scripted round and ends.
import { runPinned, setUp } from "./setup.mjs";

setUp();
process.exit(await runPinned(["examples/librarian/demo.ts", ...process.argv.slice(2)]));

// `npm run test:clean-root`: set-up, then codetool's executable in a Debian root that has nothing else in it.
import { runPinned, setUp } from "./setup.mjs";

setUp({ cleanRoot: true });
const built = await runPinned(["--conditions=agentrt-source", "scripts/build-codetool.ts"]);
const flags = ["--conditions=agentrt-source", "--disable-warning=ExperimentalWarning"];
process.exit(
  built === 0
    ? await runPinned([...flags, "--test", "scripts/clean-root.ts", ...process.argv.slice(2)])
    : built,
);

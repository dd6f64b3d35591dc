// `npm run test:executable`: set-up, then codetool's end-to-end tests on a one-file executable built just now.
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { root, runPinned, setUp } from "./setup.mjs";

setUp({ servers: true });
const buildCode = runPinned(["--conditions=agentrt-source", "scripts/build-codetool.ts"]);
if (buildCode !== 0) process.exit(buildCode);
const tests = readdirSync(join(root, "codetool", "src"), { recursive: true })
  .map((path) => `codetool/src/${String(path).replaceAll("\\", "/")}`)
  .filter((path) => path.endsWith(".e2e.test.ts"));
const binary = join(root, "dist", process.platform === "win32" ? "codetool.exe" : "codetool");
process.exit(runPinned(["scripts/run-tests.ts", ...tests], { CODETOOL_E2E_BINARY: binary }));

import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { CaseResult } from "../../agentrt/src/gateway/e2e/test-support/conformance/check.ts";
import type { Judge } from "./judge.ts";
import { pythonTools, runTool } from "./tools.ts";

const version = "1.3.0";
const script = fileURLToPath(new URL("a2a-client.py", import.meta.url));

/** The client of A2A's own SDK in Python, in both versions of the protocol. */
export const a2aJudge: Judge = createJudge();

function createJudge(): Judge {
  let programs = "";
  return {
    name: "a2a",
    subject:
      "published agents by the Agent2Agent protocol's own client in Python, as 1.0 and as 0.3",
    async prepare() {
      const found = await pythonTools([`a2a-sdk==${version}`]);
      if (typeof found !== "string") return found;
      programs = found;
      return { version };
    },
    async run({ clearPort }) {
      const base = `http://localhost:${clearPort}`;
      const { stdout, stderr } = await runTool(join(programs, "python3"), [script, base]);
      try {
        return JSON.parse(stdout) as CaseResult[];
      } catch {
        return [{ section: "all", name: "a run", found: stderr.slice(-300) }];
      }
    },
  };
}

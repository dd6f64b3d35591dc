import { join } from "node:path";
import { type CaseResult } from "../../agentrt/src/gateway/e2e/test-support/conformance/check.ts";
import type { Judge } from "./judge.ts";
import { plain, pythonTools, runTool } from "./tools.ts";

const version = "4.32.5";
/** Our gateway looks at no schema: agents validate what they are sent (specification, part 2). */
const excluded = "negative_data_rejection,missing_required_header";

/** schemathesis: requests made from our own OpenAPI document, good and bad, and what comes back compared with it. */
export const schemathesisJudge: Judge = createJudge();

function createJudge(): Judge {
  let programs = "";
  return {
    name: "schemathesis",
    subject:
      "the OpenAPI document of a gateway, in positive and negative mode; without the checks that want schemas enforced, which is the agents' part",
    async prepare() {
      const found = await pythonTools([`schemathesis==${version}`]);
      if (typeof found !== "string") return found;
      programs = found;
      return { version };
    },
    async run({ clearPort, folder }) {
      const url = `http://localhost:${clearPort}/docs/openapi.json`;
      const args = ["--mode", "all", "--checks", "all", "--exclude-checks", excluded];
      const bounds = ["--max-examples", "200", "--seed", "7", "--no-color"];
      const { stdout } = await runTool(
        join(programs, "schemathesis"),
        ["run", url, ...args, ...bounds],
        { folder },
      );
      const text = plain(stdout);
      const summary = text.slice(text.indexOf("Test Phases:"));
      const failures = /=+ FAILURES =+\n([\s\S]*?)\n=+ /.exec(text)?.[1] ?? text.slice(-400);
      const found = failures.replaceAll(/\s+/g, " ").slice(0, 400);
      const results: CaseResult[] = [];
      // A phase without anything to do, for want of examples or links in the document, is none.
      for (const [, mark, name = ""] of summary.matchAll(/^ +([✅❌🚫]) (\w+)/gmu)) {
        results.push({ section: "phases", name, ...(mark === "✅" ? {} : { found }) });
      }
      if (results.length === 0) results.push({ section: "phases", name: "a run", found });
      return results;
    },
  };
}

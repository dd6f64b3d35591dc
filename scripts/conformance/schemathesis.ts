import { join } from "node:path";
import { type CaseResult } from "../../agentrt/src/gateway/e2e/test-support/conformance/check.ts";
import type { Judge } from "./judge.ts";
import { plain, pythonTools, runTool } from "./tools.ts";

const version = "4.32.5";
/** Whole numbers beyond 2^53 are refused, whatever a schema says, since they would reach the agent changed. */
const acceptance = "positive_data_acceptance";
/** Our gateway looks at no schema: agents validate what they are sent (specification, part 2). */
const enforcement = "negative_data_rejection,missing_required_header";

/** schemathesis: requests made from our own OpenAPI document, good and bad, and what comes back compared with it. */
export const schemathesisJudge: Judge = createJudge();

function createJudge(): Judge {
  let programs = "";
  return {
    name: "schemathesis",
    subject:
      "the OpenAPI documents of a gateway and of a control plane, in positive and negative mode; without the check that wants whole numbers above 2^53 accepted, and for the gateway without those that want schemas enforced, which is the agents' part",
    async prepare() {
      const found = await pythonTools([`schemathesis==${version}`]);
      if (typeof found !== "string") return found;
      programs = found;
      return { version };
    },
    async run({ clearPort, controlPort, folder }) {
      const judge = async (url: string, flags: readonly string[]): Promise<string> => {
        const args = ["run", url, "--mode", "all", "--checks", "all", ...flags, ...bounds];
        return plain((await runTool(join(programs, "schemathesis"), args, { folder })).stdout);
      };
      const gateway = await judge(`http://localhost:${clearPort}/docs/openapi.json`, [
        "--exclude-checks",
        `${enforcement},${acceptance}`,
      ]);
      // The control plane acts: behind the gateway, whose agents it may suspend. It learns all names, and a restart of the
      // control plane's own gateway closes the port for a moment, which the judge takes for its end.
      const control = await judge(`http://localhost:${controlPort}/topology/openapi.json`, [
        "--exclude-checks",
        acceptance,
        "--exclude-operation-id",
        "post_agents_name_restart",
      ]);
      return [...resultsIn(gateway, "phases"), ...resultsIn(control, "control plane")];
    },
  };
}

const bounds = ["--max-examples", "200", "--seed", "7", "--no-color"];

function resultsIn(text: string, section: string): CaseResult[] {
  const [summary = ""] = text.slice(text.indexOf("Test Phases:")).split("\n\n", 1);
  const failures = /=+ FAILURES =+\n([\s\S]*?)\n=+ /.exec(text)?.[1] ?? text.slice(-400);
  const found = failures.replaceAll(/\s+/g, " ").slice(0, 400);
  const results: CaseResult[] = [];
  // A phase without anything to do, for want of examples or links in the document, is none.
  for (const [, mark, name = ""] of summary.matchAll(/^ +([✅❌🚫]) (\w+)/gmu)) {
    results.push({ section, name, ...(mark === "✅" ? {} : { found }) });
  }
  if (results.length === 0) results.push({ section, name: "a run", found });
  return results;
}

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type CaseResult } from "../../agentrt/src/gateway/e2e/test-support/conformance/check.ts";
import type { Judge } from "./judge.ts";
import { type JudgedControl, startJudgedControl } from "./judged-control.ts";
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
      "the OpenAPI documents of a gateway and of a control plane, in positive and negative mode; without the streams of events and log lines, which never end, without the check that wants whole numbers above 2^53 accepted, and for the gateway without those that want schemas enforced, which is the agents' part",
    async prepare() {
      const found = await pythonTools([`schemathesis==${version}`]);
      if (typeof found !== "string") return found;
      programs = found;
      return { version };
    },
    async run({ clearPort, folder }) {
      const judge = async (url: string, flags: readonly string[]): Promise<string> => {
        const args = ["run", url, "--mode", "all", "--checks", "all", ...flags, ...bounds];
        return plain((await runTool(join(programs, "schemathesis"), args, { folder })).stdout);
      };
      const gateway = await judge(`http://localhost:${clearPort}/docs/openapi.json`, [
        "--exclude-checks",
        `${enforcement},${acceptance}`,
      ]);
      return [...resultsIn(gateway, "phases"), ...(await judgeControl(programs, folder))];
    },
  };
}

/** The routes of the control plane, over a tree in which there is something for each of them. */
async function judgeControl(programs: string, folder: string): Promise<CaseResult[]> {
  await using control = await startJudgedControl();
  const config = join(folder, "control.toml");
  writeFileSync(config, controlConfig(control));
  const url = `http://localhost:${control.port}/topology/openapi.json`;
  const args = ["--config-file", config, "run", url, "--mode", "all", ...bounds];
  args.push("--checks", "all", "--exclude-checks", acceptance);
  // A stream that never ends: the judge reads an answer to its end. So do those of `follow`, see below.
  args.push("--exclude-operation-id", "get_events");
  const { stdout, stderr } = await runTool(join(programs, "schemathesis"), args, {
    folder,
    timeoutMs: 1_200_000,
  });
  const applied = (await (await fetch(`http://localhost:${control.port}/apply`)).json()) as {
    readonly status: string;
  };
  const section = "control plane";
  const isApplied = applied.status === "applied";
  return [
    ...resultsIn(plain(`${stdout}${stderr}`), section),
    { section, name: "topologies are applied", ...(isApplied ? {} : { found: applied.status }) },
  ];
}

/** What the judge could not guess: half of the time names, ids and topologies are those of the running tree. */
function controlConfig({ names, ids, topologies }: JudgedControl): string {
  const lines: string[] = [
    // What has no room is 503 by the reference, and so is a drained agent: anybody who asks may drain one here.
    "[checks.not_a_server_error]",
    'expected-statuses = ["2xx", "3xx", "4xx", "503"]',
  ];
  const dictionaries = { names, topologies, ...ids };
  for (const [name, values] of Object.entries(dictionaries))
    lines.push(`[dictionaries.${name}]`, `values = ${JSON.stringify(values)}`);
  const bind = (pathRegex: string, key: string, value: string): void => {
    lines.push("[[operations]]", `include-path-regex = '${pathRegex}'`);
    lines.push("[operations.parameters]", `${JSON.stringify(key)} = ${value}`);
  };
  const often = (dictionary: string): string =>
    `{ dictionary = "${dictionary}", probability = 0.5 }`;
  bind("^/approvals/", "path.id", often("approvals"));
  bind("^/crashes/", "path.id", often("crashes"));
  bind("^/dead-letters/", "path.id", often("letters"));
  bind("^/traces/", "path.id", often("traces"));
  bind("^/agents/[^/]+(/(?!restart)[a-z]+)?$", "path.name", often("names"));
  // A restart of the control plane's own gateway closes the port for a moment, which the judge takes for its end.
  bind("^/agents/[^/]+/restart$", "path.name", '"worker"');
  // A log that is followed never ends.
  bind("/logs$", "query.follow", '"false"');
  bind("^/(plan|apply)$", "body.topology", often("topologies"));
  return `${lines.join("\n")}\n`;
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

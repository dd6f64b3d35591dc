/**
 * `npm run conformance [-- <judge> …]`: foreign programs and lists of cases look at the gateway, and at codetool's MCP server. Judges whose tools are
 * missing are installed where Go or Python is there, and told of where not. Without names all are run, and what they
 * found is written to `docs/reference/conformance.json`, which `conformance.md` is made from. Exit 0: everything passed
 * or was decided otherwise; 1: there are defects, each printed.
 */
import { writeFileSync } from "node:fs";
import process from "node:process";
import { a2aJudge } from "./conformance/a2a.ts";
import { bufJudge } from "./conformance/buf.ts";
import { clientJudges } from "./conformance/clients.ts";
import { grpcurlJudge } from "./conformance/grpcurl.ts";
import { h2specJudges } from "./conformance/h2spec.ts";
import type { Judge, JudgedServer, JudgeReport } from "./conformance/judge.ts";
import { mcpJudges } from "./conformance/mcp.ts";
import { ownJudges } from "./conformance/own-judges.ts";
import { defectsOf, resultsPath, summarize } from "./conformance/render.ts";
import { schemathesisJudge } from "./conformance/schemathesis.ts";
import { startJudgedServer } from "./conformance/server.ts";
import { slowHttpTestJudge } from "./conformance/slow-http-test.ts";
import { testsslJudge } from "./conformance/testssl.ts";
import { typesJudge } from "./conformance/typescript.ts";

const judges: readonly Judge[] = [
  ...h2specJudges,
  ...ownJudges,
  grpcurlJudge,
  bufJudge,
  schemathesisJudge,
  a2aJudge,
  slowHttpTestJudge,
  testsslJudge,
  ...clientJudges,
  typesJudge,
  ...mcpJudges,
];

const say = (text: string): void => void process.stderr.write(`${text}\n`);

async function judgeWith(judge: Judge, server: JudgedServer): Promise<JudgeReport> {
  const { name, subject } = judge;
  const prepared = await judge.prepare();
  if ("missing" in prepared) {
    say(`${name}: not run: ${prepared.missing}`);
    return { name, subject, missing: prepared.missing, results: [] };
  }
  const results = await judge.run(server);
  const failedCount = results.filter(({ found }) => found !== undefined).length;
  say(
    `${name} ${prepared.version}: ${results.length} cases, ${results.length - failedCount} passed`,
  );
  return { name, subject, version: prepared.version, results };
}

const wanted = process.argv.slice(2);
const chosen = judges.filter(
  ({ name }) => wanted.length === 0 || wanted.some((word) => name.includes(word)),
);
if (chosen.length === 0) {
  say(`there is no such judge; there are ${judges.map(({ name }) => `"${name}"`).join(", ")}`);
  process.exit(2);
}
const reports: JudgeReport[] = [];
await using server = await startJudgedServer();
for (const judge of chosen) reports.push(await judgeWith(judge, server));
const date = new Date().toISOString().slice(0, 10);
const results = summarize(reports, { date, node: process.versions.node });
if (wanted.length === 0) writeFileSync(resultsPath, `${JSON.stringify(results, null, 1)}\n`);
const defects = defectsOf(results);
for (const defect of defects) say(`DEFECT ${defect}`);
say(defects.length === 0 ? "no defects" : `${defects.length} defects`);
process.exitCode = defects.length === 0 ? 0 : 1;

import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { reasonFor } from "./decisions.ts";
import type { JudgeReport } from "./judge.ts";

/** Where the results of the last whole run lie. */
export const resultsPath = fileURLToPath(
  new URL("../../docs/reference/conformance.json", import.meta.url),
);

/** What a run found: no more than the page needs. */
export interface ConformanceResults {
  readonly date: string;
  readonly node: string;
  readonly judges: readonly {
    readonly name: string;
    readonly subject: string;
    readonly version?: string;
    readonly missing?: string;
    readonly sections: readonly {
      readonly name: string;
      readonly caseCount: number;
      readonly failed: readonly { readonly name: string; readonly found: string }[];
    }[];
  }[];
}

/** Puts results together by section. */
export function summarize(
  reports: readonly JudgeReport[],
  when: { readonly date: string; readonly node: string },
): ConformanceResults {
  return {
    ...when,
    judges: reports.map(({ results, ...judge }) => {
      const names = [...new Set(results.map(({ section }) => section))];
      const sections = names.map((name) => {
        const own = results.filter(({ section }) => section === name);
        const failed = own.flatMap((each) =>
          each.found === undefined ? [] : [{ name: each.name, found: each.found }],
        );
        return { name, caseCount: own.length, failed };
      });
      return { ...judge, sections };
    }),
  };
}

/** Failures that nobody has decided about. */
export function defectsOf({ judges }: ConformanceResults): readonly string[] {
  return judges.flatMap((judge) =>
    judge.sections.flatMap(({ failed }) =>
      failed
        .filter(({ name }) => reasonFor(judge.name, name) === undefined)
        .map(({ name, found }) => `${judge.name}: ${name}: ${found}`),
    ),
  );
}

/** Writes the page `docs/reference/conformance.md` from the results. */
export function renderConformancePage(): string {
  const results = JSON.parse(readFileSync(resultsPath, "utf8")) as ConformanceResults;
  const lines = [
    "# Conformance",
    "",
    "What foreign programs and lists of cases say of the gateway and of codetool's MCP server: `npm run conformance` runs every judge whose tools are",
    "there or can be installed (Go, Python, packages of Debian), and writes what they found to `conformance.json`; this page",
    "is made from that file. A failure that is not a defect has its reason here; any other makes the command fail.",
    "",
    `Last whole run: ${results.date}, Node ${results.node}.`,
    "",
    "| Judge | Version | What it looks at | Cases | Passed | Decided otherwise | Defects |",
    "|---|---|---|---|---|---|---|",
    ...results.judges.map(rowOf),
    "",
    "A certificate, a name or an identity that a client shows is looked at in the tests: see",
    "[what the gateway is attacked with](gateway-security.md).",
    "",
  ];
  for (const judge of results.judges) lines.push(...sectionsOf(judge));
  return lines.join("\n");
}

type JudgeResults = ConformanceResults["judges"][number];

const cell = (text: string): string => text.replaceAll("|", "\\|").replaceAll("\n", " ");

function rowOf(judge: JudgeResults): string {
  if (judge.missing !== undefined)
    return `| ${judge.name} | | ${judge.subject} | not run: ${cell(judge.missing)} | | | |`;
  const caseCount = judge.sections.reduce((sum, section) => sum + section.caseCount, 0);
  const failed = judge.sections.flatMap((section) => section.failed);
  const decidedCount = failed.filter(
    ({ name }) => reasonFor(judge.name, name) !== undefined,
  ).length;
  return `| ${judge.name} | ${judge.version ?? ""} | ${judge.subject} | ${caseCount} | ${caseCount - failed.length} | ${decidedCount} | ${failed.length - decidedCount} |`;
}

function sectionsOf(judge: JudgeResults): string[] {
  if (judge.missing !== undefined) return [];
  const failed = judge.sections.flatMap((section) => section.failed);
  const reasons = failed.map(
    ({ name, found }) =>
      `| ${cell(name)} | ${cell(found)} | ${reasonFor(judge.name, name) ?? "**a defect**"} |`,
  );
  return [
    `## ${judge.name}`,
    "",
    "| Section | Cases | Passed |",
    "|---|---|---|",
    ...judge.sections.map(
      ({ name, caseCount, failed: own }) =>
        `| ${cell(name)} | ${caseCount} | ${caseCount - own.length} |`,
    ),
    "",
    ...(reasons.length === 0
      ? []
      : ["| Case | Found | Decided |", "|---|---|---|", ...reasons, ""]),
  ];
}

import { type Finding, makeReport, type Report } from "../report.ts";

/** A file, package or function of which less is covered is shown. */
const percentMin = 80;

/** What was measured. */
export interface Coverage {
  /** As printed, where the tool prints a total. */
  readonly totalPercent?: number;
  /** What of the total was counted: `statements`, `lines`. */
  readonly measure: string;
  readonly parts: readonly CoveredPart[];
  /** Limits that were not reached, as the tool words it. */
  readonly shortfalls?: readonly string[];
  /** Said in place of a total. */
  readonly remark?: string;
}

/** One file, package or function. */
export interface CoveredPart {
  readonly name: string;
  readonly location: string;
  readonly percent: number;
  /** Lines that were not run, as printed. */
  readonly missing?: string;
}

/** Makes the report of a coverage table, together with that of the tests which were measured. */
export function coverageReport(coverage: Coverage, tests?: Report): Report {
  const { totalPercent, measure, parts, shortfalls = [], remark } = coverage;
  const low = parts.filter(({ percent }) => percent < percentMin);
  const total = totalPercent === undefined ? undefined : `${totalPercent}% of ${measure} covered`;
  const summary = [total ?? remark, tests?.summary].filter((part) => part !== undefined);
  const warnings = low.map(({ name, location, percent, missing }): Finding => {
    const lines = missing === undefined || missing === "" ? "" : `; not run: ${missing}`;
    return { name, location, message: `${percent}% of ${measure} covered${lines}` };
  });
  const limits = shortfalls.map((message) => ({ name: "coverage", location: null, message }));
  return makeReport({
    ...tests,
    summary: summary.join("; "),
    failures: [...(tests?.failures ?? []), ...limits],
    warnings: [...(tests?.warnings ?? []), ...warnings],
  });
}

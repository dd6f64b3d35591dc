import { type Finding, makeReport, plural, type Report } from "./report.ts";

/** A finding of a tool that tells errors from warnings. */
export interface Problem extends Finding {
  readonly isError: boolean;
}

/** The report of a compiler or linter: errors are failures. The same problem told twice counts once. */
export function problemsReport(
  problems: readonly Problem[],
  options: { readonly whenNone: string },
): Report {
  const seen = new Set<string>();
  const [failures, warnings]: [Finding[], Finding[]] = [[], []];
  for (const { isError, name, location, message } of problems) {
    const key = JSON.stringify([isError, name, location, message]);
    if (seen.has(key)) continue;
    seen.add(key);
    (isError ? failures : warnings).push({ name, location, message });
  }
  const counts = `${plural(failures.length, "error")}, ${plural(warnings.length, "warning")}`;
  const summary = failures.length + warnings.length === 0 ? options.whenNone : counts;
  return makeReport({ summary, failed: failures.length, failures, warnings });
}

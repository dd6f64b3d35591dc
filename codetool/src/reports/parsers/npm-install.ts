import { type Finding, makeReport, type ParseOutput, plural } from "../report.ts";
import { npmFailures, npmWarnings } from "./npm-messages.ts";

/** Output of `npm install` and its kin: what was changed, and what npm refuses. */
export const parseNpmInstall: ParseOutput = ({ combined }) => {
  const failures = npmFailures(combined);
  const changed =
    /^(?:added|removed|changed|up to date)\b.*$/m.exec(combined)?.[0]?.replace(/ in \d+\w*$/, "") ??
    "";
  if (failures.length === 0 && changed === "") return undefined;
  const warnings = [...npmWarnings(combined), ...vulnerabilitiesIn(combined)];
  const parts = [
    failures.length === 0 ? "" : plural(failures.length, "error"),
    changed,
    warnings.length === 0 ? "" : plural(warnings.length, "warning"),
  ];
  const summary = parts.filter((part) => part !== "").join("; ");
  return makeReport({ summary, failed: failures.length, failures, warnings });
};

function vulnerabilitiesIn(combined: string): Finding[] {
  const message = /^(?!found 0)(?:\d+ .*vulnerabilit(?:y|ies).*|found \d+ vulnerabilit.*)$/m.exec(
    combined,
  )?.[0];
  return message === undefined ? [] : [{ name: "audit", location: null, message }];
}

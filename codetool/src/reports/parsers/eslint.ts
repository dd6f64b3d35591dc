import {
  findJson,
  isList,
  isObject,
  type Json,
  numberOf,
  objectsOf,
  textOf,
} from "../json-in-text.ts";
import { makeReport, type ParseOutput, placeOf } from "../report.ts";
import { type Problem, problemsReport } from "../problems.ts";

const none = { whenNone: "no problems" };

/** Output of ESLint: its JSON, else the formats `stylish` and `unix`. */
export const parseEslint: ParseOutput = ({ stdout, combined }) => {
  const list = findJson(stdout, isReportList);
  if (list !== undefined) return problemsReport(findingsOfJson(list), none);
  const found = findingsOfStylish(combined.split("\n"));
  const refusal =
    /^(?:Oops! Something went wrong!|Error: |Invalid option|No files matching)[\s\S]*/m.exec(
      combined,
    );
  if (found.length === 0 && refusal !== null) {
    const message = refusal[0].trim();
    const failures = [{ name: "eslint", location: null, message }];
    return makeReport({ summary: "eslint could not run", failed: 1, failures });
  }
  if (found.length === 0 && combined.trim() !== "") return undefined;
  return problemsReport(found, none);
};

function isReportList(value: Json): value is readonly Json[] {
  return isList(value) && value.every((each) => isObject(each) && isList(each["messages"]));
}

function findingsOfJson(list: readonly Json[]): Problem[] {
  return objectsOf(list).flatMap((file) =>
    objectsOf(file["messages"]).map((message) => ({
      isError: numberOf(message["severity"]) === 2,
      name: textOf(message["ruleId"]) || "fatal",
      location: placeOf(
        textOf(file["filePath"]),
        numberOf(message["line"]) || null,
        numberOf(message["column"]) || null,
      ),
      message: textOf(message["message"]),
    })),
  );
}

/** A file's name on its own line, and rows under it: `  3:10  error  text  rule`. */
function findingsOfStylish(lines: readonly string[]): Problem[] {
  const found: Problem[] = [];
  let file = "";
  for (const line of lines) {
    const row = /^ +(\d+):(\d+) +(error|warning) +(.+?)(?: {2,}([\w@/.-]+))?$/.exec(line);
    const unix = /^(\S.*?):(\d+):(\d+): (.+) \[(Error|Warning)(?:\/([^\]]+))?\]$/.exec(line);
    if (row !== null) {
      const [, at, column, severity, message = "", rule = "fatal"] = row;
      found.push({
        isError: severity === "error",
        name: rule,
        location: placeOf(file, at, column),
        message,
      });
    } else if (unix !== null) {
      const [, path = "", at, column, message = "", severity, rule = "fatal"] = unix;
      found.push({
        isError: severity === "Error",
        name: rule,
        location: placeOf(path, at, column),
        message,
      });
    } else if (/^\S/.test(line)) file = line;
  }
  return found;
}

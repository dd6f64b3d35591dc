import {
  findJson,
  isList,
  isObject,
  type Json,
  type JsonObject,
  numberOf,
  objectsOf,
  textOf,
} from "../json-in-text.ts";
import type { Finding } from "../report.ts";
import { frameIn, withoutLibraryFrames } from "../stack-frame.ts";

/** Counts of tests, and of test files that could not be run at all. */
export interface SuiteCounts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  readonly brokenFiles: number;
}

/** The report in Jest's JSON, which others write as well. */
export function findSuites(
  stdout: string,
): { readonly counts: SuiteCounts; readonly results: readonly JsonObject[] } | undefined {
  const found = findJson(stdout, isSuites);
  if (found === undefined) return undefined;
  const results = objectsOf(found["testResults"]);
  return {
    counts: {
      passed: numberOf(found["numPassedTests"]),
      failed: numberOf(found["numFailedTests"]),
      skipped: numberOf(found["numPendingTests"]) + numberOf(found["numTodoTests"]),
      brokenFiles: results.filter(isBroken).length,
    },
    results,
  };
}

function isSuites(value: Json): value is JsonObject {
  return (
    isObject(value) && typeof value["numTotalTests"] === "number" && isList(value["testResults"])
  );
}

/** A file that failed without a test that did: it could not be loaded, or a hook of its own failed. */
function isBroken(result: JsonObject): boolean {
  const isFailing = (test: JsonObject): boolean => test["status"] === "failed";
  return result["status"] === "failed" && !objectsOf(result["assertionResults"]).some(isFailing);
}

/** The failed tests, and the files that could not be run. */
export function findingsOfSuites(results: readonly JsonObject[]): Finding[] {
  return results.flatMap((result) => {
    const file = textOf(result["name"]);
    if (isBroken(result)) {
      const message = withoutLibraryFrames(textOf(result["message"]));
      return [{ name: file, location: frameIn(message, file) ?? file, message }];
    }
    return objectsOf(result["assertionResults"])
      .filter((test) => test["status"] === "failed")
      .map((test) => findingOf(test, file));
  });
}

function findingOf(test: JsonObject, file: string): Finding {
  const messages = isList(test["failureMessages"]) ? test["failureMessages"].map(textOf) : [];
  const message = withoutLibraryFrames(messages.join("\n\n"));
  const titles = isList(test["ancestorTitles"]) ? test["ancestorTitles"].map(textOf) : [];
  return {
    name: [...titles, textOf(test["title"])].join(" › "),
    location: frameIn(message, file) ?? file,
    message,
  };
}

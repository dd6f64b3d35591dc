import {
  findJson,
  isList,
  isObject,
  type Json,
  type JsonObject,
  jsonLines,
  numberOf,
  objectsOf,
  textOf,
} from "../json-in-text.ts";
import { trimLines } from "../trim-lines.ts";
import {
  type Finding,
  makeReport,
  type ParseOutput,
  placeOf,
  plural,
  type Report,
} from "../report.ts";

/** Output of Terraform and OpenTofu: what would change or has changed, and their diagnostics, as text and as JSON. */
export const parseTerraform: ParseOutput = (output) => {
  const { stdout, combined } = output;
  const events = jsonLines(stdout).filter((event) => "@level" in event);
  if (events.length > 0) return reportOfEvents(events);
  const validation = findJson(stdout, isValidation);
  if (validation !== undefined) return reportOfValidation(validation);
  return reportOfText(combined);
};

interface Parts {
  /** What was planned or done, in one line. */
  readonly outcome: string | undefined;
  readonly diagnostics: readonly Diagnostic[];
  /** A line a resource, and the outputs. */
  readonly resources: readonly string[];
}

interface Diagnostic {
  readonly isError: boolean;
  readonly finding: Finding;
}

function terraformReport({ outcome, diagnostics, resources }: Parts): Report {
  const of = (wanted: boolean): Finding[] =>
    diagnostics.filter(({ isError }) => isError === wanted).map(({ finding }) => finding);
  const [failures, warnings] = [of(true), of(false)];
  const parts = [
    failures.length === 0 ? "" : plural(failures.length, "error"),
    outcome ?? "",
    warnings.length === 0 ? "" : plural(warnings.length, "warning"),
  ];
  return makeReport({
    summary: parts.filter((part) => part !== "").join("; "),
    failed: failures.length,
    failures,
    warnings,
    ...(resources.length === 0 ? {} : { tail: resources.join("\n") }),
  });
}

const outcomes: readonly RegExp[] = [
  /^Apply complete! Resources: .+?\.(?=$|\s)/m,
  /^Destroy complete! Resources: .+?\.(?=$|\s)/m,
  /^Plan: .+?\.$/m,
  /^No changes\.(?: .+?\.)?/m,
  /^Success! .+$/m,
  /^(?:Terraform|OpenTofu) has been successfully initialized!/m,
  /^You can apply this plan to save these new output values/m,
];

function reportOfText(combined: string): Report | undefined {
  const lines = combined.split("\n");
  const outcome = outcomes
    .map((pattern) => pattern.exec(combined)?.[0])
    .find((text) => text !== undefined);
  const diagnostics = [...boxesOf(lines), ...plainOf(lines)];
  const resources = [...resourcesOf(lines), ...outputsOf(lines)];
  if (outcome === undefined && diagnostics.length === 0 && resources.length === 0) return undefined;
  return terraformReport({ outcome, diagnostics, resources });
}

/** `  # terraform_data.page[1] will be destroyed` as `terraform_data.page[1] (destroyed)`. */
function resourcesOf(lines: readonly string[]): string[] {
  return lines.flatMap((line) => {
    const match =
      /^ {2}# (\S+?)(?: \(deposed object \w+\))? (?:will be|must be|has been|has moved to|is tainted, so must be|is tainted, so it must be) ?(.*)$/.exec(
        line,
      );
    if (match === null) return [];
    const [, address = "", action = ""] = match;
    return [`${address} (${action.replace(/^read during apply$/, "read")})`];
  });
}

function outputsOf(lines: readonly string[]): string[] {
  const start = lines.findLastIndex((line) => line === "Outputs:");
  if (start === -1) return [];
  const end = lines.findIndex((line, index) => index > start && /^[\u2577\u2500]/.test(line));
  const text = trimLines(lines.slice(start + 1, end === -1 ? undefined : end));
  return text === "" ? [] : ["Outputs:", text];
}

/** Diagnostics in a box of line-drawing characters. */
function boxesOf(lines: readonly string[]): Diagnostic[] {
  const found: Diagnostic[] = [];
  let box: string[] | undefined;
  for (const line of lines) {
    if (line.startsWith("\u2577")) box = [];
    else if (line.startsWith("\u2575")) {
      found.push(...diagnosticOf(box ?? []));
      box = undefined;
    } else if (line.startsWith("\u2502")) box?.push(line.replace(/^\u2502 ?/, ""));
  }
  return found;
}

/** Diagnostics without a box, as `-no-color` and logs have them, each up to the next. */
function plainOf(lines: readonly string[]): Diagnostic[] {
  const starts = lines.flatMap((line, index) => (/^(?:Error|Warning): /.test(line) ? [index] : []));
  return starts.flatMap((start, index) => diagnosticOf(lines.slice(start, starts[index + 1])));
}

function diagnosticOf(lines: readonly string[]): Diagnostic[] {
  const head = /^(Error|Warning): (.+)$/.exec(lines[0] ?? "");
  if (head === null) return [];
  const [, severity, name = ""] = head;
  const place = lines
    .map((line) => /^ {2}on (\S.*?) line (\d+)/.exec(line))
    .find((match) => match !== null);
  const location = place === undefined || place === null ? null : placeOf(place[1] ?? "", place[2]);
  const end = lines.findIndex((line) => line.startsWith("\u2500"));
  const body = trimLines(lines.slice(1, end === -1 ? undefined : end));
  const finding = { name, location, message: body.replaceAll(/\n{2,}/g, "\n") || name };
  return [{ isError: severity === "Error", finding }];
}

/** The words of the text for those of the JSON. */
const actionWords: { readonly [action: string]: string } = {
  create: "created",
  update: "updated in-place",
  delete: "destroyed",
  replace: "replaced",
  remove: "removed",
};

function reportOfEvents(events: readonly JsonObject[]): Report {
  const ofType = (type: string): JsonObject[] => events.filter((event) => event["type"] === type);
  const outcome = ofType("change_summary").at(-1);
  const resources = ofType("planned_change").flatMap((event) => {
    const change = isObject(event["change"]) ? event["change"] : {};
    const resource = isObject(change["resource"]) ? textOf(change["resource"]["addr"]) : "";
    const action = textOf(change["action"]);
    return resource === "" ? [] : [`${resource} (${actionWords[action] ?? action})`];
  });
  const diagnostics = ofType("diagnostic").flatMap((event) => {
    const diagnostic = event["diagnostic"];
    return isObject(diagnostic) ? [diagnosticOfJson(diagnostic)] : [];
  });
  const others = events
    .filter((event) => event["@level"] === "error" && event["type"] !== "diagnostic")
    .map((event): Diagnostic => {
      const finding = { name: "terraform", location: null, message: textOf(event["@message"]) };
      return { isError: true, finding };
    });
  const text = outcome === undefined ? undefined : textOf(outcome["@message"]);
  return terraformReport({ outcome: text, diagnostics: [...diagnostics, ...others], resources });
}

function isValidation(value: Json): value is JsonObject {
  return isObject(value) && typeof value["valid"] === "boolean" && isList(value["diagnostics"]);
}

function reportOfValidation(validation: JsonObject): Report {
  return terraformReport({
    outcome: validation["valid"] === true ? "The configuration is valid." : undefined,
    diagnostics: objectsOf(validation["diagnostics"]).map(diagnosticOfJson),
    resources: [],
  });
}

function diagnosticOfJson(diagnostic: JsonObject): Diagnostic {
  const name = textOf(diagnostic["summary"]);
  const range = isObject(diagnostic["range"]) ? diagnostic["range"] : undefined;
  const start = isObject(range?.["start"]) ? range["start"] : {};
  const location =
    range === undefined
      ? null
      : placeOf(
          textOf(range["filename"]),
          numberOf(start["line"]) || null,
          numberOf(start["column"]) || null,
        );
  const address = textOf(diagnostic["address"]);
  const message = [address === "" ? "" : `with ${address}`, textOf(diagnostic["detail"]).trim()];
  const isError = diagnostic["severity"] !== "warning";
  const text = message.filter((part) => part !== "").join("\n");
  return { isError, finding: { name, location, message: text || name } };
}

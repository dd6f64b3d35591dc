import {
  findJson,
  isList,
  isObject,
  type Json,
  type JsonObject,
  objectsOf,
} from "../json-in-text.ts";
import { type Finding, makeReport, type ParseOutput, plural } from "../report.ts";
import { describedObjects } from "./kubectl-describe.ts";
import { type ClusterObject, judge, objectOfJson } from "./kubectl-objects.ts";

/** A longer table or description is shown to what is not well in it. */
const tailLinesMax = 60;

/** Output of kubectl: tables, descriptions and JSON of objects, by what is not well; what was changed; refusals. */
export const parseKubectl: ParseOutput = ({ stdout, combined }) => {
  const failures = refusalsOf(combined);
  const json = findJson(stdout, isResource);
  const objects =
    json === undefined
      ? [...objectsOfTables(stdout), ...describedObjects(stdout)]
      : (isList(json["items"]) ? objectsOf(json["items"]) : [json]).map(objectOfJson);
  const changes = changesOf(stdout);
  const said =
    /^(?:(?:deployment|daemon set|statefulset).* (?:successfully rolled out|rolling update complete).*|No resources found.*)$/m.exec(
      combined,
    );
  if (objects.length + failures.length + changes.length === 0 && said === null) return undefined;
  const judged = objects.map(judge);
  const bad = judged.flatMap(({ failure }) => (failure === undefined ? [] : [failure]));
  const warnings = judged.flatMap((each) => each.warnings);
  const parts = [
    failures.length === 0 ? "" : plural(failures.length, "error"),
    countsOfKinds(objects),
    bad.length === 0 ? "" : `${bad.length} not well`,
    warnings.length === 0 ? "" : plural(warnings.length, "warning"),
    countsOfChanges(changes),
    said?.[0] ?? "",
  ];
  const shown = tailOf(objects, { stdout, isJson: json !== undefined });
  return makeReport({
    summary: parts.filter((part) => part !== "").join(", "),
    failed: failures.length + bad.length,
    failures: [...failures, ...bad],
    warnings,
    ...(shown === "" ? {} : { tail: shown }),
  });
};

function isResource(value: Json): value is JsonObject {
  return (
    isObject(value) && typeof value["kind"] === "string" && typeof value["apiVersion"] === "string"
  );
}

function tailOf(
  objects: readonly ClusterObject[],
  { stdout, isJson }: { readonly stdout: string; readonly isJson: boolean },
): string {
  if (objects.length === 0) return "";
  const lines = stdout.trimEnd().split("\n");
  if (!isJson && lines.length <= tailLinesMax) return lines.join("\n");
  const listed = objects.filter(({ kind }) => kind !== "Event");
  const ill = listed.filter((object) => judge(object).failure !== undefined);
  const shown = listed.length <= tailLinesMax ? listed : ill;
  return shown.map(({ name, state }) => `${name} ${state}`.trimEnd()).join("\n");
}

/** `Error from server (NotFound): …`, `error: …`, and what is said of a connection. */
function refusalsOf(combined: string): Finding[] {
  const found = [
    ...combined.matchAll(
      /^(?:Error from server(?: \((\w+)\))?: |error: |Error: |(?=The connection to the server|Unable to connect to the server))(.+)$/gm,
    ),
  ];
  return found.map(([, reason, message = ""]) => ({
    name: reason ?? "kubectl",
    location: null,
    message,
  }));
}

interface Change {
  readonly object: string;
  readonly action: string;
}

/** `deployment.apps/web configured`, `pod "web" deleted`. */
function changesOf(stdout: string): Change[] {
  return [
    ...stdout.matchAll(
      /^([\w.-]+\/\S+|\S+ "\S+") (created|configured|unchanged|deleted|force deleted|patched|scaled|restarted|labeled|annotated|replaced|edited|exposed|serverside-applied|rolled back|pruned)(?: .*)?$/gm,
    ),
  ].map(([, object = "", action = ""]) => ({ object, action }));
}

function countsOfChanges(changes: readonly Change[]): string {
  const counts = new Map<string, number>();
  for (const { action } of changes) counts.set(action, (counts.get(action) ?? 0) + 1);
  return [...counts].map(([action, count]) => `${count} ${action}`).join(", ");
}

function countsOfKinds(objects: readonly ClusterObject[]): string {
  const counts = new Map<string, number>();
  for (const { kind } of objects) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return [...counts]
    .map(([kind, count]) => plural(count, kind === "" ? "object" : kind))
    .join(", ");
}

/** Tables: a heading in capitals, columns at the same offsets below it; several, with a blank line between. */
function objectsOfTables(stdout: string): ClusterObject[] {
  const objects: ClusterObject[] = [];
  let columns: readonly {
    readonly name: string;
    readonly start: number;
    readonly end: number | undefined;
  }[] = [];
  for (const line of stdout.split("\n")) {
    if (/^(?:NAMESPACE|NAME|LAST SEEN)(?: {2,}[A-Z]|$)/.test(line)) {
      const starts = [...line.matchAll(/\S+(?: \S+)*/g)];
      columns = starts.map((match, index) => ({
        name: match[0],
        start: match.index,
        end: starts[index + 1]?.index,
      }));
    } else if (line.trim() === "") columns = [];
    else if (columns.length > 0) {
      const cells = new Map(
        columns.map(({ name, start, end }) => [name, line.slice(start, end).trim()]),
      );
      objects.push(objectOfRow(cells));
    }
  }
  return objects;
}

function objectOfRow(cells: ReadonlyMap<string, string>): ClusterObject {
  const of = (name: string): string => cells.get(name) ?? "";
  if (cells.has("REASON") && cells.has("MESSAGE")) {
    const state = of("MESSAGE");
    return { kind: "Event", name: of("REASON"), state, type: of("TYPE"), about: of("OBJECT") };
  }
  const namespace = of("NAMESPACE");
  const name = namespace === "" ? of("NAME") : `${namespace}/${of("NAME")}`;
  const ready = of("READY") || of("COMPLETIONS");
  const restarts = /^\d+/.exec(of("RESTARTS"))?.[0];
  const status = of("STATUS");
  const state = [
    status,
    ready,
    restarts === undefined || restarts === "0" ? "" : `${restarts} restarts`,
  ];
  return {
    kind: "",
    name,
    state: state.filter((part) => part !== "").join(" "),
    ...(status === "" ? {} : { status }),
    ...(/^\d+\/\d+$/.test(ready) ? { ready } : {}),
    ...(restarts === undefined ? {} : { restarts: Number(restarts) }),
  };
}

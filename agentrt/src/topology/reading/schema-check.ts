import type { z } from "zod";
import { didYouMean, nearestName } from "../../core/index.ts";
import {
  type ProblemLog,
  type TopologyCheck,
  describeFound,
  formatPath,
  locate,
  type SourceNode,
  type SourcePath,
  type SourcePosition,
  toPlain,
} from "../source/index.ts";

/** Where a value is in the document, and how its faults are reported. */
export interface SchemaContext {
  readonly log: ProblemLog;
  /** The document path of the value, or of each of its keys when they were gathered from two places. */
  readonly pathOf: (path: SourcePath) => SourcePath;
  /** The check a fault at this path of the value belongs to; by default `values`. */
  readonly checkOf?: (path: SourcePath) => TopologyCheck;
  /** Whether the value at this path of the value must be in no message. */
  readonly isSecret?: (path: SourcePath) => boolean;
  /** Known keys that the schema does not have; "did you mean" may suggest them. */
  readonly otherKeys?: readonly string[];
}

/**
 * Checks a value of the document against a schema and logs every fault with its position.
 *
 * @param schema The schema; its messages say what was wanted (see `fields.ts`).
 * @param source The value.
 * @param context Where it is and where faults go.
 * @returns The schema's output, or `undefined` when there was a fault.
 */
export function checkSchema<Schema extends z.ZodType>(
  schema: Schema,
  source: SourceNode,
  context: SchemaContext,
): z.output<Schema> | undefined {
  const result = schema.safeParse(toPlain(source));
  if (result.success) return result.data;
  for (const issue of result.error.issues) {
    const path = issue.path.map((part) => (typeof part === "symbol" ? String(part) : part));
    if (issue.code === "unrecognized_keys") reportUnknownKeys(issue, { path, source, context });
    else reportValue({ path, wanted: issue.message, source, context });
  }
  return undefined;
}

interface Report {
  readonly path: SourcePath;
  readonly source: SourceNode;
  readonly context: SchemaContext;
}

function reportUnknownKeys(
  issue: { readonly keys: readonly string[]; readonly message: string },
  { path, source, context }: Report,
): void {
  const known = [
    ...issue.message.split(" ").filter((key) => key !== ""),
    ...(path.length === 0 ? (context.otherKeys ?? []) : []),
  ];
  for (const key of issue.keys) {
    const keyPath = [...path, key];
    reportUnknownKey(
      { key, known, at: locate(source, keyPath).keyAt },
      context.log,
      context.pathOf(keyPath),
    );
  }
}

/** Keys that other programs, or other sections, call by another name. */
const otherNames: { readonly [key: string]: readonly string[] } = {
  dsn: ["url"],
  url: ["servers", "base_url"],
  type: ["sink"],
};

/** Keys that belong somewhere else. */
const movedKeys: { readonly [key: string]: string } = {
  mcp_servers: 'tool servers are listed once for all agents, under "mcp.servers" at the top level',
};

function instead({ key, known }: { key: string; known: readonly string[] }): string | undefined {
  if (!Object.hasOwn(otherNames, key)) return undefined;
  return otherNames[key]?.find((name) => known.includes(name));
}

/**
 * Logs a key that nothing reads.
 *
 * @param unknown The key, its place, and the keys that would have been right.
 * @param log Where the problem goes.
 * @param path The document path of the key.
 */
export function reportUnknownKey(
  unknown: {
    readonly key: string;
    readonly known: readonly string[];
    readonly at: SourcePosition;
  },
  log: ProblemLog,
  path: SourcePath,
): void {
  const nearest = instead(unknown) ?? nearestName(unknown.key, unknown.known);
  const list =
    unknown.known.length === 0 ? "there are none here" : `known are ${unknown.known.join(", ")}`;
  const hint =
    movedKeys[unknown.key] ?? (nearest === undefined ? list : `did you mean "${nearest}"?`);
  log.problem({
    check: "keys-known",
    path: formatPath(path),
    ...unknown.at,
    message: `unknown key "${unknown.key}"; ${hint}`,
    ...(nearest === undefined ? {} : { nearest }),
  });
}

function reportValue({
  path,
  wanted,
  source,
  context,
}: Report & { readonly wanted: string }): void {
  const found = locate(source, path);
  const check = context.checkOf?.(path) ?? "values";
  const fullPath = formatPath(context.pathOf(path));
  if (!found.isWhole) {
    const message = `missing: it must be ${wanted}`;
    context.log.problem({ check, path: fullPath, ...found.node.at, message });
    return;
  }
  const words = /^one of (.*)$/.exec(wanted)?.[1]?.split(", ") ?? [];
  if (context.isSecret?.(path) === true) {
    context.log.problem({
      check,
      path: fullPath,
      ...found.node.at,
      message: `wanted ${wanted}; what was found is not shown, as it may be a secret`,
    });
    return;
  }
  const isNamed = found.node.kind === "scalar" && found.node.written === undefined;
  const value = isNamed && found.node.kind === "scalar" ? String(found.node.value) : "";
  const nearest = nearestName(value, words);
  context.log.problem({
    check,
    path: fullPath,
    ...found.node.at,
    message: `found ${describeFound(found.node)}, wanted ${wanted}${didYouMean(value, words)}`,
    ...(nearest === undefined ? {} : { nearest }),
  });
}

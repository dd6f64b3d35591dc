import { parseDocument, stringify } from "yaml";
import type { Topology } from "./model/index.ts";
import { type ParseTopologyOptions, parseTopology } from "./reading/index.ts";
import { fileSizeBytesMax, type SourcePart } from "./source/index.ts";

/** Deeper than any topology. */
const nestingDepthMax = 64;

/** What is kept of the nodes that say where a running topology listens. */
const keptKeys: { readonly [type: string]: readonly string[] } = {
  topology_server: ["name", "host", "port", "prefix", "attach_to", "tls_cert", "tls_key"],
  http_gateway: [
    "name",
    "host",
    "port",
    "tls_cert",
    "tls_key",
    "topology_agent",
    "topology_prefix",
  ],
};

type Fields = { readonly [key: string]: unknown };

/**
 * Finds, in files that are broken, where a topology that runs from an earlier state of them may listen.
 *
 * @param parts The files, the one at the bottom first; of several with topology servers the last counts.
 * @param options As for `parseTopology`.
 * @returns A topology with the topology server, and the gateway that it is attached to; undefined when none is found.
 */
export function salvageTopology(
  parts: readonly SourcePart[],
  options: Omit<ParseTopologyOptions, "fileName">,
): Topology | undefined {
  for (const { fileName, text } of parts.toReversed()) {
    if (Buffer.byteLength(text) > fileSizeBytesMax) continue;
    const found = salvagedNodes(text);
    const server = found.find(({ type }) => type === "topology_server");
    if (server === undefined) continue;
    const gateways = found.filter(
      (node) =>
        node["type"] === "http_gateway" &&
        [node["name"] ?? "http_gateway", "-"].includes(server["attach_to"] ?? "-"),
    );
    const attached = server["attach_to"] === undefined ? [] : gateways.slice(0, 1);
    const children = [server, ...attached];
    const source = stringify({ supervision: { name: "root", children } });
    const { topology } = parseTopology(source, { ...options, fileName });
    if (topology !== undefined) return topology;
  }
  return undefined;
}

/** The whole text where its parser makes sense of it; else item for item, since one fault hides what comes behind it. */
function salvagedNodes(text: string): Fields[] {
  const whole = nodesIn(plainOf(text), 0);
  if (whole.some(({ type }) => type === "topology_server")) return whole;
  return itemTexts(text).flatMap((item) => nodesIn(plainOf(item), 0));
}

function plainOf(text: string): unknown {
  try {
    const settings = { uniqueKeys: false, prettyErrors: false, logLevel: "silent" } as const;
    return parseDocument(text, settings).toJS({ maxAliasCount: 100 });
  } catch {
    return undefined;
  }
}

function nodesIn(value: unknown, depth: number): Fields[] {
  if (typeof value !== "object" || value === null || depth > nestingDepthMax) return [];
  const { type, config } = value as Fields;
  const kept = typeof type === "string" ? keptKeys[type] : undefined;
  if (kept === undefined) return Object.values(value).flatMap((inner) => nodesIn(inner, depth + 1));
  const settings = { ...(typeof config === "object" ? config : {}), ...value } as Fields;
  const fields = kept.flatMap((key) =>
    settings[key] === undefined ? [] : [[key, settings[key]] as const],
  );
  return [{ type, ...Object.fromEntries(fields) }];
}

/** Each item of a list that names one of the types: from its dash to the next line that is not deeper. */
function itemTexts(text: string): string[] {
  const lines = text.split("\n");
  return lines.flatMap((line, index) => {
    if (!/\btype["']?:\s*["']?(?:topology_server|http_gateway)\b/.test(line)) return [];
    let first = index;
    while (first > 0 && !/^\s*- /.test(lines[first] ?? "")) first -= 1;
    const indent = indentOf(lines[first] ?? "");
    let end = index + 1;
    while (end < lines.length && isDeeper(lines[end] ?? "", indent)) end += 1;
    return [lines.slice(first, end).join("\n")];
  });
}

function isDeeper(line: string, indent: number): boolean {
  return line.trim() === "" || indentOf(line) > indent;
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}

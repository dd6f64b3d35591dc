import { httpGatewayKind, topologyServerKind } from "../../node-kinds/index.ts";
import { type JsonObject, reasonOf } from "../../core/index.ts";
import { listeningUrl } from "../../gateway-settings/index.ts";
import { isSupervisorNode, settingsOf, type Topology, walkTree } from "../../topology/index.ts";

const bodySizeBytesMax = 16_777_216;

/** What came back from a control plane. */
export type ControlAnswer =
  | { readonly kind: "body"; readonly body: unknown }
  | {
      readonly kind: "status";
      readonly status: number;
      /** What the control plane says is wrong. */
      readonly error?: string;
    }
  | { readonly kind: "failure"; readonly reason: string };

/**
 * Finds where the control plane of a topology listens.
 *
 * @param topology The topology.
 * @param route For example `/topology`.
 * @returns The URL of the route, or `undefined` when the file declares no topology server.
 */
export function controlUrl(topology: Topology, route: string): string | undefined {
  const nodes = [...walkTree(topology.supervision)].filter((node) => !isSupervisorNode(node));
  const server = nodes.find((node) => node.kind === topologyServerKind.name);
  if (server === undefined || isSupervisorNode(server)) return undefined;
  const settings = settingsOf(topologyServerKind, server);
  if (settings.attachTo === undefined) return `${listeningUrl(settings)}${settings.prefix}${route}`;
  const gateway = nodes.find((node) => node.name === settings.attachTo);
  if (gateway === undefined || isSupervisorNode(gateway)) return undefined;
  const attached = settingsOf(httpGatewayKind, gateway);
  // As the gateway does: a prefix of its own goes before the topology server's.
  return `${listeningUrl(attached)}${attached.topologyPrefix || settings.prefix}${route}`;
}

/** How a control plane is asked. */
export interface ControlQuestion {
  /** Sent along, for an operator's authentication. */
  readonly headers: Headers;
  /** Upper bound on the whole exchange. */
  readonly timeoutMs: number;
  /** Sent with POST; without it the question is a GET. */
  readonly body?: JsonObject | undefined;
}

/**
 * Asks a control plane. Answers of more than 16 MiB are not read.
 *
 * @param url The URL of a route.
 * @param question How it is asked.
 * @returns The JSON body, or what came instead.
 */
export async function askControl(url: string, question: ControlQuestion): Promise<ControlAnswer> {
  const { headers, timeoutMs, body: sent } = question;
  try {
    const signal = AbortSignal.timeout(timeoutMs);
    const posted = { method: "POST", body: JSON.stringify(sent), headers: new Headers(headers) };
    posted.headers.set("content-type", "application/json");
    const asked = sent === undefined ? { headers } : posted;
    const response = await fetch(url, { ...asked, redirect: "error", signal });
    const { body, ok: isOk, status } = response;
    if (body === null) return { kind: "status", status };
    const chunks: Uint8Array[] = [];
    let sizeBytes = 0;
    for await (const chunk of body) {
      sizeBytes += chunk.byteLength;
      if (sizeBytes > bodySizeBytesMax)
        return { kind: "failure", reason: "its answer is too long" };
      chunks.push(chunk);
    }
    const text = Buffer.concat(chunks).toString("utf8");
    if (!isOk) return { kind: "status", status, ...errorIn(text) };
    return { kind: "body", body: JSON.parse(text) };
  } catch (error) {
    return { kind: "failure", reason: failureOf(error, timeoutMs) };
  }
}

/** What a body of the form `{"error": text}` says; nothing of any other one. */
function errorIn(text: string): { readonly error?: string } {
  try {
    const { error } = JSON.parse(text) as { readonly error?: unknown };
    return typeof error === "string" ? { error } : {};
  } catch {
    return {};
  }
}

function failureOf(error: unknown, timeoutMs: number): string {
  if (error instanceof SyntaxError) return "its answer is not JSON";
  if (error instanceof Error && error.name === "TimeoutError")
    return `no answer came within ${timeoutMs / 1000} s: a process that computes without a pause answers later, so try again`;
  const inner = error instanceof Error ? error.cause : undefined;
  const code = (inner as NodeJS.ErrnoException | undefined)?.code;
  if (code === "ECONNREFUSED") return "nothing listens there: is the topology running?";
  return code ?? reasonOf(inner ?? error);
}

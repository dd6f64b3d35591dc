import { didYouMean, type JsonObject, printable } from "../../core/index.ts";
import type { CommandInput, CommandIo } from "../command.ts";
import { cliErrors } from "../errors.ts";
import { parseHeaders } from "../headers.ts";
import type { ControlAnswer } from "../remote/index.ts";
import { loadRunningTopology, topologyPaths } from "../topologies/index.ts";

const timeoutMs = 5000;

/** A mapping that came over the wire: nothing in it is sure. */
export type WireObject = { readonly [name: string]: unknown };

/** @returns A value that came over the wire as a mapping: empty for what is not one. */
export function objectOf(value: unknown): WireObject {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as WireObject)
    : {};
}

/** @returns The mappings of a list that came over the wire; empty for what is not a list. */
export function objectsOf(value: unknown): WireObject[] {
  return Array.isArray(value) ? (value as unknown[]).map(objectOf) : [];
}

/** Asks the control plane of one running topology. */
export interface ControlReader {
  /** Sent along with each question. */
  readonly headers: Headers;
  /** @returns The URL of a route. */
  url(route: string): string;
  /**
   * Asks for a route.
   *
   * @param body Sent with POST; without it the question is a GET.
   * @param about Name of an agent in the route: a mistyped one gets a suggestion from the live tree.
   * @returns The body of its answer.
   * @throws AGENTRT_CLI_CONTROL_UNREACHABLE, AGENTRT_CLI_QUESTION_REFUSED.
   */
  ask(
    route: string,
    options?: { readonly body?: JsonObject; readonly about?: string },
  ): Promise<unknown>;
}

/**
 * Finds the control plane of the topology that a command line names.
 *
 * @param input With the flags `controlFlags`.
 * @param io Where the topology is read.
 * @throws AGENTRT_CLI_NO_CONTROL_PLANE; what reading the topology throws.
 */
export async function openControl(input: CommandInput, io: CommandIo): Promise<ControlReader> {
  const headers = parseHeaders(input.texts("header"));
  const { askControl, controlUrl } = await import("../remote/index.ts");
  const paths = topologyPaths(input);
  const { topology } = await loadRunningTopology({ paths, input, io });
  const url = (route: string): string => {
    const found = controlUrl(topology, route);
    if (found === undefined) throw new cliErrors.NO_CONTROL_PLANE({ path: paths.join(" + ") });
    return found;
  };
  const send = async (route: string, body?: JsonObject): Promise<ControlAnswer> => {
    const answer = await askControl(url(route), { headers, timeoutMs, body });
    if (answer.kind === "failure")
      throw new cliErrors.CONTROL_UNREACHABLE({ url: url(route), reason: answer.reason });
    return answer;
  };
  return {
    headers,
    url,
    ask: async (route, { body, about } = {}) => {
      const answer = await send(route, body);
      if (answer.kind === "body") return answer.body;
      const { status, error } = answer as ControlAnswer & { readonly kind: "status" };
      const isMistyped = status === 404 && about !== undefined;
      const hint = isMistyped ? didYouMean(about, namesIn(await send("/overview"))) : "";
      const credentials = status === 401 ? ': send credentials, such as -H "X-API-Key: …"' : "";
      const said = error === undefined ? "" : `${printable(error)}, `;
      const reason = `${said}HTTP status ${status}${credentials}${hint}`;
      throw new cliErrors.QUESTION_REFUSED({ route: printable(route), reason });
    },
  };
}

/** @returns The names in an answer to `/overview`. */
export function namesIn(answer: ControlAnswer): string[] {
  if (answer.kind !== "body") return [];
  return objectsOf(objectOf(answer.body)["agents"]).flatMap(({ name }) =>
    typeof name === "string" ? [name] : [],
  );
}

/** @returns The path of an agent's routes. */
export function agentPath(agent: string): string {
  return `/agents/${encodeURIComponent(agent.toWellFormed())}`;
}

/** Prints a body as one JSON document. */
export function printJson(io: CommandIo, body: unknown): void {
  io.print(`${printable(JSON.stringify(body, null, 2), Number.POSITIVE_INFINITY)}\n`);
}

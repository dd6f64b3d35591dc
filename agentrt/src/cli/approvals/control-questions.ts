import type { JsonObject } from "../../core/index.ts";
import type { CommandInput, CommandIo } from "../command.ts";
import { cliErrors } from "../errors.ts";
import { parseHeaders } from "../headers.ts";
import type { ControlAnswer } from "../remote/index.ts";
import { loadRunningTopology, topologyPaths } from "../topologies/index.ts";

const timeoutMs = 10_000;

/** Asks one route of a control plane: with a body it is a POST. */
export type Ask = (route: string, body?: JsonObject) => Promise<ControlAnswer>;

/**
 * Finds the control plane of a topology.
 *
 * @param input With the flags `controlFlags`.
 * @returns What asks it.
 * @throws AGENTRT_CLI_NO_CONTROL_PLANE; at a question AGENTRT_CLI_CONTROL_UNREACHABLE.
 */
export async function controlQuestions(input: CommandInput, io: CommandIo): Promise<Ask> {
  const headers = parseHeaders(input.texts("header"));
  const { askControl, controlUrl } = await import("../remote/index.ts");
  const paths = topologyPaths(input);
  const { topology } = await loadRunningTopology({ paths, input, io });
  return async (route, body) => {
    const url = controlUrl(topology, route);
    if (url === undefined) throw new cliErrors.NO_CONTROL_PLANE({ path: paths.join(" + ") });
    const answer = await askControl(url, { headers, timeoutMs, body });
    if (answer.kind === "failure")
      throw new cliErrors.CONTROL_UNREACHABLE({ url, reason: answer.reason });
    return answer;
  };
}

import { printable } from "../../core/index.ts";
import { isSupervisorNode, walkTree } from "../../topology/index.ts";
import type { CommandInput, CommandIo } from "../command.ts";
import { askControl, controlUrl } from "../remote/index.ts";
import { loadRunningTopology, topologyPaths } from "../topologies/index.ts";
import { namesIn } from "./control-reader.ts";

/** A shell waits for it. */
const timeoutMs = 1000;

/**
 * Lists the agents of the running topology; where none answers within a second, those of the file.
 *
 * @param input With the flags of a topology.
 * @param io Where the file is read.
 * @returns Their names, without those that a shell would take apart; empty when there is no file.
 */
export async function knownAgentNames(input: CommandInput, io: CommandIo): Promise<string[]> {
  const names = await readNames(input, io);
  return names.filter((name) => /^[\w./:@-]+$/.test(printable(name)));
}

async function readNames(input: CommandInput, io: CommandIo): Promise<string[]> {
  try {
    const { topology } = await loadRunningTopology({ paths: topologyPaths(input), input, io });
    const url = controlUrl(topology, "/overview");
    const live =
      url === undefined
        ? []
        : namesIn(await askControl(url, { headers: new Headers(), timeoutMs }));
    if (live.length > 0) return live;
    const nodes = [...walkTree(topology.supervision)];
    return nodes.filter((node) => !isSupervisorNode(node)).map(({ name }) => name);
  } catch {
    // A completion that fails offers nothing.
    return [];
  }
}

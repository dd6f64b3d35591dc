import { dirname, resolve } from "node:path";
import { simulatedTree } from "../../composition/index.ts";
import { printable } from "../../core/index.ts";
import {
  type BundleCrash,
  changedSources,
  type CrashBundle,
  readCrashFile,
} from "../../crashes/index.ts";
import { VirtualClock } from "../../testing/index.ts";
import type { CommandIo } from "../command.ts";
import { endingOnStrayFaults, whileLoading } from "../running/index.ts";
import { safeJson } from "../safe-json.ts";
import type { LoadedTopology } from "../topologies/index.ts";
import { replayCrash } from "./crash-replay.ts";

/** What is replayed. */
export interface CrashRequest {
  /** The record. */
  readonly file: string;
  /** The first file of the topology. */
  readonly path: string;
  readonly isJson: boolean;
}

/**
 * Replays a recorded crash and says whether it is the same.
 *
 * @param request The record, and the topology that it is of.
 * @param read The topology.
 * @param io Takes the result.
 * @returns The exit code: 0 where it crashed as recorded, 1 where it did not.
 * @throws AGENTRT_CRASH_UNREADABLE; AGENTRT_COMPOSITION_*, AGENTRT_PLUGIN_*.
 */
export async function runCrash(
  request: CrashRequest,
  { topology, mask }: LoadedTopology,
  io: CommandIo,
): Promise<number> {
  const bundle = readCrashFile(request.file);
  const projectFolder = dirname(resolve(request.path));
  const { world } = new VirtualClock({ seed: 0 });
  const tree = await whileLoading(io, async () =>
    world.run(() => simulatedTree(topology, request.path)),
  );
  try {
    const replay = await endingOnStrayFaults(io, () => replayCrash(bundle, tree, projectFolder));
    const changed = changedSources(projectFolder, bundle.source);
    const reasons = [
      ...bundle.replay.reasons,
      ...changed.map((file) => `${file} has changed since`),
      ...(replay === undefined ? [`the topology does not name the agent "${bundle.agent}"`] : []),
      ...(replay?.notes ?? []),
    ];
    const isRepeated = replay?.isRepeated === true;
    const { found, messageCount = 0 } = replay ?? {};
    const result = { bundle, found, messageCount, isRepeated, reasons };
    if (request.isJson) io.print(`${safeJson(jsonOf(result), { indent: 2 })}\n`);
    else for (const line of linesOf(result)) io.print(`${printable(mask(line))}\n`);
    return isRepeated ? 0 : 1;
  } finally {
    tree.close();
  }
}

interface CrashResult {
  readonly bundle: CrashBundle;
  readonly found: BundleCrash | undefined;
  readonly messageCount: number;
  readonly isRepeated: boolean;
  readonly reasons: readonly string[];
}

function linesOf({ bundle, found, messageCount, isRepeated, reasons }: CrashResult): string[] {
  const from = bundle.replay.from === "checkpoint" ? "its checkpoint" : "its state at the crash";
  const given = `${messageCount} ${messageCount === 1 ? "message" : "messages"}`;
  const how = `agent ${bundle.agent} from ${from}, ${given}`;
  if (isRepeated && found !== undefined) return [`repeated: ${how}`, ...crashLines(found)];
  const limits =
    reasons.length === 0 ? [] : ["what differs:", ...reasons.map((each) => `  ${each}`)];
  return [
    `not repeated: ${how}`,
    "recorded:",
    ...crashLines(bundle.error).map((line) => `  ${line}`),
    ...(found === undefined
      ? ["now: no crash"]
      : ["now:", ...crashLines(found).map((line) => `  ${line}`)]),
    ...limits,
  ];
}

function crashLines({ name, message, at }: BundleCrash): string[] {
  return [`${name}: ${message}`, ...(at === null ? [] : [`at ${at}`])];
}

function jsonOf({ bundle, found, messageCount, isRepeated, reasons }: CrashResult): object {
  const shown = (crash: BundleCrash): object => {
    const { name, code, message, at, stack } = crash;
    return { name, code, message, at, stack };
  };
  return {
    crash: bundle.id,
    agent: bundle.agent,
    from: bundle.replay.from,
    messages: messageCount,
    repeated: isRepeated,
    recorded: shown(bundle.error),
    found: found === undefined ? null : shown(found),
    reasons,
  };
}

import { controlFlags } from "../control-flags.ts";
import { type JsonObject, printable } from "../../core/index.ts";
import type { CommandSpec } from "../command.ts";
import { cliErrors } from "../errors.ts";
import {
  agentPath,
  type ControlReader,
  followRestart,
  objectOf,
  openControl,
} from "../watching/index.ts";
import { agentArgument, operate } from "./operate.ts";

/** `agentrt restart`. */
export const restartCommand: CommandSpec = {
  words: ["restart"],
  summary: "restart an agent of a running topology behind the message at hand",
  arguments: [agentArgument],
  flags: [
    { name: "reason", value: "text", summary: "what for" },
    { name: "no-wait", summary: "ask for it, and do not wait until it has begun again" },
    ...controlFlags,
  ],
  examples: [
    ["agentrt restart desk", "restarts the agent of ./topology.yaml; it costs no restart budget"],
    [
      "agentrt restart desk -t demo/topology.yaml --json",
      "the same for a script: `has_begun` says whether it has begun again within a minute",
    ],
  ],
  run: async (input, io) => {
    const reason = input.text("reason");
    const body = reason === undefined ? {} : { reason };
    const restart = { act: "restart", done: "restarted", body } as const;
    if (input.isSet("no-wait")) return await operate(restart, input, io);
    const reader = await openControl(input, io);
    const agent = input.argument("agent");
    const path = agentPath(agent);
    const before = await detailOf(reader, path);
    if (before === undefined) return await operate(restart, input, io);
    const hasBegun = async (): Promise<boolean> =>
      await followRestart(reader, { agent, path, before, timeoutMs: waitMsMax }, io);
    if (input.isSet("json")) {
      const outcome = async (): Promise<JsonObject> => ({ has_begun: await hasBegun() });
      return await operate({ ...restart, outcome }, input, io);
    }
    const code = await operate(restart, input, io);
    if (code !== 0) return code;
    if (await hasBegun()) io.print(`"${printable(agent)}" has begun again\n`);
    else io.tell(`note: it is not known to have begun again: agentrt describe ${printable(agent)}`);
    return code;
  },
};

/** Longest that the end of a restart is waited for. */
const waitMsMax = 60_000;

/** What it was before; undefined where nobody may look, or there is none: the restart says so. */
async function detailOf(
  reader: ControlReader,
  path: string,
): Promise<ReturnType<typeof objectOf> | undefined> {
  try {
    return objectOf(await reader.ask(path));
  } catch (error) {
    if (error instanceof cliErrors.QUESTION_REFUSED) return undefined;
    throw error;
  }
}

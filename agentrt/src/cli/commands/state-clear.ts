import { printable } from "../../core/index.ts";
import type { RawStates } from "../../state/index.ts";
import type { CommandIo, CommandSpec } from "../command.ts";
import { cliErrors } from "../errors.ts";
import { databaseFlag } from "./state-list.ts";

/** `agentrt state clear`. */
export const stateClearCommand: CommandSpec = {
  words: ["state", "clear"],
  summary: "forget the saved state of one agent, or of all",
  arguments: [{ name: "agent", summary: "only this agent; default all", isOptional: true }],
  flags: [databaseFlag, { name: "force", short: "f", summary: "do not ask first" }],
  examples: [
    ["agentrt state clear greeter", "asks, then forgets what the agent saved in ./agency_state.db"],
    ["agentrt state clear --db demo/state.db --force", "empties a file without asking"],
  ],
  run: async (input, io) => {
    const [{ openStates, readStateAddress }, { stateCount }] = await Promise.all([
      import("../../state/index.ts"),
      import("../states/index.ts"),
    ]);
    const text = input.text("db") ?? "";
    const [agent] = input.arguments("agent");
    const address = readStateAddress(text, { argument: "--db", isPathAllowed: true });
    const seen = openStates(address, { access: "look" });
    if (seen === undefined) {
      io.tell(`warning: there is no state file "${text}": nothing to clear`);
      return 0;
    }
    const { label } = seen;
    const names = await namesIn(seen);
    if (agent === undefined ? names.length === 0 : !names.includes(agent)) {
      const nobody = agent === undefined ? "no agent" : `no agent "${agent}"`;
      io.tell(`warning: ${nobody} has a saved state in "${label}": nothing to clear`);
      return 0;
    }
    const what =
      agent === undefined ? `all ${stateCount(names.length)}` : `the state of "${agent}"`;
    if (!input.isSet("force") && !(await isConfirmed(`Clear ${what} in "${label}"?`, io))) {
      io.tell("aborted: nothing was cleared");
      return 1;
    }
    const states = openStates(address, { access: "write" });
    try {
      await (agent === undefined ? states?.deleteAll() : states?.delete(agent));
    } finally {
      await states?.close();
    }
    io.print(`${printable(`Cleared ${what} in "${label}"`)}\n`);
    return 0;
  },
};

async function namesIn(states: RawStates): Promise<string[]> {
  try {
    return await states.listAgents();
  } finally {
    await states.close();
  }
}

async function isConfirmed(question: string, io: CommandIo): Promise<boolean> {
  if (io.confirm === undefined)
    throw new cliErrors.CONFIRMATION_MISSING({ command: "state clear", flag: "--force" });
  return await io.confirm(question);
}

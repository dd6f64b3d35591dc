import { printable, type JsonValue } from "../../core/index.ts";
import { type CommandSpec, type FlagSpec, jsonFlag } from "../command.ts";
import { safeJson } from "../safe-json.ts";

/** `--db` of the commands that look at one store. */
export const databaseFlag: FlagSpec = {
  name: "db",
  value: "path",
  summary: "the state file, or the postgresql:// URL of a state database",
  default: "agency_state.db",
};

interface ListedState {
  readonly agent: string;
  readonly state: JsonValue;
}

/** `agentrt state list`. */
export const stateListCommand: CommandSpec = {
  words: ["state", "list"],
  summary: "list agents with their saved states",
  flags: [databaseFlag, jsonFlag],
  examples: [
    ["agentrt state list", "lists what ./agency_state.db holds, also while a topology runs"],
    ["agentrt state list --db demo/state.db --json", "prints another file for a script"],
  ],
  run: async (input, io) => {
    const [{ openStates, readStateAddress }, { shownState, stateText }] = await Promise.all([
      import("../../state/index.ts"),
      import("../states/index.ts"),
    ]);
    const text = input.text("db") ?? "";
    const address = readStateAddress(text, { argument: "--db", isPathAllowed: true });
    const states = openStates(address, { access: "look" });
    const listed: ListedState[] = [];
    if (states === undefined) {
      io.tell(`warning: there is no state file "${text}"`);
    } else {
      try {
        for await (const row of states.rows())
          listed.push({ agent: row.agent, state: shownState(row.text) });
      } finally {
        await states.close();
      }
      if (listed.length === 0) io.tell(`no agent has a saved state in "${states.label}"`);
    }
    listed.sort((a, b) => (a.agent < b.agent ? -1 : 1));
    if (input.isSet("json")) {
      io.print(`${safeJson({ db: states?.label ?? text, agents: listed }, { indent: 2 })}\n`);
    } else if (listed.length > 0) {
      io.print(renderTable(listed, (state) => stateText(state, { indent: 2 })));
    }
    return 0;
  },
};

const nameWidthMax = 40;

function renderTable(listed: readonly ListedState[], render: (state: JsonValue) => string): string {
  const rows = listed.map(({ agent, state }) => [printable(agent), render(state)] as const);
  const width = Math.min(nameWidthMax, Math.max(5, ...rows.map(([name]) => name.length)));
  const indent = " ".repeat(width + 2);
  const lines = rows.map(
    ([name, state]) => `${name.padEnd(width)}  ${state.replaceAll("\n", `\n${indent}`)}`,
  );
  return `${"Agent".padEnd(width)}  State\n${lines.join("\n")}\n`;
}

import { printable, type JsonValue } from "../../core/index.ts";
import { type CommandSpec, type FlagSpec, jsonFlag } from "../command.ts";
import { safeJson } from "../safe-json.ts";

/** `--db` of the commands that look at one store. */
export const databaseFlag: FlagSpec = {
  name: "db",
  value: "path",
  summary: "the state file, the postgresql:// URL of a state database, or nats://host:port/bucket",
  default: "agency_state.db",
};

interface ListedState {
  readonly agent: string;
  /** When it was saved last, seconds since the Unix epoch; null where the store does not know. */
  readonly saved_at: number | null;
  /** Of its JSON, or of what is there instead. */
  readonly size_bytes: number;
  readonly state: JsonValue;
}

/** `agentrt state list`. */
export const stateListCommand: CommandSpec = {
  words: ["state", "list"],
  summary: "list agents with their saved states, when they were saved and how large they are",
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
        for await (const { agent, text: saved, savedAtMs } of states.rows())
          listed.push({
            agent,
            saved_at: savedAtMs === undefined ? null : savedAtMs / 1000,
            size_bytes: Buffer.byteLength(saved),
            state: shownState(saved),
          });
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
  const rows = listed.map(({ agent, saved_at: savedAt, size_bytes: sizeBytes, state }) => {
    const saved = savedAt === null ? "unknown" : timeText(savedAt * 1000);
    return { name: printable(agent), saved, size: `${sizeBytes} B`, state: render(state) };
  });
  const width = Math.min(nameWidthMax, Math.max(5, ...rows.map(({ name }) => name.length)));
  const sizeWidth = Math.max(4, ...rows.map(({ size }) => size.length));
  const head = (name: string, saved: string, size: string): string =>
    `${name.padEnd(width)}  ${saved.padEnd(timeWidth)}  ${size.padStart(sizeWidth)}  `;
  const indent = " ".repeat(head("", "", "").length);
  const lines = rows.map(
    ({ name, saved, size, state }) =>
      `${head(name, saved, size)}${state.replaceAll("\n", `\n${indent}`)}`,
  );
  return `${head("Agent", "Saved", "Size")}State\n${lines.join("\n")}\n`;
}

const timeWidth = "2026-01-01T00:00:00Z".length;

function timeText(atMs: number): string {
  return new Date(atMs).toISOString().replace(/\.\d+Z$/, "Z");
}

import { controlFlags } from "../control-flags.ts";
import type { CommandIo, CommandSpec } from "../command.ts";
import {
  ageText,
  agentPath,
  drawTable,
  numberIn,
  objectOf,
  objectsOf,
  openControl,
  printJson,
  textIn,
  type WireObject,
} from "../watching/index.ts";
import { agentArgument, operate } from "./operate.ts";

/** `agentrt mailbox`. */
export const mailboxCommand: CommandSpec = {
  words: ["mailbox"],
  summary: "list the messages that wait for an agent of a running topology, or drop one of them",
  arguments: [agentArgument],
  flags: [
    {
      name: "drop",
      value: "id",
      summary:
        "take this message out: it is not handled, and who waits for its answer gets an error",
    },
    { name: "limit", short: "n", value: "n", summary: "list the first n", default: "100" },
    ...controlFlags,
  ],
  examples: [
    [
      "agentrt mailbox desk",
      "lists what waits, next first, with ids and senders, without payloads",
    ],
    ["agentrt mailbox desk --drop 019a…", "drops one of them; agentrt dead-letters has it then"],
    ["agentrt mailbox ticket/4711 --json", "what waits for one key, for a script"],
  ],
  run: async (input, io) => {
    const agent = input.argument("agent");
    const id = input.text("drop");
    if (id !== undefined) {
      const route = `mailbox/${encodeURIComponent(id.toWellFormed())}/drop`;
      const done = (): string => `message ${id} is taken out of the mailbox of "${agent}"`;
      return await operate({ act: "drop from", route, done, body: {} }, input, io);
    }
    const reader = await openControl(input, io);
    const limit = encodeURIComponent(input.text("limit") ?? "100");
    const path = `${agentPath(agent)}/mailbox?limit=${limit}`;
    const body = objectOf(await reader.ask(path, { about: agent }));
    if (input.isSet("json")) printJson(io, body);
    else {
      const { timestamp } = objectOf(await reader.ask("/overview"));
      io.print(render(body, { now: numberIn(timestamp), io }));
    }
    return 0;
  },
};

function render(
  body: WireObject,
  { now, io }: { readonly now: number; readonly io: CommandIo },
): string {
  const depth = numberIn(body["depth"]);
  if (depth === 0) return "nothing waits\n";
  const messages = objectsOf(body["messages"]);
  const cells = messages.map(({ id, type, sender, priority, timestamp }) => [
    { text: textIn(id) },
    { text: textIn(type) },
    { text: textIn(sender) || "outside" },
    { text: String(numberIn(priority)) },
    { text: ageText(timestamp, now) },
  ]);
  const columns = [
    { title: "ID" },
    { title: "TYPE" },
    { title: "SENDER" },
    { title: "PRIORITY", isRight: true },
    { title: "WAITS", isRight: true },
  ];
  const more = depth - messages.length;
  const rest = more > 0 ? `and ${more} more: --limit ${depth}\n` : "";
  return `${drawTable(columns, cells, io.style.bold)}${rest}`;
}

import { controlFlags } from "../control-flags.ts";
import { printable } from "../../core/index.ts";
import type { CommandSpec } from "../command.ts";
import {
  followStream,
  momentText,
  numberIn,
  objectOf,
  openControl,
  pairsText,
  textIn,
} from "../watching/index.ts";

/** `agentrt events`. */
export const eventsCommand: CommandSpec = {
  words: ["events"],
  summary: "follow what happens in a running topology, until Ctrl+C, or list the latest",
  flags: [
    {
      name: "agent",
      value: "name",
      summary: "only of this agent; may be repeated",
      isRepeatable: true,
    },
    {
      name: "type",
      value: "type",
      summary: "only of this type, such as agent.crashed or supervisor.*; may be repeated",
      isRepeatable: true,
    },
    { name: "recent", value: "n", summary: "print the latest n first", default: "10" },
    { name: "once", summary: "end behind the latest, instead of waiting for more" },
    ...controlFlags.map((flag) =>
      flag.name === "json" ? { ...flag, summary: "print one JSON object a line" } : flag,
    ),
  ],
  examples: [
    ["agentrt events", "prints the latest ten events and those that come"],
    ["agentrt events --once --recent 50 --type 'topology.*'", "who applied something, and when"],
    ["agentrt events --type agent.crashed --json", "crashes, one JSON object a line"],
  ],
  run: async (input, io) => {
    const reader = await openControl(input, io);
    const query = new URLSearchParams({ recent: input.text("recent") ?? "10" });
    const [agents, types] = [input.texts("agent"), input.texts("type")];
    if (agents.length > 0) query.set("agent", agents.join(","));
    if (types.length > 0) query.set("type", types.join(","));
    const hasEnd = input.isSet("once");
    if (hasEnd) query.set("follow", "false");
    // A question that is refused says why; a stream would only say that it is.
    await reader.ask("/overview");
    const onLost = (reason: string): void =>
      io.tell(`note: the connection is lost and tried again: ${printable(reason)}`);
    for await (const event of followStream({
      route: `/events?${query.toString()}`,
      reader,
      onLost,
      hasEnd,
    })) {
      const data = objectOf(event.data);
      if (event.event === "gap") {
        const { missed } = data;
        const count = typeof missed === "number" ? `${numberIn(missed)} events` : "events";
        io.tell(`note: ${count} are missing here: they are no longer kept`);
      } else if (input.isSet("json")) {
        io.print(`${printable(JSON.stringify(data), Number.POSITIVE_INFINITY)}\n`);
      } else {
        // What a record of the audit log says in its details, such as who it was, is said in the line, too.
        const { type, agent, timestamp, details, ...rest } = data;
        const fields = pairsText({ ...rest, ...objectOf(details) });
        const line = [momentText(timestamp), textIn(type), textIn(agent), fields];
        io.print(`${line.join("  ").trimEnd()}\n`);
      }
    }
    return 0;
  },
};

import { controlFlags } from "../control-flags.ts";
import { printable } from "../../core/index.ts";
import type { CommandIo, CommandSpec } from "../command.ts";
import {
  agentPath,
  followStream,
  objectOf,
  objectsOf,
  openControl,
  pairsText,
  textIn,
  type WireObject,
} from "../watching/index.ts";

/** `agentrt logs`. */
export const logsCommand: CommandSpec = {
  words: ["logs"],
  summary: "print the latest log lines of an agent of a running topology, or of all",
  arguments: [
    { name: "agent", summary: "name of an agent; default all", isOptional: true, isAgent: true },
  ],
  flags: [
    { name: "follow", short: "f", summary: "go on with those that come, until Ctrl+C" },
    {
      name: "limit",
      short: "n",
      value: "n",
      summary: "print at most so many, 1 to 1000",
      default: "1000",
    },
    ...controlFlags.map((flag) =>
      flag.name === "json" ? { ...flag, summary: "print one JSON object a line" } : flag,
    ),
  ],
  examples: [
    ["agentrt logs desk", "prints its latest 1000 lines"],
    ["agentrt logs --follow -n 20", "prints the latest 20 lines of all, and those that come"],
  ],
  run: async (input, io) => {
    const [agent] = input.arguments("agent");
    const reader = await openControl(input, io);
    const path = agent === undefined ? "/logs" : `${agentPath(agent)}/logs`;
    const limit = encodeURIComponent(input.text("limit") ?? "1000");
    const about = agent === undefined ? {} : { about: agent };
    const isJson = input.isSet("json");
    const body = objectOf(await reader.ask(`${path}?limit=${limit}`, about));
    if (!input.isSet("follow")) {
      for (const line of objectsOf(body["lines"])) printLine(io, line, isJson);
      return 0;
    }
    const onLost = (reason: string): void =>
      io.tell(`note: the connection is lost and tried again: ${printable(reason)}`);
    const route = `${path}?follow=true&recent=${limit}`;
    for await (const { event, data } of followStream({ route, reader, onLost })) {
      if (event === "gap") io.tell("note: lines are missing here: they are no longer kept");
      else printLine(io, objectOf(data), isJson);
    }
    return 0;
  },
};

function printLine(io: CommandIo, line: WireObject, isJson: boolean): void {
  if (isJson) {
    io.print(`${printable(JSON.stringify(line), Number.POSITIVE_INFINITY)}\n`);
    return;
  }
  const { time, level, agent, message, error, traceId: _, spanId: __, ...rest } = line;
  const shown = { ...rest, ...errorFields(objectOf(error)) };
  const severity = textIn(level).padEnd(5);
  const colour = { error: io.style.red, warn: io.style.yellow }[textIn(level)] ?? String;
  const head = [textIn(time), colour(severity), textIn(agent) || "-"].join(" ");
  io.print(`${`${head}  ${textIn(message)}  ${pairsText(shown)}`.trimEnd()}\n`);
}

function errorFields({ name, message, at }: WireObject): WireObject {
  if (name === undefined) return {};
  return { error: `${textIn(name)}: ${textIn(message)}`, at };
}

import { controlFlags } from "../control-flags.ts";
import { createRealSystem, printable } from "../../core/index.ts";
import type { CommandIo, CommandSpec } from "../command.ts";
import {
  agentPath,
  followStream,
  LogLines,
  objectOf,
  objectsOf,
  openControl,
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
    const isFollowing = input.isSet("follow");
    const { print, style } = io;
    const lines = new LogLines({
      print,
      style,
      ...(isFollowing ? { system: createRealSystem() } : {}),
    });
    const show = (line: WireObject): void => {
      if (input.isSet("json")) printJsonLine(io, line);
      else lines.add(line);
    };
    const body = objectOf(await reader.ask(`${path}?limit=${limit}`, about));
    if (!isFollowing) {
      for (const line of objectsOf(body["lines"])) show(line);
      lines.flush();
      return 0;
    }
    // Repeats come before what is said about the stream behind them.
    const note = (text: string): void => {
      lines.flush();
      io.tell(`note: ${text}`);
    };
    const onLost = (reason: string): void =>
      note(`the connection is lost and tried again: ${printable(reason)}`);
    const route = `${path}?follow=true&recent=${limit}`;
    for await (const { event, data } of followStream({ route, reader, onLost })) {
      if (event === "gap") note("lines are missing here: they are no longer kept");
      else show(objectOf(data));
    }
    lines.flush();
    return 0;
  },
};

function printJsonLine(io: CommandIo, line: WireObject): void {
  io.print(`${printable(JSON.stringify(line), Number.POSITIVE_INFINITY)}\n`);
}

import { existsSync } from "node:fs";
import process from "node:process";
import { cliErrors } from "../errors.ts";
import { type CommandSpec, jsonFlag } from "../command.ts";

/** Where the exporter writes by default, and where earlier ones wrote. */
const directories = ["./telemetry", "./civitas_telemetry"] as const;

/** `agentrt telemetry`. */
export const telemetryCommand: CommandSpec = {
  words: ["telemetry"],
  summary: "look through recorded spans in the terminal: cost, rates, traces",
  arguments: [
    {
      name: "db_dir",
      summary:
        "the telemetry directory (default ./telemetry, or ./civitas_telemetry where only that is there)",
      isOptional: true,
    },
  ],
  flags: [
    {
      name: "since",
      value: "range",
      summary: "1h, 24h, 7d, 2w, 1m (30 days), or an ISO date or time",
      default: "24h",
    },
    {
      name: "window-days",
      value: "n",
      summary: "days of one file: window_days of the exporter",
      default: "30",
    },
    {
      name: "refresh",
      short: "r",
      value: "seconds",
      summary: "between two reads",
      default: "30.0",
    },
    { name: "once", summary: "print one picture and end" },
    {
      name: "plain",
      summary: "tell new spans in lines: for screen readers, and without a terminal",
    },
    jsonFlag,
  ],
  examples: [
    ["agentrt telemetry", "the last 24 hours of ./telemetry"],
    ["agentrt telemetry spans --since 7d", "a week of another directory"],
    ["agentrt telemetry --once --json", "what it knows, for a script"],
  ],
  run: async (input, io) => {
    const refreshSeconds = Number(input.text("refresh"));
    if (!(refreshSeconds >= 0.1 && refreshSeconds <= 3600))
      throw usage("--refresh must be a number of seconds from 0.1 to 3600");
    const windowDays = Number(input.text("window-days"));
    if (!(Number.isInteger(windowDays) && windowDays >= 1 && windowDays <= 36_500))
      throw usage("--window-days must be a whole number from 1 to 36500");
    const { parseSince, printOnce, runPlain, runTelemetry, SpanFolder } =
      await import("../telemetry-view/index.ts");
    const since = parseSince(input.text("since") ?? "");
    if (since === undefined)
      throw usage(
        "--since must be a number with h, d, w or m, such as 24h, or an ISO date or time",
      );
    const [first, other] = directories;
    const byDefault = !existsSync(first) && existsSync(other) ? other : first;
    const directory = input.arguments("db_dir")[0] ?? byDefault;
    const run = { folder: new SpanFolder(directory, windowDays), since, refreshSeconds };
    if (input.isSet("once") || input.isSet("json")) return printOnce(run, io, input.isSet("json"));
    if (input.isSet("plain") || !process.stdout.isTTY) return await runPlain(run, io);
    const { missingScreen } = await import("../../terminal/index.ts");
    const install = missingScreen();
    if (install !== undefined)
      throw new cliErrors.VIEW_NOT_INSTALLED({ view: "telemetry", install });
    return await runTelemetry(run, io);
  },
};

function usage(reason: string): Error {
  return new cliErrors.USAGE({ reason, help: "agentrt telemetry --help" });
}

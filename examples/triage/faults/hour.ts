/**
 * An operator's hour: the service of the example under light traffic, and ten faults that can be switched on.
 *
 *     node faults/hour.ts start <folder> [--agentrt <path of agentrt.cjs>]
 *     node faults/hour.ts on <folder> random|<number>|<name>
 *     node faults/hour.ts status <folder>
 *     node faults/hour.ts hint <folder>
 *     node faults/hour.ts stop <folder>
 */
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { addressFile, RunningHour } from "./running-hour.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { agentrt: { type: "string" } },
});
const [act = "", folder = "", fault = "random"] = positionals;
if (!["start", "on", "status", "hint", "stop"].includes(act) || folder === "") {
  process.stderr.write(
    "usage: hour.ts start|on|status|hint|stop <folder> [random|<number>|<name>]\n",
  );
  process.exit(2);
}
if (act === "start") {
  const hour = await RunningHour.start(resolve(folder), values.agentrt);
  process.stdout.write(`the service runs in ${resolve(folder)}, process ${hour.pid}\n`);
  process.once("SIGINT", () => void hour.stop()).once("SIGTERM", () => void hour.stop());
} else {
  const url = readFileSync(join(folder, addressFile), "utf8");
  const response = await fetch(`${url}/${act}/${act === "on" ? encodeURIComponent(fault) : ""}`);
  process.stdout.write(await response.text());
  process.exitCode = response.ok ? 0 : 1;
}

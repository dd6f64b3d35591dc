import { printable } from "../../core/index.ts";
import type { CommandSpec } from "../command.ts";
import { cliErrors } from "../errors.ts";
import { numberIn, objectOf, replacedWaits } from "../watching/index.ts";
import { changeFlags, fileArgument, openChange } from "./topology-change.ts";

/** `agentrt topology apply`. */
export const topologyApplyCommand: CommandSpec = {
  words: ["topology", "apply"],
  summary: "put a topology file in place of the one that runs, without a restart of the process",
  arguments: [fileArgument],
  flags: [...changeFlags, { name: "yes", short: "y", summary: "do not ask first" }],
  examples: [
    [
      "agentrt topology apply topology.yaml",
      "shows the plan, asks, and does it; if a start fails, all is as it was before",
    ],
    [
      "agentrt topology apply next.yaml --running topology.yaml --yes --json",
      "for a script, by the control plane of the file that runs now",
    ],
  ],
  run: async (input, io) => {
    const change = await openChange("apply", input, io);
    const { ask, isPlan, printJson, renderPlan } = change;
    const isJson = input.isSet("json");
    if (!input.isSet("yes")) {
      const { body } = await ask("/plan");
      if (!isPlan(body)) throw change.nonsense();
      if (!isJson) io.print(renderPlan(body, "would"));
      if (body.needs_restart.length === 0 && body.changes) {
        if (io.confirm === undefined)
          throw new cliErrors.CONFIRMATION_MISSING({ command: "topology apply", flag: "--yes" });
        if (!(await io.confirm("Apply it?"))) {
          io.tell("aborted: nothing was changed");
          return 1;
        }
      }
    }
    const before = numberIn(objectOf(await change.overview())["timestamp"]);
    const { body, late, plan } = await change.apply();
    if (isJson) printJson(body);
    else {
      if (input.isSet("yes") && plan !== undefined) io.print(renderPlan(plan, "did"));
      const isNothing = plan?.changes === false;
      io.print(isNothing ? "Nothing to change\n" : "Applied\n");
      if (late.length > 0)
        io.tell(printable(`did not stop in time and were abandoned: ${late.join(", ")}`));
      const names = plan?.parts.map(({ name }) => name) ?? [];
      if (names.length > 0)
        for (const line of replacedWaits(await change.overview(), names, before))
          io.print(`${printable(line)}\n`);
    }
    return 0;
  },
};

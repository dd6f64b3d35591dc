import process from "node:process";
import type { Finding } from "./finding.ts";

/** The oldest Node that runs agentrt without the Node of its platform package. */
const nodeMin = [24, 12] as const;

/**
 * Says which Node runs the program.
 *
 * @param version Default: of this process.
 */
export function checkNode(version: string = process.versions.node): Finding[] {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const isNewEnough = major > nodeMin[0] || (major === nodeMin[0] && minor >= nodeMin[1]);
  const wanted = `${nodeMin[0]}.${nodeMin[1]}`;
  return isNewEnough
    ? [{ check: "node", state: "ok", message: `Node ${version}` }]
    : [
        {
          check: "node",
          state: "failed",
          message: `Node ${version} is too old: ${wanted} or later is wanted`,
          remedy: "install a newer Node, or the optional packages of agentrt, which bring one",
        },
      ];
}

import { type CaseResult } from "../../agentrt/src/gateway/e2e/test-support/conformance/check.ts";
import type { Judge } from "./judge.ts";
import { plain, runTool, systemTool, versionOf } from "./tools.ts";

const connectionCount = 1_000;
const seconds = 20;
const modes: readonly (readonly [name: string, args: readonly string[]])[] = [
  ["slow headers (-H)", ["-H", "-i", "5", "-t", "GET"]],
  ["slow body (-B)", ["-B", "-i", "5", "-s", "8192", "-t", "POST"]],
  ["ranges (-R)", ["-R", "-t", "HEAD", "-a", "10", "-b", "3000"]],
  ["slow reading (-X)", ["-X", "-w", "10", "-y", "20", "-n", "5", "-z", "32", "-k", "3"]],
];

/** slowhttptest: a thousand connections that take their time, and a probe that must be served all the while. */
export const slowHttpTestJudge: Judge = createJudge();

function createJudge(): Judge {
  let path = "";
  return {
    name: "slowhttptest",
    subject: `${connectionCount} slow connections for ${seconds} seconds in each mode, while another client is served`,
    prepare() {
      const found = systemTool("slowhttptest", "slowhttptest");
      if (typeof found !== "string") return Promise.resolve(found);
      path = found;
      return Promise.resolve({ version: versionOf(path, "-h") || "as installed" });
    },
    async run({ clearPort }) {
      const results: CaseResult[] = [];
      for (const [name, args] of modes) {
        const url = `http://localhost:${clearPort}/large`;
        const all = [
          ...args,
          "-c",
          String(connectionCount),
          "-r",
          "200",
          "-l",
          String(seconds),
          "-p",
          "3",
          "-u",
          url,
        ];
        const { stdout } = await runTool(
          "sh",
          ["-c", `ulimit -n 4096; exec "$0" "$@"`, path, ...all],
          { timeoutMs: 120_000 },
        );
        const told = [...plain(stdout).matchAll(/service available:\s+(\w+)/g)].map(
          ([, word]) => word,
        );
        const isServed = told.length > 0 && told.every((word) => word === "YES");
        results.push({
          section: "modes",
          name,
          ...(isServed ? {} : { found: `service available: ${told.join(", ") || "not told"}` }),
        });
      }
      return results;
    },
  };
}

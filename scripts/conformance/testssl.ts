import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { CaseResult } from "../../agentrt/src/gateway/e2e/test-support/conformance/check.ts";
import type { Judge } from "./judge.ts";
import { runTool, systemTool, versionOf } from "./tools.ts";

interface Finding {
  readonly id: string;
  readonly severity: string;
  readonly finding: string;
}

/** testssl.sh: what is negotiated, what is refused, and the attacks on TLS that have names. */
export const testsslJudge: Judge = createJudge();

function createJudge(): Judge {
  let path = "";
  return {
    name: "testssl.sh",
    subject:
      "TLS of the gateway: versions, ciphers, extensions, and the attacks on TLS that have names",
    prepare() {
      const found = systemTool("testssl", "testssl.sh");
      if (typeof found !== "string") return Promise.resolve(found);
      path = found;
      return Promise.resolve({ version: versionOf(path, "--version") || "as installed" });
    },
    async run({ tlsPort, folder }) {
      const report = join(folder, "testssl.json");
      const args = [
        "--quiet",
        "--color",
        "0",
        "--warnings",
        "off",
        "--jsonfile",
        report,
        `localhost:${tlsPort}`,
      ];
      await runTool(path, args, { timeoutMs: 600_000 });
      const findings = JSON.parse(readFileSync(report, "utf8")) as readonly Finding[];
      return findings.filter(({ severity }) => severity !== "INFO").map(resultOf);
    },
  };
}

function resultOf({ id, severity, finding }: Finding): CaseResult {
  const section =
    id.startsWith("cert") || id.startsWith("DNS")
      ? "certificate"
      : /^(?:HSTS|HPKP|security_headers|banner|cookie|HTTP)/.test(id)
        ? "HTTP headers"
        : "protocol";
  return { section, name: id, ...(severity === "OK" ? {} : { found: `${severity}: ${finding}` }) };
}

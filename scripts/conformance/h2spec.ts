import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { CaseResult } from "../../agentrt/src/gateway/e2e/test-support/conformance/check.ts";
import type { Judge, JudgedServer } from "./judge.ts";
import { goTool, runTool } from "./tools.ts";

const version = "2.2.1";
const module = `github.com/summerwind/h2spec/cmd/h2spec@v${version}+incompatible`;

/** h2spec over TLS and in clear text by prior knowledge. */
export const h2specJudges: readonly Judge[] = [
  judge("over TLS", (server) => ["-p", String(server.tlsPort), "-t", "-k"]),
  judge("in clear text", (server) => ["-p", String(server.clearPort)]),
];

function judge(how: string, argsOf: (server: JudgedServer) => readonly string[]): Judge {
  let path = "";
  return {
    name: `h2spec ${how}`,
    subject: `HTTP/2 ${how}: RFC 9113 (as RFC 7540 numbers it) and RFC 7541, every section`,
    async prepare() {
      const found = await goTool("h2spec", module);
      if (typeof found !== "string") return found;
      path = found;
      return { version };
    },
    async run(server) {
      const report = join(server.folder, "h2spec.xml");
      await runTool(path, [
        "-h",
        "localhost",
        "-P",
        "/",
        "-o",
        "1",
        "-j",
        report,
        ...argsOf(server),
      ]);
      return readReport(readFileSync(report, "utf8"));
    },
  };
}

function readReport(xml: string): CaseResult[] {
  const results: CaseResult[] = [];
  for (const [, head = "", body = ""] of xml.matchAll(
    /<testsuite ([^>]*)>([\s\S]*?)<\/testsuite>/g,
  )) {
    const attribute = (text: string, name: string): string =>
      unescape(new RegExp(`\\b${name}="([^"]*)"`).exec(text)?.[1] ?? "");
    const group = attribute(head, "package").split("/")[0] ?? "";
    const section = `${group} ${attribute(head, "name")}`;
    const cases = [...body.matchAll(/<testcase ([^>]*)>([\s\S]*?)<\/testcase>/g)];
    cases.forEach(([, attributes = "", outcome = ""], index) => {
      const name = `${attribute(head, "package")}/${index + 1} ${attribute(attributes, "classname")}`;
      if (outcome.includes("<skipped")) return;
      const [, text] = /<(?:error|failure)[^>]*>([\s\S]*?)<\//.exec(outcome) ?? [];
      const lines = text === undefined ? [] : unescape(text).trim().split("\n");
      results.push({
        section,
        name,
        ...(text === undefined
          ? {}
          : { found: `${lines.at(-1)}; wanted ${lines.slice(0, -1).join(" or ")}` }),
      });
    });
  }
  return results;
}

function unescape(text: string): string {
  return text
    .replaceAll("&#34;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&")
    .replaceAll("&#xA;", "\n");
}

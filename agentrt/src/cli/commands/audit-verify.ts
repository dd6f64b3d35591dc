import { readFileSync } from "node:fs";
import { printable } from "../../core/index.ts";
import { type CommandSpec, jsonFlag } from "../command.ts";
import { cliErrors } from "../errors.ts";
import { safeJson } from "../safe-json.ts";
import { databaseFlag } from "./state-list.ts";

/** `agentrt audit verify`. */
export const auditVerifyCommand: CommandSpec = {
  words: ["audit", "verify"],
  summary: "look whether an audit log is as it was written",
  arguments: [{ name: "file", summary: "the file, or several in their order", isVariadic: true }],
  flags: [
    databaseFlag,
    {
      name: "lines-only",
      summary:
        "do not compare with the state store: then a cut tail, and a file that was written again, are not found",
    },
    jsonFlag,
  ],
  examples: [
    ["agentrt audit verify agentrt_audit.jsonl", "compares with the head in ./agency_state.db"],
    [
      "agentrt audit verify audit.jsonl.1 audit.jsonl --db demo/state.db",
      "looks through a rotated file and the one after it",
    ],
  ],
  run: async (input, io) => {
    const { verifyAudit, auditKeyVariable } = await import("../../audit/index.ts");
    const { storedHead } = await import("../audits/index.ts");
    const files = input.arguments("file");
    const text = files.map(readText).join("");
    const db = input.text("db") ?? "";
    const head = input.isSet("lines-only") ? undefined : await storedHead(db);
    const key = io.environment[auditKeyVariable] || undefined;
    const verdict = verifyAudit(text, { key, head });
    const isWhole = !verdict.findings.some(({ isTampering }) => isTampering);
    if (input.isSet("json")) {
      const found = verdict.findings.map(({ isTampering, ...finding }) => ({
        ...finding,
        tampering: isTampering,
      }));
      const { records, firstSeq, lastSeq, head: hash } = verdict;
      const body = { files: [...files], records, first: firstSeq, last: lastSeq, head: hash };
      io.print(`${safeJson({ ...body, whole: isWhole, findings: found }, { indent: 2 })}\n`);
    } else {
      for (const { line, text: said } of verdict.findings)
        io.print(`${line === null ? "" : `line ${line}: `}${printable(said)}\n`);
      const compared = head === undefined ? "the lines" : `the head in "${db}"`;
      const verb = isWhole ? "are as they were written" : "ARE NOT AS THEY WERE WRITTEN";
      io.print(`${verdict.records} records ${verb}, by ${printable(compared)}\n`);
    }
    return isWhole ? 0 : 1;
  },
};

function readText(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code ?? String(error);
    throw new cliErrors.AUDIT_UNREADABLE({ file, reason });
  }
}

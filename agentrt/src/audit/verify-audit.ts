import type { AuditHead } from "./audit-head.ts";
import { hashOfLine, noHash, parseLine, type AuditRecord } from "./audit-line.ts";

/** What is found about an audit log. */
export interface AuditFinding {
  /** What kind of finding it is. */
  readonly kind:
    | "changed"
    | "removed"
    | "added"
    | "unreadable"
    | "cut"
    | "rewritten"
    | "key"
    | "torn"
    | "gap"
    | "mismatch";
  /** Place of the line, from 1; null where it is about the whole. */
  readonly line: number | null;
  readonly text: string;
  /** True for what says that somebody changed the log; false for what the runtime itself tells. */
  readonly isTampering: boolean;
}

/** The result of a look at an audit log. */
export interface AuditVerdict {
  readonly records: number;
  /** Of the first record and the last one; null when there is none. */
  readonly firstSeq: number | null;
  readonly lastSeq: number | null;
  /** Hash of the last record. */
  readonly head: string;
  readonly findings: readonly AuditFinding[];
}

/** What an audit log is compared with. */
export interface VerifyOptions {
  /** Of the HMAC. */
  readonly key: string | undefined;
  /** That of the state store; undefined where only the lines are looked at. */
  readonly head: AuditHead | undefined;
}

const findingCountMax = 100;

/**
 * Looks whether an audit log is as it was written.
 *
 * @param text Of the file; of several that follow one another, one behind the other.
 * @param options What to compare it with.
 */
export function verifyAudit(text: string, options: VerifyOptions): AuditVerdict {
  const findings: AuditFinding[] = [];
  const tell = (kind: AuditFinding["kind"], line: number | null, said: string): void => {
    const isTampering = kind !== "torn" && kind !== "gap";
    if (findings.length < findingCountMax) findings.push({ kind, line, text: said, isTampering });
  };
  const lines = text.split("\n");
  const torn = lines.pop() ?? "";
  if (torn !== "") {
    const said =
      "the last line is torn: the process died while it wrote it; the next start cuts it off and says so";
    tell("torn", lines.length + 1, said);
  }
  const hashes = new Map<number, string>();
  let before: { readonly record: AuditRecord; readonly hash: string } | undefined;
  let first: AuditRecord | undefined;
  for (const [index, line] of lines.entries()) {
    const record = parseLine(line);
    if (record === undefined) {
      tell("unreadable", index + 1, "it is not a record: it was changed or added");
      before = undefined;
      continue;
    }
    first ??= record;
    if (index === 0) beginsAt(record, options, tell);
    else if (before !== undefined) follows(record, before, { line: index + 1, tell });
    owned(record, index + 1, tell);
    before = { record, hash: hashOfLine(line, options.key) };
    hashes.set(record.seq, before.hash);
  }
  const last = before?.record;
  if (options.head !== undefined) compareHead(options.head, { hashes, last, tell });
  return {
    records: lines.length,
    firstSeq: first?.seq ?? null,
    lastSeq: last?.seq ?? null,
    head: before?.hash ?? noHash,
    findings,
  };
}

type Tell = (kind: AuditFinding["kind"], line: number | null, said: string) => void;

function beginsAt(record: AuditRecord, { key }: VerifyOptions, tell: Tell): void {
  if (record.event !== "audit.begin") {
    tell("removed", 1, `it begins with record ${record.seq}: those before it are missing`);
    return;
  }
  const algorithm = record.details["hash"];
  if (algorithm === "hmac-sha256" && key === undefined)
    tell("key", 1, "its hashes are made with a key: set AGENTRT_AUDIT_KEY");
  if (algorithm === "sha256" && key !== undefined)
    tell("key", 1, "its hashes are made without a key: unset AGENTRT_AUDIT_KEY");
  if (record.seq === 1 && record.prev !== noHash)
    tell("changed", 1, "the first record was changed");
}

function follows(
  record: AuditRecord,
  before: { readonly record: AuditRecord; readonly hash: string },
  { line, tell }: { readonly line: number; readonly tell: Tell },
): void {
  const wanted = before.record.seq + 1;
  if (record.seq > wanted) {
    const missing =
      record.seq === wanted + 1 ? `record ${wanted}` : `records ${wanted} to ${record.seq - 1}`;
    const verb = record.seq === wanted + 1 ? "is" : "are";
    tell("removed", line, `${missing} ${verb} missing before it`);
  } else if (record.seq < wanted) {
    tell(
      "added",
      line,
      `it is record ${record.seq}, behind record ${before.record.seq}: it was added or moved`,
    );
  } else if (record.prev !== before.hash) {
    tell(
      "changed",
      line - 1,
      `record ${before.record.seq} is not the one that was written, or the key is another one`,
    );
  }
}

/** What the runtime has recorded about the log itself. */
function owned({ event, details }: AuditRecord, line: number, tell: Tell): void {
  if (event === "audit.gap")
    tell(
      "gap",
      line,
      `${Number(details["records"])} records are not here: ${JSON.stringify(details["reason"])}`,
    );
  if (event === "audit.mismatch")
    tell("mismatch", line, "at a start the log did not end with the record that was written last");
}

function compareHead(
  head: AuditHead,
  found: {
    readonly hashes: ReadonlyMap<number, string>;
    readonly last: AuditRecord | undefined;
    readonly tell: Tell;
  },
): void {
  const { hashes, last, tell } = found;
  const lastSeq = last?.seq ?? 0;
  if (lastSeq < head.count) {
    const said = `it ends with record ${lastSeq}, and ${head.count} were written: its tail was cut off`;
    tell("cut", null, said);
    return;
  }
  const hash = hashes.get(head.count);
  const isOther = head.count > 0 && hash !== undefined && hash !== head.hash;
  const isOtherNext =
    head.next !== undefined &&
    hashes.has(head.next.count) &&
    hashes.get(head.next.count) !== head.next.hash;
  if (isOther || isOtherNext) {
    tell(
      "rewritten",
      null,
      `record ${isOther ? head.count : head.next?.count} is not the one whose hash the state store has: it was changed, or the file was written again`,
    );
    return;
  }
  const most = head.next?.count ?? head.count;
  if (lastSeq > most)
    tell(
      "added",
      null,
      `it ends with record ${lastSeq}, and ${most} were written: records were added`,
    );
}

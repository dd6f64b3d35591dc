/**
 * The audit log: who changed what over the control plane, and who was refused.
 *
 * ```
 * record(event) → queue (bounded) → line with the hash of the one before → head into the state store → sink → head
 *                                                                                  file | syslog | OTLP
 * ```
 *
 * Each line carries the hash (SHA-256, or an HMAC where there is a key) of the line before it. How many there are and the
 * hash of the last one are in the state store, which is written before the sink and after it: so a line that is removed,
 * changed or added, a tail that is cut off and a file that is written again are found, and what a process that died left
 * behind is not taken for that. `verifyAudit` looks.
 *
 * A sink that fails stops nothing: records wait, at most `waitingCountMax`, then they are counted and a record says the gap.
 * What attackers can bring about is counted together by `SecurityTally`. The folder knows records, not requests or agents.
 */
export { type AuditSettings, auditPathDefault, createAuditLog } from "./create-audit-log.ts";
export { auditStateKey, type AuditHead, readHead } from "./audit-head.ts";
export { type AuditFinding, type AuditVerdict, verifyAudit } from "./verify-audit.ts";
export { auditKeyVariable, type AuditRecord, parseLine } from "./audit-line.ts";

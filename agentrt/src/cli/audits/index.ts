/**
 * Audit logs as the command line looks at them: the file, read while it grows, and the head that a state store has.
 *
 * It must not know the flags of a command.
 */
export { AuditReader } from "./audit-reader.ts";
export { recordText } from "./record-text.ts";
export { storedHead } from "./stored-head.ts";

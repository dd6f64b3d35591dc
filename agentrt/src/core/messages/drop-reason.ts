/**
 * Why a message was not handled: nobody has the name; the receiver refused it, because it is stopped or had no room;
 * its `ttlMs` or the deadline of its caller was over; its caller had left before it was handled; the receiver stopped
 * for good before it was handled; the receiver crashed on it; `onError` skipped it; an operator took it out of the mailbox;
 * a broker that keeps it gave it out again and again, and each time the process died in which its handling had begun.
 */
export type DropReason =
  | "noRoute"
  | "refused"
  | "expired"
  | "abandoned"
  | "stopped"
  | "crashed"
  | "skipped"
  | "removed"
  | "exhausted";

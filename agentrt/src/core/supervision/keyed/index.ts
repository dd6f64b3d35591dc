/**
 * Keyed agents: one object for each conversation, ticket or customer, there while it is needed.
 *
 * It must not know what a key stands for.
 */
export { keyErrors } from "./errors.ts";
export { KeyHandle } from "./key-handle.ts";
export { KeyedSupervisor } from "./keyed-supervisor.ts";
export type { KeyPage } from "./key-page.ts";
export { keyOfMessage } from "./key-of-message.ts";

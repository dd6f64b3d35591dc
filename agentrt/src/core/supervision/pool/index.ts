/**
 * Several objects of one class behind one name.
 *
 *     message ─▶ PoolQueue (the name, the mailbox) ─▶ the member that is free longest: PoolMember ─▶ its message loop
 *                    ▲                                     │ free again, or gone before it began
 *                    └─────────────────────────────────────┘
 *     Pool       the supervisor of the members: restarts, more and fewer of them, suspension, stop
 *
 * It must not know how a message is handled.
 */
export { Pool } from "./pool.ts";
export { PoolQueue } from "./pool-queue.ts";

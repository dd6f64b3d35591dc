/**
 * What must hold in every run of every tree, whatever goes wrong: each invariant is a small function, which
 * is made again for each run and remembers of it what it needs.
 *
 * They look at a tree from outside: at what the hooks of agents are called with, at the events and counters of the
 * runtime, never at the kernel's own books, so that a fault of the kernel cannot hide itself.
 */
import { nothingAfterStop } from "./after-stop.ts";
import { crashesDecided, restartsHappen } from "./crashes-decided.ts";
import { approvalsHold } from "./approvals.ts";
import { budgetsHold, ledgersAgree } from "./budgets.ts";
import type { Invariant } from "../invariant.ts";
import { dropsCounted, messageBalance } from "./message-balance.ts";
import { deadlinesShrink, noReplyAfterCancel, unwantedNotHandled } from "./cancellation.ts";
import { drainAnswers } from "./drain-answers.ts";
import { keysAreServed, keysKeepState, residentsLimited } from "./keys.ts";
import { messageOrder } from "./message-order.ts";
import { oneIncarnation } from "./one-incarnation.ts";
import { poolMembersLimited, poolsScale, poolsServe } from "./pools.ts";
import { callsEnd, replies } from "./replies.ts";
import { restartBudget } from "./restart-budget.ts";
import { restoredState } from "./restored-state.ts";
import { startAndStopOrder, startsHaveReasons, statusesFit } from "./start-and-stop-order.ts";
import { suspendedWait } from "./suspension.ts";

export type { Invariant, View } from "../invariant.ts";
export { supervisorNodeOf } from "./supervisor-state.ts";

/**
 * Makes the invariants of one run.
 *
 * @returns All that this package promises.
 */
export function kernelInvariants(): Invariant[] {
  return [
    messageOrder(),
    messageBalance(),
    dropsCounted(),
    oneIncarnation(),
    replies(),
    callsEnd(),
    noReplyAfterCancel(),
    unwantedNotHandled(),
    deadlinesShrink(),
    drainAnswers(),
    residentsLimited(),
    keysAreServed(),
    keysKeepState(),
    poolMembersLimited(),
    poolsServe(),
    poolsScale(),
    crashesDecided(),
    restartsHappen(),
    restartBudget(),
    startAndStopOrder(),
    startsHaveReasons(),
    statusesFit(),
    restoredState(),
    suspendedWait(),
    approvalsHold(),
    budgetsHold(),
    ledgersAgree(),
    nothingAfterStop(),
  ];
}

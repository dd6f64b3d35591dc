import type { Budget, BudgetEvent } from "../llm/index.ts";
import type { MessageDigest } from "../messages/index.ts";
import type { AuditEvent } from "../ports/index.ts";
import type { ApprovalEvent, ApprovalFaultEvent } from "../approvals/index.ts";
import type { SuspensionEvent } from "../suspension/index.ts";
import type { RecordedCrash, ShownCrash } from "./crash-trail.ts";
import type { RestartStrategy } from "./supervisor-spec.ts";

/** What happened in a tree, in order: the source of logs, metrics and audit. Plain values. */
export type RuntimeEvent =
  | { readonly type: "agent.started"; readonly name: string; readonly atMs: number }
  | { readonly type: "agent.stopped"; readonly name: string; readonly atMs: number }
  | {
      readonly type: "agent.crashed";
      readonly name: string;
      readonly atMs: number;
      readonly error: unknown;
      /** The message it was thrown for; null for none, or where that is not known. */
      readonly message: MessageDigest | null;
      /** As it is recorded, without secrets; absent where it is not. */
      readonly record?: RecordedCrash;
      /** Its texts without the secrets that the agent had at hand; absent where nothing looks for them. */
      readonly shown?: ShownCrash;
    }
  | SuspensionEvent
  | {
      /** What an operator did, or a client was refused; `name` is empty where it is about no agent. */
      readonly type: "audit.recorded";
      readonly name: string;
      readonly atMs: number;
      readonly record: AuditEvent;
    }
  | ApprovalEvent
  | ApprovalFaultEvent
  | BudgetEvent
  | {
      /** A stop that did not end in time; its incarnation is abandoned. */
      readonly type: "agent.late";
      readonly name: string;
      readonly atMs: number;
      readonly timeoutMs: number;
    }
  | {
      /** A child crashed and its supervisor took note; `delayMs` is the wait before the restart. */
      readonly type: "supervisor.crash";
      readonly supervisor: string;
      readonly child: string;
      readonly atMs: number;
      readonly crashesInWindow: number;
      readonly delayMs: number;
      readonly error: unknown;
    }
  | {
      /** A restart begins: `children` in the order in which they start. */
      readonly type: "supervisor.restart";
      readonly supervisor: string;
      readonly child: string;
      readonly atMs: number;
      readonly restartCount: number;
      readonly crashesInWindow: number;
      readonly strategy: RestartStrategy;
      readonly children: readonly string[];
    }
  | {
      /** The restart budget is used up: a root leaves the child CRASHED, any other supervisor fails upward. */
      readonly type: "supervisor.exhausted";
      readonly supervisor: string;
      readonly child: string;
      readonly atMs: number;
      readonly isEscalated: boolean;
      readonly error: unknown;
    }
  | {
      /** A child was admitted by a dynamic supervisor; its start follows. */
      readonly type: "dynamic.spawned";
      readonly supervisor: string;
      readonly child: string;
      /** Name of the agent that asked for it; `_runtime` for the program that runs the tree. */
      readonly spawner: string;
      /** Name of the class. */
      readonly agentClass: string;
      /** What its model calls may cost; undefined when the spawn set no budget. */
      readonly budget: Budget | undefined;
      readonly atMs: number;
    }
  | {
      /** A spawned child is gone for good, and its name is free. Its spawner gets the same reason. */
      readonly type: "dynamic.terminated";
      readonly supervisor: string;
      readonly child: string;
      readonly spawner: string;
      readonly reason: string;
      readonly atMs: number;
    };

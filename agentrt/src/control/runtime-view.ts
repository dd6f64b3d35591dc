import type { ApplyPort } from "./applying/index.ts";
import type {
  AgentActivity,
  DrainRequest,
  AgentNode,
  AuditEvent,
  AuditRefusal,
  AuditReport,
  AwaitedModel,
  CircuitSnapshot,
  DeadLetter,
  JsonObject,
  KeyPage,
  TreeNode,
} from "../core/index.ts";
import type { Observer } from "./observing/index.ts";
import type {
  Elsewhere,
  MailboxPicture,
  PlacedNode,
  ResumeOptions,
  RuntimeApprovals,
  RuntimeHealth,
  RuntimeSnapshot,
  RuntimeStatus,
  SuspendOptions,
} from "../runtime/index.ts";
import type { ControlReads, Standby } from "./standby/index.ts";
import type { ProcessPicture } from "./process-picture.ts";
import type { TelemetryView } from "./telemetry-view.ts";

/** What the control plane may see of a runtime: plain values, pictures of the moment it asks. A `Runtime` is one. */
export interface RuntimeView extends TelemetryView {
  /** {@inheritDoc Runtime.elsewhere} */
  readonly elsewhere?: Elsewhere | undefined;
  /** The whole tree, from its root. */
  tree(): TreeNode;
  /** {@inheritDoc Runtime.transportName} */
  readonly transportName: string;
  /** Where it is in its life. */
  readonly status: RuntimeStatus;
  /** Whether all of it runs. */
  health(): RuntimeHealth;
  /** The circuits of models, agents and tools. */
  circuits(): readonly CircuitSnapshot[];
  /** {@inheritDoc Runtime.snapshot} */
  snapshot(names?: readonly string[]): RuntimeSnapshot;
  /** {@inheritDoc Runtime.findNode} */
  findNode(name: string): PlacedNode | undefined;
  /** {@inheritDoc Runtime.awaitedModels} */
  awaitedModels(): readonly AwaitedModel[];
  /** The latest messages that nobody handled, oldest first. */
  deadLetters(): readonly DeadLetter[];
  /** What waits for an agent, a pool or a key. Throws as `Runtime.mailbox`. */
  mailbox(name: string, options: { readonly limit?: number }): MailboxPicture;
  /** {@inheritDoc Runtime.activity} */
  activity(name: string): AgentActivity;
  /** {@inheritDoc Runtime.modelAnsweredMs} */
  modelAnsweredMs(name: string): number | undefined;
  /** {@inheritDoc Runtime.agentState} */
  agentState(name: string): JsonObject | undefined;
  /** {@inheritDoc Runtime.keys} */
  keys(name: string, page: KeyPage): readonly AgentNode[];
  /** {@inheritDoc Runtime.agentNode} */
  agentNode(name: string): AgentNode | undefined;
  /** What happened lately. */
  readonly observer: Observer;
  /** The process that the runtime is in. */
  process(): ProcessPicture;
}

/** What operators may do with a runtime. */
export interface RuntimeControl extends RuntimeView, ApplyPort {
  /** Answers supervisors that wait; absent where none can be. */
  readonly reads?: ControlReads | undefined;
  /** There in a supervisor that waits. */
  readonly standby?: Standby | undefined;
  /** {@inheritDoc Runtime.suspend} */
  suspend(name: string, options: SuspendOptions): Promise<void>;
  /** {@inheritDoc Runtime.resume} */
  resume(name: string, options: ResumeOptions): Promise<void>;
  /** {@inheritDoc Runtime.approvals} */
  readonly approvals: RuntimeApprovals;
  /** {@inheritDoc Runtime.drain} */
  drain(name: string, options: DrainRequest): Promise<void>;
  /** {@inheritDoc Runtime.restart} */
  restart(name: string, options: { readonly initiatedBy: string }): Promise<void>;
  /** {@inheritDoc Runtime.inject} */
  inject(
    name: string,
    message: { readonly type: string; readonly payload: JsonObject },
  ): Promise<string>;
  /** {@inheritDoc Runtime.dropMessage} */
  dropMessage(name: string, id: string, options: { readonly initiatedBy: string }): boolean;
  /** {@inheritDoc Runtime.recordAudit} */
  recordAudit(event: AuditEvent): Promise<void>;
  /** {@inheritDoc Runtime.noteRefusal} */
  noteRefusal(refusal: AuditRefusal): void;
  /** {@inheritDoc Runtime.auditReport} */
  auditReport(): AuditReport | undefined;
  /** Says something loudly. */
  warn(message: string, fields: { readonly [name: string]: unknown }): void;
  /** True for agents of the runtime itself, gateways and topology servers: no suspension stops them. */
  isClosed(name: string): boolean;
  /** Settles in a later turn of the event loop, when all that was about to happen in this one has. */
  turnEnd(): Promise<void>;
}

import { env } from "node:process";
import type { MessageSchemas, System } from "../core/index.ts";
import { type ListeningAddress, RequestMetrics } from "../gateway/index.ts";
import type {
  ApplyPort,
  ControlReads,
  HiddenNames,
  Observer,
  RuntimeParts,
  Standby,
} from "../node-specs/index.ts";
import type { Runtime } from "../runtime/index.ts";
import { watchApprovals } from "./watch-approvals.ts";
import { auditControl } from "./audit-of.ts";
import type { ProcessSampler } from "./process-sampler.ts";

/** What nodes that ask their runtime are given. */
export interface PartsInit {
  readonly system: System;
  /** The runtime; throws before it is built. */
  readonly running: () => Runtime & ApplyPort;
  readonly isBuilt: () => boolean;
  /** Others after a change of the tree. */
  readonly hidden: { readonly names: HiddenNames };
  readonly sampler: ProcessSampler;
  /** Made when somebody asks for it. */
  readonly observer: () => Observer;
  readonly reads: ControlReads;
  readonly standby: Standby | undefined;
  readonly onListening: ((address: ListeningAddress) => void) | undefined;
}

/**
 * Makes what nodes may ask of the runtime that they are part of, once it runs.
 *
 * @param init The runtime, and what else there is to ask.
 */
export function runtimeParts(init: PartsInit): RuntimeParts {
  const { system, running, hidden, sampler, observer, onListening } = init;
  const requestMetrics = new RequestMetrics();
  return {
    system,
    environment: env,
    addEntrance: (entrance) => running().addEntrance(entrance),
    hasAgent: (name) => hasAgentIn(running().registry, name),
    agentSchemas: () => schemasIn(running().registry),
    suspensions: watchApprovals(running),
    chooseCapable: (tag) => running().registry.chooseCapable(tag, { random: system.random() }),
    isClosed: (name) => hidden.names.closed.has(name) || running().registry.isSession(name),
    tracer: () => (init.isBuilt() ? running().tracer : undefined),
    requestMetrics,
    onRefusal: (refusal) => {
      if (init.isBuilt()) running().noteRefusal(refusal);
    },
    openSession: (name, sink) => running().openSession(name, sink),
    isInfrastructure: (name) => hidden.names.infrastructure.has(name),
    control: {
      reads: init.reads,
      standby: init.standby,
      get elsewhere() {
        return running().elsewhere;
      },
      get transportName() {
        return running().transportName;
      },
      get status() {
        return running().status;
      },
      mailbox: (name, asked) => running().mailbox(name, asked),
      process: () => sampler.sample(),
      suspend: (name, asked) => running().suspend(name, asked),
      resume: (name, asked) => running().resume(name, asked),
      get approvals() {
        return running().approvals;
      },
      drain: (name, asked) => running().drain(name, asked),
      restart: (name, asked) => running().restart(name, asked),
      inject: (name, message) => running().inject(name, message),
      dropMessage: (name, id, asked) => running().dropMessage(name, id, asked),
      plan: (source) => running().plan(source),
      apply: (source, asked) => running().apply(source, asked),
      get applyState() {
        return running().applyState;
      },
      isClosed: (name) => hidden.names.closed.has(name),
      ...auditControl(running),
      turnEnd: () => new Promise((resolve) => system.yieldTurn(resolve)),
      health: () => running().health(),
      circuits: () => running().circuits(),
      ...pastOf(running),
      requestMetrics: () => requestMetrics.toValue(),
      processUsage: () => sampler.usage(),
      ...picturesOf(running),
      get observer() {
        return observer();
      },
    },
    ...(onListening === undefined ? {} : { onListening }),
  };
}

/** @returns True for an agent that is neither a member of a pool nor a client's connection. */
function hasAgentIn(registry: Runtime["registry"], name: string): boolean {
  const found = registry.get(name);
  const isSession = registry.isSession(name);
  return found?.kind === "agent" && found.address?.pool === undefined && !isSession;
}

/** @returns What agents declare of their messages, by name; members of a pool are left out. */
function schemasIn(registry: Runtime["registry"]): ReadonlyMap<string, MessageSchemas> {
  const found = new Map<string, MessageSchemas>();
  for (const { name, schemas, address } of registry.list())
    if (schemas !== undefined && address?.pool === undefined) found.set(name, schemas);
  return found;
}

/** What is there at a moment. */
function picturesOf(
  running: PartsInit["running"],
): Pick<
  Runtime,
  | "activity"
  | "agentNode"
  | "agentState"
  | "awaitedModels"
  | "findNode"
  | "keys"
  | "modelAnsweredMs"
  | "snapshot"
  | "tree"
> {
  return {
    tree: () => running().tree(),
    snapshot: (names) => running().snapshot(names),
    findNode: (name) => running().findNode(name),
    awaitedModels: () => running().awaitedModels(),
    activity: (name) => running().activity(name),
    modelAnsweredMs: (name) => running().modelAnsweredMs(name),
    agentState: (name) => running().agentState(name),
    agentNode: (name) => running().agentNode(name),
    keys: (name, page) => running().keys(name, page),
  };
}

/** What happened lately. */
function pastOf(
  running: PartsInit["running"],
): Pick<Runtime, "crashRecord" | "crashRecords" | "deadLetters" | "findTrace" | "traces"> {
  return {
    crashRecord: (id) => running().crashRecord(id),
    crashRecords: () => running().crashRecords(),
    findTrace: (traceId) => running().findTrace(traceId),
    traces: (query) => running().traces(query),
    deadLetters: () => running().deadLetters(),
  };
}

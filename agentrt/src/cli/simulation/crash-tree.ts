import type { BundleMessage } from "../../crashes/index.ts";
import {
  type Address,
  type AgentSpec,
  CancelSignal,
  type ChildSpec,
  Downs,
  Message,
  type Registration,
  type Registry,
  type ReplySlot,
  StreamProducer,
  type SupervisorSpec,
} from "../../core/index.ts";

/**
 * Finds the description of an agent, of a key, or of a member of a pool.
 *
 * @param root The tree.
 * @param name Its name.
 * @returns Undefined for one that the tree does not name, such as a child that was spawned.
 */
export function specOf(root: SupervisorSpec, name: string): AgentSpec | undefined {
  for (const node of nodesOf(root)) {
    if (node.kind === "agent" && node.name === name) return node;
    if (node.kind === "agent" || !name.startsWith(`${node.name}/`)) continue;
    const rest = name.slice(node.name.length + 1);
    const found = node.keyed?.specOf(rest) ?? node.pool?.specOf(Number(rest));
    if (found !== undefined) return found;
  }
  return undefined;
}

/** @returns The description of the same agent without what it may cost: nothing is paid for. */
export function freeSpec(spec: AgentSpec): AgentSpec {
  const { name, limits, capabilities, capabilityMetadata } = spec;
  const own = { name, limits, capabilities, capabilityMetadata };
  return { kind: "agent", ...own, create: () => spec.create(), processName: undefined };
}

function* nodesOf(node: ChildSpec): Generator<ChildSpec> {
  yield node;
  if (node.kind === "supervisor") for (const each of node.children) yield* nodesOf(each);
}

/**
 * Puts names into a registry behind which nobody is: whatever is sent there the transport of a replay takes.
 *
 * @param registry Of the runtime of the replay.
 * @param names.root The tree whose agents are meant, except the one that is replayed.
 * @param names.more Further names.
 */
export function registerAbsent(
  registry: Registry,
  { root, more }: { readonly root: SupervisorSpec; readonly more: readonly string[] },
): void {
  const put = (name: string, given: Partial<Registration>): void => {
    if (name === "" || registry.get(name)?.name === name) return;
    const downs = new Downs(name);
    const own = { name, kind: "agent", address: nobody, downs } as const;
    registry.register({ capabilities: [], capabilityMetadata: {}, ...own, ...given });
  };
  for (const node of nodesOf(root)) {
    const { name } = node;
    const policy = node.kind === "agent" ? node : (node.pool ?? node.keyed);
    if (policy === undefined) continue;
    const { capabilities, capabilityMetadata } = policy;
    const takesKeys = node.kind === "supervisor" && node.keyed !== undefined;
    put(name, { capabilities, capabilityMetadata, takesKeys });
  }
  for (const name of more) put(name, {});
}

const nobody: Address = {
  control: () => false,
  concurrency: 1,
  mailboxLengthMax: Number.MAX_SAFE_INTEGER,
  mailboxDepth: 0,
  isSuspended: false,
  isAccepting: true,
  accept: () => undefined,
};

/**
 * Makes a message as it was recorded, with the ids that it had.
 *
 * @param given The message.
 * @param recipient Name of the agent.
 * @param sentAtMs Monotonic time of the replay.
 */
export function recordedMessage(
  given: BundleMessage,
  recipient: string,
  sentAtMs: number,
): Message {
  const { id, type, sender, verb, payload, priority, timestamp } = given;
  const { correlation_id: correlationId, trace_id: trace, span_id: span } = given;
  return new Message({
    ids: { messageId: () => id, traceId: () => trace, spanId: () => span },
    sequence: 0,
    type,
    sender,
    recipient,
    payload,
    timestampMs: timestamp * 1000,
    trace: { trace, span: undefined },
    span,
    reply: slotOf(verb, recipient),
    isCast: verb === "cast",
    correlationId: correlationId ?? undefined,
    priority,
    ttlMs: undefined,
    sentAtMs,
  });
}

/** Where a reply goes that nobody reads. */
function slotOf(verb: BundleMessage["verb"], agent: string): ReplySlot | undefined {
  const caller = {};
  const deadlineMs = Number.POSITIVE_INFINITY;
  if (verb === "stream") {
    const creditChunkCount = Number.MAX_SAFE_INTEGER;
    return new StreamProducer({
      agent,
      creditChunkCount,
      send: () => undefined,
      caller,
      deadlineMs,
    });
  }
  if (verb !== "call") return undefined;
  const slot = {
    isStream: false as const,
    isOpen: true,
    caller,
    deadlineMs,
    callerGone: undefined,
    cancellation: new CancelSignal(),
    watcher: undefined,
    isImpatient: false,
    resolve: () => void (slot.isOpen = false),
    reject: () => void (slot.isOpen = false),
    onSuspended: () => undefined,
  };
  return slot;
}

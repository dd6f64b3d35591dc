import type { AgentOptions } from "./agent-options.ts";
import type {
  AgentPort,
  AgentSpan,
  DetachOptions,
  SendAfterOptions,
  SendTimer,
} from "./agent-port.ts";
import type {
  AgentDown,
  AgentSchemas,
  AnyMessage,
  BroadcastReport,
  CheckedMessages,
  ChunkFor,
  EmittedOf,
  Message,
  MessageOf,
  messagesOf,
  PayloadFor,
  ReplyFor,
  ResultOf,
  SendOptions,
  SpanAttributes,
  UntypedMessages,
} from "../messages/index.ts";
import type { Approval, ApprovalOptions } from "../approvals/index.ts";
import type { AnyAgentClass, CheckedClass, ConfigOf } from "./agent-class.ts";
import type { AgentName, MessagesAt } from "./agent-names.ts";
import { agentErrors } from "../errors.ts";
import type {
  ChildStopReport,
  SpawnOptions,
  SpawnReport,
  StopChildOptions,
} from "./spawn-options.ts";
import type { JsonMembers, JsonObject } from "../values/index.ts";
import type { Llm } from "../llm/index.ts";
import type { Log } from "../ports/index.ts";
import type { ChunkStream, StreamOptions } from "../streams/index.ts";
import type { Tools } from "../tools/index.ts";

/** What to do with a message whose handling failed. */
export type ErrorAction = "retry" | "skip" | "escalate" | "stop";

/** The process's view of an agent: not exported from the package. */
export interface AgentInternals {
  attach(agent: Agent, port: AgentPort): void;
  portOf(agent: Agent, member: string): AgentPort;
  /** What the constructor got. */
  optionsOf(agent: Agent): AgentOptions;
}

/** The one instance of `AgentInternals`; `Agent` sets it when this file is loaded. */
export let agentInternals: AgentInternals;

// Shared by all agents that were given none.
const noConfig: JsonObject = Object.freeze({});
const noOptions: AgentOptions = Object.freeze({});

/**
 * One supervised unit of work: it handles one message at a time, or as many as `concurrency` says, and owns its state. Derive a class, override
 * `handle`, and let a supervisor start it.
 *
 * The three type parameters are optional: the state, the messages that it handles, and its configuration. Each has to be
 * JSON.
 *
 * @example
 * class Greeter extends Agent {
 *   override async handle(message: Message) {
 *     return { greeting: `Hello, ${message.payload["name"] ?? "world"}!` };
 *   }
 * }
 */
export abstract class Agent<
  State extends JsonMembers<State> & NoList = JsonObject,
  Messages extends CheckedMessages<Messages> = UntypedMessages,
  Config extends JsonMembers<Config> & NoList = JsonObject,
> {
  /**
   * Schemas of the messages, which are checked before they are delivered; default none. What a schema refuses, its sender
   * gets as AGENTRT_BUS_PAYLOAD_INVALID; what it makes of a payload is what the agent gets.
   */
  declare static readonly schemas?: AgentSchemas | undefined;
  declare readonly [messagesOf]: Messages;
  /** Unique in the tree. */
  readonly name: string;
  /** What the topology or the spawner configured. */
  readonly config: Config;
  /** The key of a keyed agent's object: one conversation, one ticket. Undefined for other agents. */
  get key(): string | undefined {
    return this.#options.key;
  }

  /**
   * Plain JSON. It survives a restart as far as `checkpoint` saved it; a saved state replaces it at the start. An agent
   * with a declared state says what it begins with: `override state = { visits: 0 };`.
   */
  state: State = {} as State;
  #port: AgentPort | undefined;
  readonly #options: AgentOptions;

  static {
    agentInternals = {
      attach: (agent, port) => {
        agent.#port = port;
      },
      portOf: (agent, member) => agent.#attached(member),
      optionsOf: (agent) => agent.#options,
    };
  }

  /**
   * @param name Unique in the tree.
   * @param options Limits and configuration. What a class of your own gives to `super` goes before what the tree says.
   */
  constructor(name: string, options: AgentOptions = noOptions) {
    this.name = name;
    this.config = (options.config ?? noConfig) as object as Config;
    this.#options = options;
  }

  /**
   * Handles one message; the next one waits until this one is done. `async *handle` streams its reply: each `yield` is
   * one chunk and waits until the consumer has room for it.
   *
   * @param message Read-only.
   * @returns The reply payload, or nothing: a caller then gets an empty object, or the state when it asked for that.
   *   A caller that asked with `stream` gets the chunks; a plain payload reaches it as one chunk.
   */
  abstract handle(
    message: MessageOf<Messages>,
  ): ResultOf<Messages> | PromiseLike<ResultOf<Messages>>;

  /** Runs once an incarnation, before its first message; `state` is restored. Throwing means the start failed. */
  onStart(): void | PromiseLike<void> {}

  /**
   * Runs when the object of a key goes, because it had no message for a time or others need its place, and when the tree
   * stops: before `state` is saved, and before `onStop`. Only for keyed agents. Throwing crashes the key.
   */
  onPassivate(): void | PromiseLike<void> {}

  /** Runs last, after a crash and a failed start too. What it throws is logged. */
  onStop(): void | PromiseLike<void> {}

  /**
   * Runs when the agent was suspended, before that is saved; not again when a suspended agent starts again.
   *
   * @param _reason What for.
   */
  onSuspend(_reason: string): void | PromiseLike<void> {}

  /**
   * Runs when a suspended agent was resumed, before its next message; a decision about an approval goes to `onApproval`.
   * Throwing crashes the agent.
   *
   * @param _approver Who let it go on.
   */
  onResume(_approver: string): void | PromiseLike<void> {}

  /**
   * Runs when somebody has decided about what this agent asked to be approved, or nobody did in time: what was asked is
   * done here, and nowhere else. The state is saved when it is done, together with the fact that it is. When the agent
   * crashes here, or its process is killed, it runs again, with `isRepeated`: what it does outside of the agent should say
   * the id of the approval, so that it is done once. Throwing crashes the agent, unless `granted` threw.
   *
   * @param _approval The decision.
   *
   * @example
   * override async onApproval(approval: Approval) {
   *   const { amount } = approval.granted();
   *   await this.call("bank", { amount, reference: approval.id });
   * }
   */
  onApproval(_approval: Approval): void | PromiseLike<void> {}

  /**
   * Runs between two messages when an eval agent corrects this one. Throwing crashes the agent.
   *
   * @param _message Its payload has `severity` (`"nudge"` or `"redirect"`), `reason`, and what the eval agent adds.
   */
  onCorrection(_message: Message): void | PromiseLike<void> {}

  /**
   * Takes out of the state what must not be seen from outside. Asked when somebody reads the state over the gateway
   * (a call of type `"state"`) and `handle` returned nothing for it.
   *
   * @param state The agent's own state; it is copied afterwards.
   * @returns What may be seen; by default all of it.
   */
  redactState(state: State): object {
    return state;
  }

  /**
   * Decides about a message whose handling failed.
   *
   * @param _error What `handle` threw.
   * @param _message The message at hand.
   * @returns `"retry"` it in place, `"skip"` it, `"escalate"` (crash; the default) or `"stop"` for good.
   */
  onError(_error: unknown, _message: MessageOf<Messages>): ErrorAction | PromiseLike<ErrorAction> {
    return "escalate";
  }

  /**
   * Runs when a child that this agent spawned is gone for good, before the messages that wait. The default logs it.
   * It does not run when a `spawn` that still waited for the child has rejected instead.
   *
   * @param name The child's name, which is free again.
   * @param reason `"clean_exit"`, `"despawned"`, `"restarts_exhausted"`, `"supervisor_stopped"`, or the phase and the
   *   error of a child that is not restarted: `"running: out of range"`, `"on_start: no such file"`, `"restore: …"`.
   */
  onChildTerminated(name: string, reason: string): void | PromiseLike<void> {
    this.log.warn("spawned child is gone", { child: name, reason });
  }

  /**
   * Runs between two messages when an agent that this one watches went down. The default logs it.
   *
   * @param down Who, why, and whether its supervisor starts it again.
   */
  onDown(down: AgentDown): void | PromiseLike<void> {
    const { name, reason, willRestart } = down;
    this.log.warn("watched agent is down", { watched: name, reason, willRestart });
  }

  /**
   * Watches an agent, a pool or a supervisor: `onDown` runs once each time it goes down, by a crash, a stop or because
   * it was given up, and at once where it is down already. It does not run for what was over before. The watch ends with
   * this incarnation; watch in `onStart` what is to be watched for good.
   *
   * @param name Of an agent of the tree, or of a key (`ticket/4711`), whether it has an object or not. Passivation is not
   *   going down.
   * @returns Ends the watch: `onDown` does not run for it any more.
   * @throws AGENTRT_SUPERVISION_UNKNOWN_NAME, AGENTRT_KEY_INVALID, AGENTRT_AGENT_WATCHES_EXHAUSTED,
   *   AGENTRT_AGENT_STOPPED.
   *
   * @example
   * override onStart() {
   *   this.watch("printer");
   * }
   */
  watch(name: string): () => void {
    return this.#attached("watch").watch(name);
  }

  /**
   * Sends a message without waiting for an answer.
   *
   * @returns Settles once the message is in the receiver's mailbox.
   * @throws AGENTRT_BUS_NO_ROUTE, AGENTRT_BUS_MAILBOX_FULL, AGENTRT_BUS_PAYLOAD_NOT_JSON, AGENTRT_BUS_RESERVED_TYPE,
   *   AGENTRT_AGENT_STOPPED.
   */
  send<const To extends AgentName, Payload extends object, Type extends string = "message">(
    to: To,
    payload: PayloadFor<MessagesAt<To>, Type, Payload>,
    options?: SendOptions<Type>,
  ): Promise<void> {
    return this.#attached("send").send(to, payload as object, options);
  }

  /**
   * Sends a request and waits for its reply.
   *
   * @returns The reply payload: this caller's own copy.
   * @throws What `send` throws, AGENTRT_BUS_TIMEOUT, AGENTRT_AGENT_CRASHED when the receiver crashed on it.
   */
  call<const To extends AgentName, Payload extends object, Type extends string = "message">(
    to: To,
    payload: PayloadFor<MessagesAt<To>, Type, Payload>,
    options?: SendOptions<Type>,
  ): Promise<ReplyFor<MessagesAt<To>, Type>> {
    const reply: Promise<object> = this.#attached("call").call(to, payload as object, options);
    return reply as Promise<ReplyFor<MessagesAt<To>, Type>>;
  }

  /**
   * Sends a message without waiting for an answer; a GenServer receives it in `handleCast`.
   *
   * @returns Settles once the message is in the receiver's mailbox.
   * @throws What `send` throws.
   */
  cast<const To extends AgentName, Payload extends object, Type extends string = "message">(
    to: To,
    payload: PayloadFor<MessagesAt<To>, Type, Payload>,
    options?: SendOptions<Type>,
  ): Promise<void> {
    return this.#attached("cast").cast(to, payload as object, options);
  }

  /**
   * Sends a message to every agent whose name matches, this one too if its own does. One that takes no messages, or
   * has no room in time, does not keep the others from theirs.
   *
   * @param pattern `*` for any text, `?` for one character, `[a-z]` and `[!a-z]` for one of a set or outside of it.
   *   Names that begin with an underscore match only a pattern that does.
   * @returns Settles once the message is in the mailbox of each that takes it: their number, and who did not.
   * @throws AGENTRT_BUS_PAYLOAD_NOT_JSON, AGENTRT_BUS_RESERVED_TYPE, AGENTRT_BUS_OPTION_INVALID, AGENTRT_AGENT_STOPPED.
   */
  broadcast<Payload extends object>(
    pattern: string,
    payload: Payload & JsonMembers<Payload>,
    options?: SendOptions,
  ): Promise<BroadcastReport> {
    return this.#attached("broadcast").broadcast(pattern, payload, options);
  }

  /**
   * Sends a message to one agent that declares a capability, chosen at random among those that take messages.
   *
   * @param tag One of the agent's `capabilities`.
   * @returns The name of the agent, once the message is in its mailbox.
   * @throws AGENTRT_BUS_NO_CAPABLE, and what `send` throws.
   */
  sendCapable<Payload extends object>(
    tag: string,
    payload: Payload & JsonMembers<Payload>,
    options?: SendOptions,
  ): Promise<string> {
    return this.#attached("sendCapable").sendCapable(tag, payload, options);
  }

  /**
   * Sends a request to one agent that declares a capability, chosen as by `sendCapable`, and waits for its reply. An
   * agent that waits for the answer itself is chosen only when there is no other.
   *
   * @param tag One of the agent's `capabilities`.
   * @returns The reply payload: this caller's own copy.
   * @throws AGENTRT_BUS_NO_CAPABLE, and what `call` throws.
   */
  callCapable<Payload extends object>(
    tag: string,
    payload: Payload & JsonMembers<Payload>,
    options?: SendOptions,
  ): Promise<JsonObject> {
    return this.#attached("callCapable").callCapable(tag, payload, options);
  }

  /**
   * Sends a request to one agent that declares a capability, chosen as by `callCapable`, and takes its reply chunk by
   * chunk.
   *
   * @param tag One of the agent's `capabilities`.
   * @returns The chunks, in order. Leaving the loop cancels what the producer still does.
   * @throws As `stream`; AGENTRT_BUS_NO_CAPABLE at the first read.
   */
  streamCapable<Payload extends object>(
    tag: string,
    payload: Payload & JsonMembers<Payload>,
    options?: StreamOptions,
  ): ChunkStream {
    return this.#attached("streamCapable").stream({ capability: tag }, payload, options);
  }

  /**
   * Says how many messages wait for an agent, so that a sender can hold back before it has to wait.
   *
   * @param name Name of an agent.
   * @returns The number; undefined when nobody has the name or it takes no messages.
   */
  mailboxDepthOf(name: string): number | undefined {
    return this.#attached("mailboxDepthOf").mailboxDepthOf(name);
  }

  /**
   * Sends a request and takes its reply chunk by chunk. It is sent at once; what fails, fails at the first read.
   *
   * @returns The chunks, in order. Leaving the loop cancels what the producer still does.
   * @throws At once: AGENTRT_STREAM_STREAMS_EXHAUSTED. At a read: what `call` throws, AGENTRT_STREAM_FIRST_CHUNK_TIMEOUT, AGENTRT_STREAM_IDLE_TIMEOUT,
   *   AGENTRT_STREAM_DURATION_EXCEEDED, AGENTRT_STREAM_SLOW_CONSUMER.
   *
   * @example
   * for await (const chunk of this.stream("writer", { topic: "tides" })) this.log.info("chunk", chunk);
   */
  stream<const To extends AgentName, Payload extends object, Type extends string = "message">(
    to: To,
    payload: PayloadFor<MessagesAt<To>, Type, Payload>,
    options?: StreamOptions<Type>,
  ): ChunkStream<ChunkFor<MessagesAt<To>, Type>> {
    const chunks: object = this.#attached("stream").stream(to, payload as object, options);
    return chunks as ChunkStream<ChunkFor<MessagesAt<To>, Type>>;
  }

  /**
   * Sends a chunk of a streamed reply from an ordinary `handle`; the stream ends when that returns, and what it returns
   * is the last chunk. To a message that nobody waits for it does nothing.
   *
   * @param message The message at hand.
   * @param chunk Plain JSON.
   * @returns Settles when the consumer has room.
   * @throws AGENTRT_STREAM_CANCELLED when the stream is over: let it end the handler, that is not a failure;
   *   AGENTRT_STREAM_NOT_A_REPLY when the message is a call, AGENTRT_BUS_PAYLOAD_NOT_JSON,
   *   AGENTRT_STREAM_EMITS_NOT_AWAITED.
   */
  emit<Chunk extends object>(
    message: AnyMessage,
    chunk: EmittedOf<Messages, Chunk>,
  ): Promise<void> {
    return this.#attached("emit").emit(message as Message, chunk);
  }

  /**
   * Pauses this agent until somebody has decided: after the message at hand it handles no other, while messages with a
   * priority above 0 are still served. The pause is saved with the state: it outlives restarts and the process.
   *
   * With an object, what is asked becomes an approval with an id: it is listed, approved, denied, or expires, once, and
   * this agent gets the decision in `onApproval`. With a text it is a plain pause, which has no id and knows no "no":
   * a resume lets the agent go on.
   *
   * @param request What is to be approved: its kind, its payload, what an approver may make of that, and for how long
   *   somebody may decide. Or only a reason, not empty.
   * @returns The id of the approval, once it is saved; for a text nothing, at once. The pause begins when the message at
   *   hand is done.
   * @throws AGENTRT_APPROVAL_OPTION_INVALID, AGENTRT_APPROVAL_SCHEMA_INVALID, AGENTRT_APPROVAL_EXHAUSTED,
   *   AGENTRT_BUS_PAYLOAD_NOT_JSON, AGENTRT_AGENT_STOPPED; what the store throws, and then nothing is asked. For a text
   *   AGENTRT_AGENT_SUSPENSION_INVALID, AGENTRT_AGENT_STOPPED.
   *
   * @example
   * const id = await this.suspendForApproval({ kind: "refund", payload: { amount }, expiresMs: 86_400_000 });
   */
  suspendForApproval(request: ApprovalOptions): Promise<string>;
  // oxlint-disable-next-line typescript/unified-signatures -- a text gives no id
  suspendForApproval(reason: string): Promise<void>;
  suspendForApproval(request: ApprovalOptions | string): Promise<string | void> {
    const port = this.#attached("suspendForApproval");
    if (typeof request === "object" && request !== null) return port.askApproval(request);
    return port.suspendForApproval(request);
  }

  /**
   * Reports something to an eval agent, which may correct this one; when there is none of that name, nothing is done.
   *
   * @param eventType What kind of event it is, not empty.
   * @param payload Plain JSON.
   * @param options.evalAgent Name of the eval agent; default `"eval_agent"`, or the only one that there is.
   * @returns Settles once the event is in its mailbox.
   * @throws What `send` throws.
   */
  emitEval<Payload extends object>(
    eventType: string,
    payload: Payload & JsonMembers<Payload>,
    options: { readonly evalAgent?: string } = {},
  ): Promise<void> {
    return this.#attached("emitEval").emitEval(eventType, payload, options.evalAgent);
  }

  /**
   * Spawns a child under the nearest dynamic supervisor: an ancestor, else the first one found below an ancestor.
   *
   * @param agentClass A class, or what stands for one in a topology: `"agents.Worker"`.
   * @param name Unique in the tree.
   * @param config Plain JSON, given to the child as `this.config`.
   * @param options Limits of the child; what to wait for.
   * @returns The child, once it runs.
   * @throws SpawnError, its `code` says why: AGENTRT_SPAWN_NAME_TAKEN, AGENTRT_SPAWN_NAME_REGISTERED,
   *   AGENTRT_SPAWN_CHILDREN_EXHAUSTED, AGENTRT_SPAWN_SPAWNS_EXHAUSTED, AGENTRT_SPAWN_SPAWNER_CHILDREN_EXHAUSTED,
   *   AGENTRT_SPAWN_SPAWNER_SPAWNS_EXHAUSTED, AGENTRT_SPAWN_CLASS_NOT_LOADED, AGENTRT_SPAWN_CLASS_NOT_ALLOWED,
   *   AGENTRT_SPAWN_SPAWNER_NOT_ALLOWED, AGENTRT_SPAWN_VETOED, AGENTRT_SPAWN_NO_SUPERVISOR,
   *   AGENTRT_SPAWN_SUPERVISOR_NOT_RUNNING, AGENTRT_SPAWN_TOO_MANY_REQUESTS, AGENTRT_SPAWN_START_FAILED,
   *   AGENTRT_SPAWN_TIMEOUT, AGENTRT_SPAWN_OPTION_INVALID. Also AGENTRT_AGENT_OPTION_INVALID,
   *   AGENTRT_BUS_PAYLOAD_NOT_JSON, AGENTRT_BUS_CANCELLED.
   */
  // oxlint-disable-next-line max-params -- the published form
  spawn<Class extends AnyAgentClass | string>(
    agentClass: Class & CheckedClass<Class>,
    name: string,
    config?: ConfigOf<Class>,
    options?: SpawnOptions,
  ): Promise<SpawnReport> {
    const request = { agentClass, name, config: config as JsonObject | undefined, options };
    return this.#attached("spawn").spawn({ ...request, into: undefined });
  }

  /**
   * Spawns a child under the dynamic supervisor of that name.
   *
   * @param supervisor Name of a dynamic supervisor.
   * @returns As `spawn`.
   * @throws As `spawn`; AGENTRT_SPAWN_UNKNOWN_SUPERVISOR, AGENTRT_SPAWN_NOT_DYNAMIC, AGENTRT_SPAWN_INTO_ITSELF.
   */
  // oxlint-disable-next-line max-params -- the published form
  spawnInto<Class extends AnyAgentClass | string>(
    supervisor: string,
    agentClass: Class & CheckedClass<Class>,
    name: string,
    config?: ConfigOf<Class>,
    options?: SpawnOptions,
  ): Promise<SpawnReport> {
    const request = { agentClass, name, config: config as JsonObject | undefined, options };
    return this.#attached("spawnInto").spawn({ ...request, into: supervisor });
  }

  /**
   * Ends a spawned child at once: its message at hand fails, what is queued is refused, `onStop` runs. What it
   * has saved is forgotten, unless it was spawned with `keepState`.
   *
   * @param name Name of a spawned child, of this agent or of another one.
   * @returns Who was late, once the name is free.
   * @throws AGENTRT_SPAWN_UNKNOWN_CHILD, AGENTRT_SPAWN_NOT_A_DYNAMIC_CHILD.
   */
  despawn(name: string): Promise<ChildStopReport> {
    return this.#attached("despawn").endChild({ name, drain: "now", timeoutMs: undefined });
  }

  /**
   * Ends a spawned child softly; it takes no further messages meanwhile. A child that names itself does not wait. What
   * it has saved is forgotten, unless it was spawned with `keepState`.
   *
   * @param name Name of a spawned child, of this agent or of another one, or its own.
   * @param options How much it handles before, and for how long.
   * @returns Who was late, once the name is free.
   * @throws AGENTRT_SPAWN_UNKNOWN_CHILD, AGENTRT_SPAWN_NOT_A_DYNAMIC_CHILD, AGENTRT_SPAWN_OPTION_INVALID.
   */
  stopChild(name: string, options: StopChildOptions = {}): Promise<ChildStopReport> {
    const { drain = "current", timeoutMs } = options;
    return this.#attached("stopChild").endChild({ name, drain, timeoutMs });
  }

  /**
   * Saves the whole of `state`, so that the next incarnation begins with it.
   *
   * @param options.signal Null saves it even when nobody waits for the answer to the message at hand any more.
   * @throws AGENTRT_AGENT_STATE_NOT_JSON when the state is not plain JSON; AGENTRT_AGENT_CANCELLED; what the store throws.
   */
  checkpoint(options?: DetachOptions): Promise<void> {
    return this.#attached("checkpoint").checkpoint(this.state as object as JsonObject, options);
  }

  /**
   * Sends a message to this agent itself later. It dies with the incarnation.
   *
   * @param delayMs 0 or more.
   * @param payload Plain JSON.
   * @param options Its type.
   * @returns The timer.
   * @throws AGENTRT_AGENT_TIMERS_EXHAUSTED, AGENTRT_BUS_OPTION_INVALID, AGENTRT_BUS_PAYLOAD_NOT_JSON,
   *   AGENTRT_AGENT_CANCELLED.
   */
  sendAfter<Payload extends object>(
    delayMs: number,
    payload: Payload & JsonMembers<Payload>,
    options: SendAfterOptions = {},
  ): SendTimer {
    return this.#attached("sendAfter").sendAfter(delayMs, payload, options);
  }

  /**
   * Asks models: the first provider that the topology names. Without one its calls reject with
   * AGENTRT_MODEL_NOT_CONFIGURED. Tokens, cost and spans are recorded by itself.
   */
  get llm(): Llm {
    return this.#attached("llm").llm();
  }

  /**
   * Asks models of another provider than the first one.
   *
   * @param name The provider's `name` in the topology; without one its type.
   * @returns As `llm`; calls reject with AGENTRT_MODEL_UNKNOWN_NAME when there is no such provider.
   */
  llmNamed(name: string): Llm {
    return this.#attached("llmNamed").llm(name);
  }

  /** The tools of the servers under `mcp.servers`, and of the `tools` of the Runtime's options. */
  get tools(): Tools {
    return this.#attached("tools").tools;
  }

  /**
   * Runs a piece of work as its own span, in the trace of the message at hand: what it sends, and what it asks of
   * models and tools, is below it. Where the runtime has no exporters, the work just runs.
   *
   * @param name What is done: few different names, the rest as attributes.
   * @param work Gets the span.
   * @param attributes What is known from the start.
   * @returns What the work returns.
   * @throws What the work throws; the span says so.
   *
   * @example
   * const rows = await this.span("look up", async (span) => {
   *   const found = await find(message.payload.name);
   *   span.set({ rows: found.length });
   *   return found;
   * });
   */
  span<Result>(
    name: string,
    work: (span: AgentSpan) => Result | PromiseLike<Result>,
    attributes?: SpanAttributes,
  ): Promise<Result> {
    return this.#attached("span").span(name, work, attributes);
  }

  /** Log lines that name the agent. */
  get log(): Log {
    return this.#attached("log").log;
  }

  #attached(member: string): AgentPort {
    if (this.#port === undefined) throw new agentErrors.NOT_ATTACHED({ agent: this.name, member });
    return this.#port;
  }
}

/** State and configuration are objects, not lists, maps or sets. */
export interface NoList {
  readonly [Symbol.iterator]?: never;
}

/** A class that derives from `Agent` and takes its two constructor arguments. */
export type AgentClass = new (name: string, options?: AgentOptions) => Agent;

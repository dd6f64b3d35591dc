import {
  agentInternals,
  Agent,
  type ChunkStream,
  type DeferredReply,
  type DetachOptions,
  GenServer,
  messageInternals,
  type FaultOwner,
  type HandleResult,
  type JsonObject,
  type Llm,
  type Message,
  type SendOptions,
  type StreamOptions,
  type Tools,
} from "../core/index.ts";
import type { Life } from "./fact.ts";
import { InjectedFault, type FaultPlan } from "./fault-plan.ts";
import type { OutsideWatch } from "./outside-watch.ts";
import type { TreeRecord } from "./tree-record.ts";

/** What the agents of one run are watched and disturbed by. */
export interface AgentWatch {
  readonly record: TreeRecord;
  readonly faults: FaultPlan;
  /** Sees what of the real world the agents wait for; undefined when nobody looks. */
  readonly outside: OutsideWatch | undefined;
  /** Waits in virtual time. */
  readonly sleep: (delayMs: number) => Promise<void>;
}

type Method = (...parameters: unknown[]) => unknown;
type Methods = { [name: string]: Method };

/** Members that the framework calls, not the agent: they wait for the agent, never it for them. */
const hooks = new Set(["constructor", "handle", "redactState", "handleCall", "handleCast"]);

/** Operations that the record follows one by one. */
const recordedNames = new Set(["call", "stream", "callCapable", "streamCapable", "checkpoint"]);

const operationNames = [Agent, GenServer].flatMap(({ prototype }) =>
  Object.getOwnPropertyNames(prototype).filter((name) => {
    if (hooks.has(name) || name === "handleInfo" || /^on[A-Z]/.test(name)) return false;
    return typeof Object.getOwnPropertyDescriptor(prototype, name)?.value === "function";
  }),
);

/**
 * Puts itself between an agent object and the process that runs it: notes what its hooks are called with and what it
 * asks for, and lets hooks fail or take their time.
 *
 * @param agent Was just made; nothing of it runs yet.
 * @param watch Notes and disturbs.
 */
export function watchAgent(agent: Agent, watch: AgentWatch): void {
  const life = watch.record.created(agent);
  watchPassivation(agent, life, watch);
  watchOutside(agent, life, watch);
  watchOperations(agent, life, watch);
  watchStart(agent, life, watch);
  watchHandle(agent, life, watch);
  watchStop(agent, life, watch);
  watchSuspension(agent, life, watch);
}

/** Runs the agent's own code as its own. */
function watchOutside(agent: Agent, life: Life, { outside }: AgentWatch): void {
  if (outside === undefined) return;
  const methods = agent as unknown as Methods;
  for (const name of [
    "onStart",
    "onStop",
    "onError",
    "onSuspend",
    "onResume",
    "onApproval",
    "onPassivate",
    "handle",
  ]) {
    const original = methods[name] as Method;
    methods[name] = (...parameters) => outside.run(life, () => original.apply(agent, parameters));
  }
}

/** Counts what the agent waits for inside of the tree, and follows its calls and checkpoints. */
function watchOperations(agent: Agent, life: Life, { record }: AgentWatch): void {
  const methods = agent as unknown as Methods;
  const settled = (): void => {
    life.openCount -= 1;
  };
  for (const name of operationNames) {
    const original = methods[name] as Method;
    if (recordedNames.has(name)) continue;
    methods[name] = (...parameters) => {
      const result = original.apply(agent, parameters);
      if (result instanceof Promise) {
        life.openCount += 1;
        result.then(settled, settled);
      }
      return result;
    };
  }
  watchAsking(agent, life);
  watchApprovalsAsked(agent, life, record);
  watchCalls(agent, life, record);
  watchStreams(agent, life, record);
  const checkpoint = agent.checkpoint.bind(agent);
  agent.checkpoint = (options?: DetachOptions): Promise<void> => {
    life.openCount += 1;
    const text = record.checkpointing(life);
    const written = checkpoint(options);
    written.then(settled, settled);
    return written.then(() => record.checkpointed(life, text));
  };
}

function watchCalls(agent: Agent, life: Life, record: TreeRecord): void {
  const settled = (): void => {
    life.openCount -= 1;
  };
  const counted = (answer: Promise<JsonObject>): Promise<JsonObject> => {
    life.openCount += 1;
    answer.then(settled, settled);
    return answer;
  };
  const call = agent.call.bind(agent);
  const watched: object = (
    to: string,
    payload: object,
    options?: SendOptions,
  ): Promise<JsonObject> =>
    record.following({ caller: life, to, options }, () => counted(call(to, payload, options)));
  agent.call = watched as Agent["call"];
  const callCapable = agent.callCapable.bind(agent);
  agent.callCapable = (capability, payload, options) =>
    record.following({ caller: life, to: { capability }, options }, () =>
      counted(callCapable(capability, payload, options)),
    );
}

function watchStreams(agent: Agent, life: Life, record: TreeRecord): void {
  const stream = agent.stream.bind(agent);
  const watched: object = (to: string, payload: object, options?: StreamOptions): ChunkStream =>
    record.followingStream({ caller: life, to, options }, () => stream(to, payload, options));
  agent.stream = watched as Agent["stream"];
  const streamCapable = agent.streamCapable.bind(agent);
  agent.streamCapable = (capability, payload, options) =>
    record.followingStream({ caller: life, to: { capability }, options }, () =>
      streamCapable(capability, payload, options),
    );
}

/** An agent that waits for a model or a tool waits for something inside of the tree. */
function watchAsking(agent: Agent, life: Life): void {
  const opened = <Result extends Promise<unknown>>(result: Result): Result => {
    const settled = (): void => {
      life.openCount -= 1;
    };
    life.openCount += 1;
    result.then(settled, settled);
    return result;
  };
  const llm = (real: Llm): Llm => ({
    chat: (options) => opened(real.chat(options)),
    stream: (options) => {
      const chunks = real.stream(options)[Symbol.asyncIterator]();
      return {
        [Symbol.asyncIterator]: () => ({
          next: () => opened(chunks.next()),
          return: () => opened(chunks.return?.() ?? Promise.resolve(over)),
        }),
      };
    },
  });
  const prototype: object = Object.getPrototypeOf(agent) as object;
  const llmNamed = agent.llmNamed.bind(agent);
  agent.llmNamed = (name) => llm(llmNamed(name));
  Object.defineProperty(agent, "llm", {
    configurable: true,
    get: () => llm(Reflect.get(prototype, "llm", agent) as Llm),
  });
  Object.defineProperty(agent, "tools", {
    configurable: true,
    get: (): Tools => {
      const tools = Reflect.get(prototype, "tools", agent) as Tools;
      return {
        list: () => tools.list(),
        forModel: () => tools.forModel(),
        call: (...parameters) => opened(tools.call(...parameters)),
        answer: (...parameters) => opened(tools.answer(...parameters)),
      };
    },
  });
}

const over = { done: true, value: undefined } as const;

function watchStart(agent: Agent, life: Life, { record, faults, sleep }: AgentWatch): void {
  const onStart = agent.onStart.bind(agent);
  agent.onStart = async () => {
    record.starting(life);
    life.pendingHook = "onStart";
    try {
      if (faults.happens("startIsSlow")) await disturbingSleep(life, sleep, faults.slowMs());
      if (faults.happens("startThrows")) throw new InjectedFault("injected: onStart throws");
      await onStart();
    } finally {
      life.pendingHook = undefined;
    }
  };
}

function watchStop(agent: Agent, life: Life, { record, faults, sleep }: AgentWatch): void {
  const onStop = agent.onStop.bind(agent);
  agent.onStop = async () => {
    record.stopping(life);
    life.pendingHook = "onStop";
    try {
      if (faults.happens("stopIsSlow")) await disturbingSleep(life, sleep, faults.slowMs());
      await onStop();
      if (faults.happens("stopThrows")) throw new InjectedFault("injected: onStop throws");
    } finally {
      life.pendingHook = undefined;
      record.stopHookEnded(life);
    }
  };
  const onError = agent.onError.bind(agent);
  agent.onError = async (error, message) => {
    record.deciding(message);
    const action = await onError(error, message);
    record.decided(life, message, action);
    return action;
  };
}

/** Follows what an agent asks to be approved: its id, once that is saved. Until then it begins nothing else. */
function watchApprovalsAsked(agent: Agent, life: Life, record: TreeRecord): void {
  const methods = agent as unknown as Methods;
  const ask = methods["suspendForApproval"] as Method;
  methods["suspendForApproval"] = async (...parameters) => {
    life.hasAskedToPause = true;
    const { payload } = (parameters[0] ?? {}) as { readonly payload?: object };
    const request = { kind: "suspend", name: life.name } as const;
    const id = await record.asking(request, async () => await ask.apply(agent, parameters));
    if (payload !== undefined) record.approvalAsked(life, String(id), payload);
    return id;
  };
}

/** A suspension is saved with the state, whether the agent asked for a checkpoint or not. */
function watchSuspension(agent: Agent, life: Life, { record }: AgentWatch): void {
  const onSuspend = agent.onSuspend.bind(agent);
  agent.onSuspend = async (...parameters) => {
    record.checkpointing(life);
    await onSuspend(...parameters);
    record.checkpointing(life);
  };
  const onResume = agent.onResume.bind(agent);
  agent.onResume = async (...parameters) => {
    record.checkpointing(life);
    await onResume(...parameters);
    record.checkpointing(life);
  };
  const onApproval = agent.onApproval.bind(agent);
  agent.onApproval = async (approval) => {
    record.approvalGiven(life, approval);
    record.checkpointing(life);
    await onApproval(approval);
    record.checkpointing(life);
  };
}

function watchHandle(agent: Agent, life: Life, watch: AgentWatch): void {
  const { record, faults } = watch;
  const handle = agent.handle.bind(agent);
  const finish = (message: Message, result: unknown): HandleResult => {
    record.handled(life, message, result);
    return result as HandleResult;
  };
  agent.handle = (message: Message) => {
    const fail = (error: unknown): never => {
      record.handlerFailed(message);
      const isWanted = messageInternals.replyOf(message)?.callerGone === undefined;
      if (!isWanted) record.cancelled(life, message);
      throw error;
    };
    const sent = record.handling(life, message);
    if (message.attempt === 0) watchDeferral(message, life, record);
    const isLate = faults.coin();
    const slowMs = faults.happens("handlerIsSlow") ? faults.slowMs() : 0;
    const isThrown = faults.happens("handlerThrows");
    if (faults.happens("handlerRejectsLate")) {
      const error = new InjectedFault("injected: a rejection that nobody handles");
      void Promise.resolve().then(() => crashNow(agent, error));
    }
    if (slowMs === 0 && !isThrown) {
      try {
        const result = record.working(sent, () => handle(message));
        if (!isThenable(result)) return finish(message, result);
        return result.then((value) => finish(message, value), fail);
      } catch (error) {
        return fail(error);
      }
    }
    return disturbed().then((value) => finish(message, value), fail);

    async function disturbed(): Promise<unknown> {
      if (!isLate && slowMs > 0) await disturbingSleep(life, watch.sleep, slowMs);
      if (!isLate && isThrown) throw new InjectedFault("injected: handle throws before its work");
      // Its time was over meanwhile: nothing of it may run any more.
      if (record.isOver(life)) return undefined;
      const result: unknown = await record.working(sent, () => handle(message));
      if (isLate && slowMs > 0) await disturbingSleep(life, watch.sleep, slowMs);
      if (isLate && isThrown) throw new InjectedFault("injected: handle throws after its work");
      return result;
    }
  };
}

/** Follows the reply to a message that its handler puts off. */
function watchDeferral(message: Message, life: Life, record: TreeRecord): void {
  const defer = message.defer.bind(message);
  const watched = (): DeferredReply => {
    const reply = defer();
    record.deferred(life, message);
    return {
      get signal() {
        return reply.signal;
      },
      send: (payload) => {
        reply.send(payload);
        record.replied(life, message, payload);
      },
      fail: (error) => {
        reply.fail(error);
        record.replied(life, message, undefined);
      },
    };
  };
  Object.defineProperty(message, "defer", { value: watched });
}

/** Passivation saves the state, whether the agent asked for a checkpoint or not. */
function watchPassivation(agent: Agent, life: Life, { record, faults, sleep }: AgentWatch): void {
  const onPassivate = agent.onPassivate.bind(agent);
  agent.onPassivate = async () => {
    record.passivating(life);
    try {
      if (faults.happens("passivateIsSlow")) await disturbingSleep(life, sleep, faults.slowMs());
      if (faults.happens("passivateThrows")) {
        throw new InjectedFault("injected: onPassivate throws");
      }
      await onPassivate();
    } finally {
      if (life.pendingHook === "onPassivate") life.pendingHook = undefined;
    }
    record.checkpointing(life);
  };
}

/** What the runtime does when a rejection of the agent's own comes to nobody. */
function crashNow(agent: Agent, error: Error): void {
  const port = agentInternals.portOf(agent, "crash") as Partial<FaultOwner>;
  port.crash?.(error);
}

async function disturbingSleep(
  life: Life,
  sleep: (delayMs: number) => Promise<void>,
  delayMs: number,
): Promise<void> {
  life.openCount += 1;
  await sleep(delayMs);
  life.openCount -= 1;
}

function isThenable(value: unknown): value is Promise<unknown> {
  return typeof (value as { then?: unknown } | null | undefined)?.then === "function";
}

import type { Transport } from "../../bus/index.ts";
import type { BundleAnswer, CrashBundle } from "../../crashes/index.ts";
import {
  agentErrors,
  approvalErrors,
  busErrors,
  circuitErrors,
  copyJson,
  keyErrors,
  type Message,
  messageInternals,
  modelErrors,
  ownFolder,
  type ModelReply,
  type NamedModel,
  type SourceResult,
  type SourceTool,
  spawnErrors,
  streamErrors,
  supervisionErrors,
  toolErrors,
  type ToolSource,
} from "../../core/index.ts";
import type { VirtualClock } from "../../testing/index.ts";

/** A recorded answer, and whether it was given. */
interface Kept {
  readonly answer: BundleAnswer;
  isGiven: boolean;
}

/**
 * Answers what an agent asks while its crash is replayed as it was answered then: each with the recorded answer to the same
 * request, else with the next one of the same name. What was not answered then is not answered now.
 */
export class CrashAnswers {
  readonly #clock: VirtualClock;
  readonly #agent: string;
  readonly #kept: readonly Kept[];
  readonly #bundle: CrashBundle;
  /** In which way it was not as recorded. */
  readonly notes = new Set<string>();

  /**
   * @param bundle The record.
   * @param clock Answers take as long as they took.
   */
  constructor(bundle: CrashBundle, clock: VirtualClock) {
    this.#bundle = bundle;
    this.#agent = bundle.agent;
    this.#clock = clock;
    this.#kept = bundle.answers.map((answer) => ({ answer, isGiven: false }));
  }

  /** The agents that answered. */
  get agentNames(): readonly string[] {
    return this.#namesOf("agent");
  }

  /** The model providers of the run, and those that answered. */
  models(): NamedModel[] {
    const { models } = this.#bundle;
    const known = new Map(models.map(({ name, default_model: model }) => [name, model]));
    const names = new Set([...known.keys(), ...this.#namesOf("model")]);
    return [...names].map((name) => ({
      name,
      provider: {
        defaultModel: known.get(name) ?? name,
        // What was recorded is what came after all attempts.
        retryCountMax: 0,
        chat: async ({ messages }) =>
          (await this.#next("model", name, { messages })) as unknown as ModelReply,
      },
    }));
  }

  /** The tools that were offered. */
  tools(): ToolSource[] {
    return this.#bundle.tools.map((given) => {
      const { source, scheme, tools } = given as unknown as OfferedTools;
      return {
        name: source,
        scheme,
        tools: () => tools,
        call: async (tool, input) =>
          (await this.#next(
            "tool",
            `${scheme}://${source}/${tool}`,
            input,
          )) as unknown as SourceResult,
      };
    });
  }

  /** Takes what the agent sends: calls are answered, all else goes nowhere. What it sends to itself is in the record. */
  transport(): Transport {
    return {
      name: "replay",
      deliver: (message) => {
        const reply = messageInternals.replyOf(message);
        if (reply === undefined || message.sender !== this.#agent) return undefined;
        if (reply.isStream) {
          this.notes.add("a stream of another agent is not recorded");
          return undefined;
        }
        this.#next("agent", message.recipient, undefined).then(
          (payload) => reply.resolve(payload as Message["payload"]),
          (error: unknown) => reply.reject(error as Error),
        );
        return undefined;
      },
      start: async () => undefined,
      stop: async () => undefined,
    };
  }

  #namesOf(kind: BundleAnswer["kind"]): string[] {
    const names = this.#kept.filter(({ answer }) => answer.kind === kind);
    return [...new Set(names.map(({ answer }) => answer.name))];
  }

  /** Waits as long as it took, and answers or fails. */
  async #next(
    kind: BundleAnswer["kind"],
    name: string,
    request: object | undefined,
  ): Promise<object> {
    const kept = this.#find(kind, name, request);
    if (kept === undefined) {
      this.notes.add(
        `it asked the ${kind} "${name}" for something that has no answer in the record`,
      );
      return await new Promise<never>(() => undefined);
    }
    kept.isGiven = true;
    const { reply, error, took_ms: tookMs } = kept.answer;
    await new Promise<void>((resolve) => void this.#clock.setTimer(tookMs, resolve));
    if (error !== undefined) throw revived(error);
    return copyJson(reply ?? {});
  }

  #find(kind: BundleAnswer["kind"], name: string, request: object | undefined): Kept | undefined {
    const left = this.#kept.filter(
      ({ isGiven, answer }) => !isGiven && answer.kind === kind && answer.name === name,
    );
    if (request === undefined) return left[0];
    const asked = keyOf(request);
    const same = left.find(({ answer }) => keyOf(requestIn(answer)) === asked);
    if (same === undefined && left.length > 0)
      this.notes.add(`it asked the ${kind} "${name}" for something else than is recorded`);
    return same ?? left[0];
  }
}

interface OfferedTools {
  readonly source: string;
  readonly scheme: string;
  readonly tools: readonly SourceTool[];
}

/** What tells requests of one name apart. */
function requestIn({ kind, request }: BundleAnswer): object {
  return kind === "model" ? { messages: request?.["messages"] ?? [] } : (request ?? {});
}

/** The same text for equal values: the order of members says nothing. */
function keyOf(value: unknown): string {
  return JSON.stringify(value, (_name, each: unknown) => {
    if (typeof each !== "object" || each === null || Array.isArray(each)) return each;
    return Object.fromEntries(
      Object.entries(each).sort(([one], [other]) => (one < other ? -1 : 1)),
    );
  });
}

const tables = [
  ["AGENTRT_MODEL_", modelErrors],
  ["AGENTRT_TOOL_", toolErrors],
  ["AGENTRT_AGENT_", agentErrors],
  ["AGENTRT_BUS_", busErrors],
  ["AGENTRT_STREAM_", streamErrors],
  ["AGENTRT_CIRCUIT_", circuitErrors],
  ["AGENTRT_SUPERVISION_", supervisionErrors],
  ["AGENTRT_APPROVAL_", approvalErrors],
  ["AGENTRT_KEY_", keyErrors],
  ["AGENTRT_SPAWN_", spawnErrors],
] as const;

/** The error that was recorded, as what it was, with the stack that it had. */
function revived(recorded: NonNullable<BundleAnswer["error"]>): Error {
  const error = errorOf(recorded);
  const { name, message, stack } = recorded;
  const lines = stack.map((line) => `    ${line.replaceAll("agentrt:", ownFolder)}`);
  error.stack = [`${name}: ${message}`, ...lines].join("\n");
  return error;
}

function errorOf({ code, name, message, details }: NonNullable<BundleAnswer["error"]>): Error {
  for (const [prefix, table] of tables) {
    if (code?.startsWith(prefix) !== true) continue;
    const classes = table as unknown as { readonly [row: string]: new (details: object) => Error };
    const ErrorClass = classes[code.slice(prefix.length)];
    if (ErrorClass !== undefined) return new ErrorClass(details);
  }
  return Object.assign(new Error(message), { name, ...(code === null ? {} : { code }) });
}

import assert from "node:assert/strict";
import { Simulation } from "../../../testing/index.ts";
import {
  Agent,
  child,
  type LlmOptions,
  type Message,
  type ModelProvider,
  modelReply,
  type ModelReply,
  type ModelRequest,
  type ResilienceOptions,
  supervisor,
  TableError,
  type Tracer,
} from "../../index.ts";

/** A provider that plays a script: each attempt takes the next step. */
export class Script implements ModelProvider {
  readonly defaultModel: string | undefined = "script-1";
  readonly requests: ModelRequest[] = [];
  readonly #steps: ((request: ModelRequest) => Promise<ModelReply>)[];
  retryCountMax?: number;
  timeoutMs?: number;

  constructor(...steps: ((request: ModelRequest) => Promise<ModelReply>)[]) {
    this.#steps = steps;
  }

  chat(request: ModelRequest): Promise<ModelReply> {
    this.requests.push(request);
    const step = this.#steps[Math.min(this.requests.length, this.#steps.length) - 1];
    assert.ok(step !== undefined);
    return step(request);
  }
}

/** What a call asks of when it names nothing. */
export const asked = { provider: "main", model: "script-1" };
/** A step that answers. */
export const says =
  (content: string, tokens = { tokensIn: 10, tokensOut: 2, costUsd: 0.25 }) =>
  () =>
    Promise.resolve(modelReply({ model: "script-1", content, ...tokens }));
/** A step that fails. */
export const fails = (error: Error) => async () => {
  throw error;
};
/** A step that never ends. */
export const never = () => new Promise<never>(() => undefined);

/** What the asker does with its next message; a test sets it. */
export const plan: { act: (agent: Asker, message: Message) => Promise<object> } = {
  act: async () => ({}),
};

/** An agent that does what the plan says. */
export class Asker extends Agent {
  override async handle(message: Message) {
    return await plan.act(this, message);
  }
  /** For tests: what user code may do after its end. */
  ask(options: Partial<LlmOptions> = {}, name?: string): Promise<ModelReply> {
    const llm = name === undefined ? this.llm : this.llmNamed(name);
    return llm.chat({ messages: [{ role: "user", content: "Hi" }], ...options });
  }
}

/** Starts an asker with models; it calls the first and gives back the answer. */
export async function simulate(
  models: readonly { name: string; provider: ModelProvider }[],
  tracer?: Tracer,
  resilience?: ResilienceOptions,
): Promise<Simulation> {
  plan.act = async (agent, { payload }) => {
    const reply = await agent.ask(payload);
    const { content, provider } = reply;
    return resilience === undefined ? { content } : { content, provider };
  };
  const children = [child(Asker, "asker")];
  const supervision = supervisor("root", { backoffBaseMs: 0, children });
  const simulation = new Simulation({ supervision, models, tracer, resilience });
  await simulation.start();
  return simulation;
}

/** The code of the error a call of the agent fails with: of the error behind the crash. */
export async function codeOf(pending: Promise<unknown>): Promise<string> {
  const error: unknown = await pending.then(
    () => assert.fail("it did not fail"),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof TableError, String(error));
  return error.cause instanceof TableError ? error.cause.code : error.code;
}

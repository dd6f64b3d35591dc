import type { Llm, LlmOptions, ModelChunk, ModelMessage, ModelReply } from "../llm/index.ts";
import type { System } from "../ports/index.ts";
import type { CrashTrail, TrailAnswer } from "../tree/index.ts";
import type { KnownTool, ToolDescription, ToolOptions, ToolResult, Tools } from "../tools/index.ts";
import type { ModelTool, ModelToolCall } from "../llm/index.ts";
import type { JsonObject } from "../values/index.ts";
import { toolErrors } from "../tools/index.ts";

/** What answers are noted with. */
interface Listening {
  readonly trail: CrashTrail;
  readonly system: Pick<System, "monotonicMs">;
}

type Asked = Pick<TrailAnswer, "kind" | "name" | "request">;

/** Waits for an answer and notes it. */
async function noted<Reply extends object>(
  { trail, system }: Listening,
  asked: Asked,
  ask: () => Promise<Reply>,
): Promise<Reply> {
  const beganMs = system.monotonicMs();
  try {
    const reply = await ask();
    trail.answered({ ...asked, reply, tookMs: system.monotonicMs() - beganMs });
    return reply;
  } catch (error) {
    trail.answered({ ...asked, error, tookMs: system.monotonicMs() - beganMs });
    throw error;
  }
}

/** `this.llm`, whose answers are noted. */
export class RecordedLlm implements Llm {
  readonly #llm: Llm;
  readonly #name: string;
  readonly #listening: Listening;

  constructor(llm: Llm, name: string, listening: Listening) {
    this.#llm = llm;
    this.#name = name;
    this.#listening = listening;
  }

  /** {@inheritDoc Llm.chat} */
  async chat(options: LlmOptions): Promise<ModelReply> {
    return await noted(this.#listening, this.#asked(options), () => this.#llm.chat(options));
  }

  /** {@inheritDoc Llm.stream} */
  async *stream(options: LlmOptions): AsyncGenerator<ModelChunk, void, undefined> {
    const { trail, system } = this.#listening;
    const asked = this.#asked(options);
    const beganMs = system.monotonicMs();
    let isWhole = false;
    try {
      for await (const chunk of this.#llm.stream(options)) {
        if (chunk.type === "end") {
          isWhole = true;
          trail.answered({ ...asked, reply: chunk.reply, tookMs: system.monotonicMs() - beganMs });
        }
        yield chunk;
      }
    } catch (error) {
      isWhole = true;
      trail.answered({ ...asked, error, tookMs: system.monotonicMs() - beganMs });
      throw error;
    } finally {
      if (!isWhole)
        trail.missed(`a stream of the model "${this.#name}" that was not read to its end`);
    }
  }

  #asked({ model, messages, tools, maxTokens, temperature }: LlmOptions): Asked {
    // The agent may go on to add to its list of messages.
    const request = { model, messages: [...messages], tools, maxTokens, temperature };
    return { kind: "model", name: this.#name, request };
  }
}

/** `this.tools`, whose answers are noted. */
export class RecordedTools implements Tools {
  readonly #tools: Tools;
  readonly #find: (name: string) => KnownTool | undefined;
  readonly #listening: Listening;

  constructor(tools: Tools, find: (name: string) => KnownTool | undefined, listening: Listening) {
    this.#tools = tools;
    this.#find = find;
    this.#listening = listening;
  }

  /** {@inheritDoc Tools.list} */
  list(): ToolDescription[] {
    return this.#tools.list();
  }

  /** {@inheritDoc Tools.forModel} */
  forModel(): ModelTool[] {
    return this.#tools.forModel();
  }

  /** {@inheritDoc Tools.call} */
  async call(name: string, input: JsonObject, options?: ToolOptions): Promise<ToolResult> {
    const { trail, system } = this.#listening;
    const asked = this.#asked(name, input);
    const beganMs = system.monotonicMs();
    const took = (): number => system.monotonicMs() - beganMs;
    try {
      const result = await this.#tools.call(name, input, options);
      trail.answered({ ...asked, reply: { ...result, isError: false }, tookMs: took() });
      return result;
    } catch (error) {
      const isAnswer = error instanceof toolErrors.FAILED;
      const end = isAnswer
        ? { reply: { content: error.details.reason, isError: true } }
        : { error };
      trail.answered({ ...asked, ...end, tookMs: took() });
      throw error;
    }
  }

  /** {@inheritDoc Tools.answer} */
  async answer(toolCall: ModelToolCall, options?: ToolOptions): Promise<ModelMessage> {
    const { trail, system } = this.#listening;
    const asked = this.#asked(toolCall.name, toolCall.input);
    const beganMs = system.monotonicMs();
    const took = (): number => system.monotonicMs() - beganMs;
    try {
      const message = await this.#tools.answer(toolCall, options);
      const isError = message.role === "tool" && message.isError === true;
      trail.answered({ ...asked, reply: { content: message.content, isError }, tookMs: took() });
      return message;
    } catch (error) {
      trail.answered({ ...asked, error, tookMs: took() });
      throw error;
    }
  }

  #asked(name: string, input: JsonObject): Asked {
    const request = typeof input === "object" && input !== null ? { ...input } : {};
    return { kind: "tool", name: this.#find(name)?.name ?? name, request };
  }
}

import {
  type JsonObject,
  type ModelChunk,
  type ModelProvider,
  type ModelReply,
  type ModelRequest,
  type NamedModel,
  TableError,
  type ToolSource,
} from "../../core/index.ts";
import { ModelFront } from "./model-front.ts";
import { keyOf, type RecordedError, recordedRequest, type RecordedLine } from "./recording.ts";

/**
 * Writes down what models answer, for `replayModels`. Messages and answers are in it as they are; keys are not.
 *
 * @param models Providers of a real run.
 * @param write Takes each line, with its line break.
 * @returns The same providers, listened to.
 */
export function recordModels(
  models: readonly NamedModel[],
  write: (line: string) => void,
): readonly NamedModel[] {
  return models.map(({ name, provider }) => ({
    name,
    provider: new RecordedModel(name, provider, lineWriter(write)),
  }));
}

/**
 * Writes down what tools answer, for `replayTools`.
 *
 * @param sources Sources of a real run.
 * @param write Takes each line, with its line break.
 * @returns The same sources, listened to.
 */
export function recordTools(
  sources: readonly ToolSource[],
  write: (line: string) => void,
): readonly ToolSource[] {
  const put = lineWriter(write);
  return sources.map((source) => {
    let known = "";
    const { name, scheme, span } = source;
    return {
      name,
      scheme,
      span,
      open: (host) => source.open?.(host),
      close: () => source.close?.(),
      tools: () => {
        const tools = source.tools();
        const key = keyOf(tools);
        if (key !== known) put({ v: 1, kind: "tools", source: name, scheme, tools });
        known = key;
        return tools;
      },
      call: async (tool, input, options) => {
        const asked = { v: 1, kind: "tool", source: name, tool, input } as const;
        try {
          const result = await source.call(tool, input, options);
          put({ ...asked, result });
          return result;
        } catch (error) {
          put({ ...asked, error: recordedError(error) });
          throw error;
        }
      },
    };
  });
}

type Put = (line: RecordedLine) => void;

function lineWriter(write: (line: string) => void): Put {
  return (line) => write(`${JSON.stringify(line)}\n`);
}

class RecordedModel extends ModelFront {
  readonly #name: string;
  readonly #put: Put;

  constructor(name: string, provider: ModelProvider, put: Put) {
    super(provider);
    this.#name = name;
    this.#put = put;
  }

  override async open(...given: Parameters<NonNullable<ModelProvider["open"]>>): Promise<void> {
    const defaultModel = this.defaultModel ?? null;
    this.#put({ v: 1, kind: "provider", name: this.#name, defaultModel });
    await super.open(...given);
  }

  async chat(request: ModelRequest): Promise<ModelReply> {
    try {
      const reply = await this.provider.chat(request);
      this.#put({ ...this.#askedOf(request), reply });
      return reply;
    } catch (error) {
      this.#put({ ...this.#askedOf(request), error: recordedError(error) });
      throw error;
    }
  }

  /** A stream that the reader gave up is written down as far as it came. */
  protected async *streamOf(
    request: ModelRequest,
    ask: () => AsyncIterable<ModelChunk>,
  ): AsyncGenerator<ModelChunk, void, undefined> {
    const chunks: ModelChunk[] = [];
    let error: RecordedError | undefined;
    try {
      for await (const chunk of ask()) {
        chunks.push(chunk);
        yield chunk;
      }
    } catch (reason) {
      error = recordedError(reason);
      throw reason;
    } finally {
      const asked = this.#askedOf(request);
      this.#put({ ...asked, ...(error === undefined ? { chunks } : { chunks, error }) });
    }
  }

  #askedOf(request: ModelRequest) {
    const asked = recordedRequest(request);
    return { v: 1, kind: "model", name: this.#name, request: asked } as const;
  }
}

function recordedError(error: unknown): RecordedError {
  const message = error instanceof Error ? error.message : String(error);
  if (!(error instanceof TableError)) return { code: null, message, details: {} };
  return { code: error.code, message, details: error.details as JsonObject };
}

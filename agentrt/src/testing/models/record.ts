import {
  type JsonObject,
  type ModelChunk,
  type ModelProvider,
  type ModelRequest,
  type NamedModel,
  TableError,
  type ToolSource,
} from "../../core/index.ts";
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
    provider: recorded(name, provider, lineWriter(write)),
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

function recorded(name: string, provider: ModelProvider, put: Put): ModelProvider {
  const askedOf = (request: ModelRequest) =>
    ({ v: 1, kind: "model", name, request: recordedRequest(request) }) as const;
  const { defaultModel, retryCountMax, retryBaseMs, timeoutMs, maxTokens } = provider;
  return {
    defaultModel,
    retryCountMax,
    retryBaseMs,
    timeoutMs,
    maxTokens,
    priceOf: (model) => provider.priceOf?.(model),
    open: async (host) => {
      put({ v: 1, kind: "provider", name, defaultModel: defaultModel ?? null });
      await provider.open?.(host);
    },
    close: () => provider.close?.(),
    chat: async (request) => {
      try {
        const reply = await provider.chat(request);
        put({ ...askedOf(request), reply });
        return reply;
      } catch (error) {
        put({ ...askedOf(request), error: recordedError(error) });
        throw error;
      }
    },
    ...(provider.stream === undefined
      ? {}
      : { stream: (request) => recordedStream(provider, { request, put, askedOf }) }),
  };
}

/** A stream that the reader gave up is written down as far as it came. */
async function* recordedStream(
  provider: ModelProvider,
  {
    request,
    put,
    askedOf,
  }: {
    readonly request: ModelRequest;
    readonly put: Put;
    readonly askedOf: (request: ModelRequest) => RecordedLine & { readonly kind: "model" };
  },
): AsyncGenerator<ModelChunk, void, undefined> {
  const chunks: ModelChunk[] = [];
  let error: RecordedError | undefined;
  try {
    for await (const chunk of provider.stream?.(request) ?? []) {
      chunks.push(chunk);
      yield chunk;
    }
  } catch (reason) {
    error = recordedError(reason);
    throw reason;
  } finally {
    put({ ...askedOf(request), ...(error === undefined ? { chunks } : { chunks, error }) });
  }
}

function recordedError(error: unknown): RecordedError {
  const message = error instanceof Error ? error.message : String(error);
  if (!(error instanceof TableError)) return { code: null, message, details: {} };
  return { code: error.code, message, details: error.details as JsonObject };
}

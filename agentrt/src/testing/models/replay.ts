import {
  modelErrors,
  type ModelReply,
  type ModelRequest,
  type NamedModel,
  type SourceTool,
  toolErrors,
  type ToolSource,
} from "../../core/index.ts";
import { keyOf, type RecordedError, recordedRequest, type Recording } from "./recording.ts";

type Line<Kind> = Extract<Recording[number], { readonly kind: Kind }>;

/**
 * Makes the providers of a recording: each answers a request as it was answered then. A request that was recorded
 * several times gets its answers in their order, and then the last one again.
 *
 * @param recording A recording that was read.
 * @returns The providers in the order of the recording; new ones for each run, as they count their answers. A request
 *   that is not in it fails with AGENTRT_MODEL_NOT_RECORDED.
 */
export function replayModels(recording: Recording): readonly NamedModel[] {
  const lines = recording.filter((line): line is Line<"model"> => line.kind === "model");
  const providers = recording.filter((line): line is Line<"provider"> => line.kind === "provider");
  const names = new Set([...providers, ...lines].map(({ name }) => name));
  return [...names].map((name) => {
    const own = lines.filter((line) => line.name === name);
    const defaultModel =
      providers.find((line) => line.name === name)?.defaultModel ?? own[0]?.request.model;
    const answers = new Answers(own, (line) => keyOf(line.request));
    const next = (request: ModelRequest): Line<"model"> => {
      const line = answers.next(keyOf(recordedRequest(request)));
      if (line !== undefined) return line;
      const details = { provider: name, model: request.model, recordedCount: own.length };
      throw new modelErrors.NOT_RECORDED(details);
    };
    return {
      name,
      provider: {
        defaultModel,
        chat: async (request) => {
          const { reply, error, chunks } = next(request);
          if (error !== undefined) throw revived(error);
          const end = chunks?.findLast((chunk) => chunk.type === "end");
          const whole = reply ?? end?.reply;
          if (whole !== undefined) return whole;
          throw new modelErrors.STREAM_CUT({
            provider: name,
            model: request.model,
            reason: "it was given up while it was recorded",
          });
        },
        stream: async function* (request) {
          const { reply, error, chunks } = next(request);
          if (chunks !== undefined) yield* chunks;
          if (error !== undefined) throw revived(error);
          if (reply !== undefined) yield* inOnePiece(reply);
        },
      },
    };
  });
}

/**
 * Makes the tool sources of a recording: each use of a tool is answered as it was then.
 *
 * @param recording A recording that was read.
 * @returns The sources; new ones for each run. A use that is not in it is AGENTRT_TOOL_UNAVAILABLE.
 */
export function replayTools(recording: Recording): readonly ToolSource[] {
  const offers = recording.filter((line): line is Line<"tools"> => line.kind === "tools");
  const uses = recording.filter((line): line is Line<"tool"> => line.kind === "tool");
  return [...new Set(offers.map(({ source }) => source))].map((name) => {
    const own = offers.filter((line) => line.source === name);
    const answers = new Answers(
      uses.filter((line) => line.source === name),
      ({ tool, input }) => keyOf({ tool, input }),
    );
    const tools: readonly SourceTool[] = own.at(-1)?.tools ?? [];
    return {
      name,
      scheme: own[0]?.scheme ?? "mcp",
      tools: () => tools,
      call: async (tool, input) => {
        const line = answers.next(keyOf({ tool, input }));
        if (line?.error !== undefined) throw revived(line.error);
        if (line?.result !== undefined) return line.result;
        const reason = `the recording holds no answer to this use of "${tool}"`;
        throw new toolErrors.UNAVAILABLE({ server: name, reason });
      },
    };
  });
}

class Answers<Each> {
  readonly #byKey: Map<string, Each[]>;

  constructor(lines: readonly Each[], keyOfLine: (line: Each) => string) {
    this.#byKey = Map.groupBy(lines, keyOfLine);
  }

  next(key: string): Each | undefined {
    const left = this.#byKey.get(key) ?? [];
    return left.length > 1 ? left.shift() : left[0];
  }
}

async function* inOnePiece(reply: ModelReply) {
  if (reply.content !== "") yield { type: "text", text: reply.content } as const;
  for (const toolCall of reply.toolCalls ?? []) yield { type: "toolCall", toolCall } as const;
  yield { type: "end", reply } as const;
}

/** The error that was recorded, as what it was. */
function revived({ code, message, details }: RecordedError): Error {
  for (const [prefix, table] of [
    ["AGENTRT_MODEL_", modelErrors],
    ["AGENTRT_TOOL_", toolErrors],
  ] as const) {
    if (code?.startsWith(prefix) !== true) continue;
    const classes = table as unknown as { readonly [name: string]: new (details: object) => Error };
    const ErrorClass = classes[code.slice(prefix.length)];
    if (ErrorClass !== undefined) return new ErrorClass(details);
  }
  return new Error(message);
}

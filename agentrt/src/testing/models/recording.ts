import type {
  JsonObject,
  JsonValue,
  ModelChunk,
  ModelReply,
  ModelRequest,
  SourceResult,
  SourceTool,
} from "../../core/index.ts";

/** An error as a recording keeps it. */
export interface RecordedError {
  /** Of the error table; null for any other error. */
  readonly code: string | null;
  readonly message: string;
  readonly details: JsonObject;
}

/** What a request is known by: who is asked, and what. */
export type RecordedRequest = Pick<
  ModelRequest,
  "model" | "messages" | "tools" | "maxTokens" | "temperature"
>;

/** One line of a recording: JSON, in the order in which things ended. */
export type RecordedLine =
  /** A provider that was there. */
  | {
      readonly v: 1;
      readonly kind: "provider";
      readonly name: string;
      readonly defaultModel: string | null;
    }
  /** An answer of a model: exactly one of `reply`, `chunks` (it was streamed) and `error`. */
  | {
      readonly v: 1;
      readonly kind: "model";
      readonly name: string;
      readonly request: RecordedRequest;
      readonly reply?: ModelReply;
      readonly chunks?: readonly ModelChunk[];
      readonly error?: RecordedError;
    }
  /** What a tool server offered from here on. */
  | {
      readonly v: 1;
      readonly kind: "tools";
      readonly source: string;
      readonly scheme: string;
      readonly tools: readonly SourceTool[];
    }
  /** An answer of a tool: exactly one of `result` and `error`. */
  | {
      readonly v: 1;
      readonly kind: "tool";
      readonly source: string;
      readonly tool: string;
      readonly input: JsonObject;
      readonly result?: SourceResult;
      readonly error?: RecordedError;
    };

/** A recording that was read. */
export type Recording = readonly RecordedLine[];

/**
 * Reads a recording.
 *
 * @param text JSON lines, as `recordModels` and `recordTools` write them; empty lines are skipped.
 * @returns Its lines.
 * @throws Error that names the first wrong line.
 */
export function readRecording(text: string): Recording {
  return text.split("\n").flatMap((line, index) => {
    if (line.trim() === "") return [];
    const parsed = parse(line);
    if (parsed?.v === 1) return [parsed];
    throw new Error(`Cannot read the recording: line ${index + 1} is not a line of a recording`);
  });
}

function parse(line: string): RecordedLine | undefined {
  try {
    return JSON.parse(line) as RecordedLine;
  } catch {
    return undefined;
  }
}

/** @returns What two equal requests have in common, as a text: the order of keys says nothing. */
export function keyOf(value: unknown): string {
  return JSON.stringify(value, (_name, each: JsonValue) => {
    if (typeof each !== "object" || each === null || Array.isArray(each)) return each;
    return Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}

/** @returns What a request is known by; neither its signal nor where its key is. */
export function recordedRequest(request: ModelRequest): RecordedRequest {
  const { model, messages, tools, maxTokens, temperature } = request;
  return { model, messages, tools, maxTokens, temperature };
}

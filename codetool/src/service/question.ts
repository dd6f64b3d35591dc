/** One command line for a service: what the process that was started with it knows. */
export interface Question {
  /** See `ProgramIdentity`. */
  readonly identity: string;
  readonly argv: readonly string[];
  readonly invokedAs: readonly string[];
  /** Absolute. */
  readonly workingDirectory: string;
  /** Which folder that is: in another file system the same path is another one. */
  readonly folder: string;
  readonly environment: { readonly [name: string]: string };
  /** Whether standard error is a terminal: then a log line may have colours. */
  readonly isTerminal: boolean;
}

/** What a service is asked to do. */
export type Request =
  | { readonly kind: "ask"; readonly question: Question }
  | { readonly kind: "status" }
  | { readonly kind: "stop" };

/** The whole answer to a command line. */
export interface ServedAnswer {
  readonly exitCode: number;
  readonly stdout: Uint8Array;
  readonly stderr: Uint8Array;
}

/** A request has one line; what is longer is not sent, and refused. */
export const requestBytesMax = 1024 * 1024;

/** What a service sends when it has read a request, and each second while it works on it. */
export const acceptedByte = 0x2b;

const newline = 0x0a;

/** Writes an answer: a line with the exit code and the lengths, then the bytes of both streams. */
export function encodeAnswer({ exitCode, stdout, stderr }: ServedAnswer): Uint8Array {
  const head = `${JSON.stringify([exitCode, stdout.length, stderr.length])}\n`;
  return Buffer.concat([Buffer.from(head), stdout, stderr]);
}

/** Where the parts of an answer begin and end. */
interface AnswerHead {
  readonly exitCode: number;
  readonly stdoutStart: number;
  readonly stdoutEnd: number;
  readonly end: number;
}

function readHead(bytes: Uint8Array): AnswerHead | undefined {
  const line = bytes.indexOf(newline);
  if (line === -1) return undefined;
  const lengths = parse(Buffer.from(bytes.subarray(0, line)).toString());
  if (!Array.isArray(lengths) || lengths.length !== 3) return undefined;
  const [exitCode, stdoutBytes, stderrBytes] = lengths.map(Number) as [number, number, number];
  const stdoutStart = line + 1;
  const stdoutEnd = stdoutStart + stdoutBytes;
  return { exitCode, stdoutStart, stdoutEnd, end: stdoutEnd + stderrBytes };
}

/** How long an answer is, bytes, as its beginning says; `undefined` where that is not known yet, or it is none. */
export function lengthOfAnswer(bytes: Uint8Array): number | undefined {
  return readHead(bytes)?.end;
}

/** Reads an answer; `undefined` where it is not whole. */
export function decodeAnswer(bytes: Uint8Array): ServedAnswer | undefined {
  const head = readHead(bytes);
  if (head === undefined || bytes.length !== head.end) return undefined;
  const { exitCode, stdoutStart, stdoutEnd } = head;
  const stdout = bytes.subarray(stdoutStart, stdoutEnd);
  return { exitCode, stdout, stderr: bytes.subarray(stdoutEnd) };
}

/** Reads the line of a request; `undefined` where it is none. */
export function decodeRequest(line: Uint8Array): Request | undefined {
  const value = parse(Buffer.from(line).toString());
  if (typeof value !== "object" || value === null || !("kind" in value)) return undefined;
  const isKnown = value.kind === "ask" || value.kind === "status" || value.kind === "stop";
  return isKnown ? (value as Request) : undefined;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

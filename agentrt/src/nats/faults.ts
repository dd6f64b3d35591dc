import { reasonOf } from "../core/index.ts";

/** What a request to JetStream failed with, as far as it makes a difference. */
export type JetStreamFault =
  /** Somebody else has written in between; or what is to be made is there, and is another one. */
  | "conflict"
  /** The stream, or the account, has no room. */
  | "full"
  /** The message is larger than the stream takes. */
  | "tooLarge"
  /** There is no such stream. */
  | "noStream"
  /** The server, or the account, has no JetStream. */
  | "disabled"
  /** Nobody serves the subject: there is no JetStream, no such stream, or it begins just now. */
  | "unserved"
  /** The user of the connection may not do that. */
  | "forbidden"
  /** The server is away, or does not answer in time: another try may go well. */
  | "away"
  | "other";

/** By the server's `err_code`. */
const faultsByCode: { readonly [code: number]: JetStreamFault } = {
  10_071: "conflict",
  10_164: "conflict",
  10_148: "conflict",
  10_023: "full",
  10_047: "full",
  10_028: "full",
  10_122: "full",
  10_054: "tooLarge",
  10_059: "noStream",
  10_039: "disabled",
  10_076: "disabled",
  10_008: "away",
  10_074: "full",
};

const awayNames: ReadonlySet<string> = new Set([
  "TimeoutError",
  "NoRespondersError",
  "ClosedConnectionError",
  "DrainingConnectionError",
  "ConnectionError",
]);

/** Says what kind of fault an error of the client library is. */
export function faultOf(error: unknown): JetStreamFault {
  const { name, code, cause } = error as {
    readonly name?: string;
    readonly code?: unknown;
    readonly cause?: unknown;
  };
  const text = reasonOf(error);
  if (name === "JetStreamNotEnabled")
    return (cause as Error | undefined)?.name === "JetStreamApiError" ? "disabled" : "unserved";
  if (name === "PermissionViolationError" || /permissions violation/i.test(text))
    return "forbidden";
  // What stores messages answers with the limit in words, under one code for all of them.
  if (/maximum (?:bytes|messages) exceeded|resource limits exceeded|insufficient/i.test(text))
    return "full";
  if (typeof code === "number" && faultsByCode[code] !== undefined) return faultsByCode[code];
  if (name !== undefined && awayNames.has(name)) return "away";
  return cause === undefined || cause === null || cause === error ? "other" : faultOf(cause);
}

/** Says what went wrong, in words for who runs the server. */
export function faultReason(error: unknown): string {
  switch (faultOf(error)) {
    case "disabled":
    case "unserved":
      return "JetStream is not enabled on the server, or not for this account";
    case "forbidden":
      return `the user of the connection may not do that: ${reasonOf(error)}`;
    case "full":
      return `there is no room: ${reasonOf(error)}`;
    case "away":
      return "the server is away, or does not answer";
    case "conflict":
    case "tooLarge":
    case "noStream":
    case "other":
      return reasonOf(error);
  }
}

import type { JsonObject } from "../../../../core/index.ts";

/** What a gateway is asked through. */
export type Surface = "HTTP/1.1" | "HTTP/2" | "HTTP/3" | "WebSocket" | "gRPC";

/** The gateways of the cases' topology, by what stands in front of their agents. */
export type CaseGateway =
  | "open"
  | "default"
  | "impatient"
  | "brief"
  | "bounded"
  | "picked"
  | "listed"
  | "edged"
  | "key"
  | "jwt"
  | "denying"
  | "throwing"
  | "hanging"
  | "bare"
  | "required"
  | "optional"
  | "proxied"
  | "distrusting"
  | "limited"
  | "keyless"
  | "nameless";

/** One request, the same for every surface: an agent is asked for something by somebody. */
export interface CaseRequest {
  /** Default `open`. */
  readonly gateway?: CaseGateway;
  /** Name of the agent, or of none. Default `echo`. */
  readonly agent?: string;
  /** What the agent has to declare, in place of its name. */
  readonly capability?: string;
  /** Default `call`. WebSocket has `call` and `stream` in one. */
  readonly mode?: "call" | "cast" | "stream";
  /** What the agent is sent. Default an empty object. */
  readonly payload?: JsonObject;
  /** What is sent in its place, as it is: the body of HTTP, a message of WebSocket, the `AgentRequest` of gRPC. */
  readonly body?: string | Uint8Array;
  /** Headers of HTTP and of the handshake, metadata of gRPC. A list is sent as several headers of one name. */
  readonly headers?: { readonly [name: string]: string | readonly string[] };
  /** The same, made for each surface: of a limiter each surface uses up its own share. */
  readonly headersOf?: (surface: Surface) => { readonly [name: string]: string };
  /** A bearer token: a header, a subprotocol, metadata. */
  readonly token?: string;
  /** Which certificate the client shows. Default none. */
  readonly certificate?: "own" | "foreign" | "unlisted";
  /** HTTP alone: method and target, in place of those of the agent's route. */
  readonly target?: string;
  /** How often it is sent; the last answer counts. Default once. */
  readonly count?: number;
  /** What is sent before and not waited for: it fills what the case is about. */
  readonly before?: readonly CaseRequest[];
}

/** What came back, or must. */
export interface CaseAnswer {
  /**
   * The status of HTTP; of WebSocket 101 with a message, the close code of a connection that was closed, or the status
   * of a handshake that was refused; the code of gRPC. "no connection" where there was none.
   */
  readonly status: number | "no connection";
  /** The body; of streams the list of what came; of a failure over gRPC `{"error": message}`. */
  readonly body?: unknown;
  /** Lower-case names. */
  readonly headers?: { readonly [name: string]: string | undefined };
}

/** Why a row does not apply to a surface. */
export interface NotApplicable {
  readonly because: string;
}

/** What must come back over each surface. */
export interface CaseExpectation {
  /** Over every version of HTTP. */
  readonly http: CaseAnswer | NotApplicable;
  /** Where one version differs. */
  readonly only?: { readonly [surface in Surface]?: CaseAnswer | NotApplicable };
  readonly webSocket: CaseAnswer | NotApplicable;
  readonly grpc: CaseAnswer | NotApplicable;
}

/** One row. */
export interface GatewayCase {
  /** What the row says. */
  readonly name: string;
  readonly request: CaseRequest;
  readonly expected: CaseExpectation;
}

/** Where the gateways of the cases listen, and who asks. */
export interface CaseServer {
  readonly ports: {
    readonly [gateway in CaseGateway]: { readonly http: number; readonly grpc: number };
  };
  readonly ca: Buffer;
  readonly certificates: {
    readonly [name in NonNullable<CaseRequest["certificate"]>]: {
      readonly cert: Buffer;
      readonly key: Buffer;
    };
  };
}

/** Sends the rows of the table over one surface. A further protocol is one more of these. */
export interface CaseRunner {
  readonly surface: Surface;
  ask(server: CaseServer, request: CaseRequest): Promise<CaseAnswer>;
}

/** What must come back over a surface. */
export function expectedOver(row: GatewayCase, surface: Surface): CaseAnswer | NotApplicable {
  const { http, only, webSocket, grpc } = row.expected;
  const own = only?.[surface];
  if (own !== undefined) return own;
  return surface === "WebSocket" ? webSocket : surface === "gRPC" ? grpc : http;
}

/** Says that a row does not apply, and why. */
export function notApplicable(because: string): NotApplicable {
  return { because };
}

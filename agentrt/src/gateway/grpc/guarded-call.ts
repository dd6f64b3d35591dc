import type { IncomingHttpHeaders } from "node:http2";
import type { Socket } from "node:net";
import {
  compose,
  type Middleware,
  notePrincipal,
  sourceOf,
  type Deadline,
} from "../chain/index.ts";
import { peerCertificate } from "../listening/index.ts";
import type {
  ClientCert,
  GatewayProcess,
  GatewayRequest,
  GatewayResponse,
  InboundRequest,
  StringMap,
} from "../request.ts";
import { recordKey } from "../request-record.ts";
import type { GrpcCall } from "./call.ts";
import type { GuardedMethod } from "./service.ts";
import { GrpcFault, statusOf } from "./status.ts";

/** A call of a guarded method. */
export interface GuardedCall {
  readonly call: GrpcCall;
  readonly method: GuardedMethod;
  /** Its connection; `undefined` when that has gone. */
  readonly socket: Socket | undefined;
}

/** What middleware runs with. */
export interface GuardedCallOptions {
  /** Around every guarded call, outermost first. */
  readonly middleware: readonly Middleware[];
  /** Finds the client's certificate on the connection. */
  readonly readClientCert: (inbound: InboundRequest) => ClientCert | undefined;
  /** Bounds middleware and what it wraps until an answer begins. */
  readonly deadline: Deadline;
  readonly process: GatewayProcess;
}

/**
 * Runs the middleware around a method, and sends what it makes of the answer.
 *
 * @param guarded The call.
 * @param options Of the server.
 * @throws GrpcFault for an answer that is none of success.
 */
export async function serveGuarded(
  guarded: GuardedCall,
  options: GuardedCallOptions,
): Promise<void> {
  const { call, method } = guarded;
  const response =
    options.middleware.length === 0
      ? await method.answer(call, call.signal)
      : await runMiddleware(guarded, options);
  const source = sourceOf(response);
  source?.handOver();
  const leave = (): void => source?.end();
  try {
    if (response.status < 300) return await method.send(call, { response, leave });
    const { code, message } = statusOf(response);
    throw new GrpcFault(code, message);
  } finally {
    leave();
  }
}

async function runMiddleware(
  { call, method, socket }: GuardedCall,
  { middleware, process, readClientCert, deadline }: GuardedCallOptions,
): Promise<GatewayResponse> {
  const path = call.metadata[":path"] ?? "";
  const { record } = call;
  const { headers, peerIp: clientIp } = record;
  const inbound: InboundRequest = {
    method: "POST",
    target: path,
    headers,
    clientIp,
    clientCertificate: socket === undefined ? undefined : peerCertificate(socket),
    signal: call.signal,
    readBody: () => Promise.resolve("cut_short"),
  };
  const requestWith = (signal: AbortSignal): GatewayRequest => ({
    method: "POST",
    path,
    authority: headers["host"],
    pathParams: {},
    queryParams: {},
    headers,
    body: {},
    clientIp: record.clientIp,
    requestId: record.id,
    [recordKey]: record,
    gateway: process,
    clientCert: readClientCert(inbound),
    auth: undefined,
    signal,
  });
  const answer = notePrincipal((request) => method.answer(call, request.signal));
  const run = compose(middleware, answer);
  return await deadline.bound(call.signal, async (signal) => await run(requestWith(signal)));
}

/** Of repeated metadata HTTP/2 gives a list: joined as headers of HTTP/1.1 are, which no credential survives. */
export function headersOf(metadata: IncomingHttpHeaders): StringMap {
  const headers: { [name: string]: string } = {};
  for (const [name, value] of Object.entries(metadata)) {
    if (name.startsWith(":") || value === undefined) continue;
    headers[name] = Array.isArray(value) ? value.join(", ") : value;
  }
  const authority = metadata[":authority"];
  if (authority !== undefined) headers["host"] = authority;
  return headers;
}

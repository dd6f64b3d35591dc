import assert from "node:assert/strict";
import { connect, type ClientHttp2Session, type IncomingHttpHeaders } from "node:http2";
import type { JsonObject } from "../../../core/values/json.ts";
import { createRealSystem, type System } from "../../../core/ports/system.ts";
import type { Middleware } from "../../chain/middleware.ts";
import type { AgentBus, GatewayMessage } from "../../ports.ts";
import { createEdge } from "../../edge/edge.ts";
import { loneGateway } from "../../test-support/lone-gateway.ts";
import { agentService } from "../agent-service.ts";
import { healthService } from "../health-service.ts";
import { grpcLimitDefaults, type GrpcLimits } from "../limits.ts";
import { reflectionService } from "../reflection-service.ts";
import { GrpcServer } from "../server.ts";
import { readStruct, writeStruct } from "../struct.ts";
import { readFields, readNested, readText } from "../wire-reader.ts";
import { WireWriter } from "../wire-writer.ts";

interface Result {
  readonly http: number;
  readonly code: number;
  readonly message: string;
  readonly messages: readonly Buffer[];
  readonly headers: IncomingHttpHeaders;
}

interface Setup extends AsyncDisposable {
  readonly session: ClientHttp2Session;
  readonly server: GrpcServer;
  readonly seen: Omit<GatewayMessage, "signal">[];
  /** Makes a call; the body is sent as it is. */
  call(
    path: string,
    body: Buffer,
    headers?: { readonly [name: string]: string | string[] },
  ): Promise<Result>;
}

/** Serves all services on a port of its own, with a session to it. */
export async function serve({
  bus = {},
  middleware = [],
  limits: given = {},
  logged,
  system = createRealSystem(),
}: {
  bus?: Partial<AgentBus>;
  middleware?: readonly Middleware[];
  limits?: Partial<GrpcLimits>;
  /** Where errors of the log go; without it they fail the test. */
  logged?: unknown[];
  system?: System;
} = {}): Promise<Setup> {
  const seen: Setup["seen"] = [];
  const log = {
    warn: (text: string): void => assert.fail(text),
    error: (text: string, { error }: { readonly [name: string]: unknown }): void => {
      if (logged === undefined) assert.fail(text);
      logged.push(error);
    },
  };
  const limits = { ...grpcLimitDefaults, ...given };
  const whole: AgentBus = {
    call: (message) => {
      seen.push(message);
      return Promise.resolve({ type: message.type, payload: message.payload });
    },
    cast: (message) => {
      seen.push(message);
      return Promise.resolve();
    },
    stream: () => assert.fail("nothing is streamed"),
    chooseCapable: (tag) => `holder of ${tag}`,
    hasAgent: () => true,
    isInfrastructure: () => false,
    ...bus,
  };
  const served = { isServed: () => true, isCapabilityServed: () => true };
  const server = new GrpcServer({
    node: "api",
    host: "127.0.0.1",
    port: 0,
    tls: undefined,
    methods: new Map([
      ...agentService({
        bus: whole,
        log,
        requestTimeoutMs: 30_000,
        castTimeoutMs: 1_000,
        limits,
        served,
      }),
      ...healthService({ services: ["agentrt.Agent"], durationMsMax: 60_000 }),
      ...reflectionService(60_000),
    ]),
    middleware,
    readClientCert: () => undefined,
    requestTimeoutMs: 30_000,
    process: loneGateway,
    edge: createEdge({ system }),
    system,
    log,
    limits,
  });
  const { port } = await server.start();
  const session = connect(`http://127.0.0.1:${port}`);
  session.on("error", () => undefined);
  return {
    session,
    server,
    seen,
    call: (path, body, headers = {}) => callOn(session, { path, body, headers }),
    async [Symbol.asyncDispose]() {
      await server.stop({ timeoutMs: 0 });
      session.destroy();
    },
  };
}

function callOn(
  session: ClientHttp2Session,
  {
    path,
    body,
    headers,
  }: {
    readonly path: string;
    readonly body: Buffer;
    readonly headers: { readonly [name: string]: string | string[] };
  },
): Promise<Result> {
  return new Promise((resolve, reject) => {
    const stream = session.request({
      ":method": "POST",
      ":path": path,
      "content-type": "application/grpc",
      te: "trailers",
      ...headers,
    });
    let head: IncomingHttpHeaders = {};
    let trailers: IncomingHttpHeaders = {};
    const chunks: Buffer[] = [];
    stream.on("response", (got) => {
      head = got;
    });
    stream.on("trailers", (got) => {
      trailers = got;
    });
    stream.on("data", (chunk: Buffer) => chunks.push(chunk));
    stream.on("error", reject);
    stream.on("close", () => {
      const end = { ...head, ...trailers };
      resolve({
        http: Number(head[":status"]),
        code: Number(end["grpc-status"]),
        message: decodeURIComponent(String(end["grpc-message"] ?? "")),
        messages: unframe(Buffer.concat(chunks)),
        headers: head,
      });
    });
    stream.end(body);
  });
}

/** A message as gRPC sends it. */
export function frame(
  message: Buffer,
  how: { readonly flag?: number; readonly length?: number } = {},
) {
  const head = Buffer.alloc(5);
  head[0] = how.flag ?? 0;
  head.writeUInt32BE(how.length ?? message.length, 1);
  return Buffer.concat([head, message]);
}

function unframe(bytes: Buffer): Buffer[] {
  const messages: Buffer[] = [];
  for (let offset = 0; offset < bytes.length;) {
    const size = bytes.readUInt32BE(offset + 1);
    messages.push(bytes.subarray(offset + 5, offset + 5 + size));
    offset += 5 + size;
  }
  return messages;
}

/** A request of the service of agents. */
export function request(fields: {
  readonly recipient?: string;
  readonly type?: string;
  readonly payload?: JsonObject;
  readonly traceparent?: string;
}): Buffer {
  const writer = new WireWriter();
  if (fields.recipient !== undefined) writer.text(1, fields.recipient);
  if (fields.type !== undefined) writer.text(2, fields.type);
  const { payload } = fields;
  if (payload !== undefined) writer.nested(3, (struct) => writeStruct(struct, payload));
  if (fields.traceparent !== undefined) writer.text(5, fields.traceparent);
  return writer.finish();
}

/** What a reply of the service of agents says. */
export function reply(bytes: Buffer | undefined): {
  readonly payload: JsonObject;
  readonly error: string;
} {
  assert.ok(bytes !== undefined, "no reply came");
  let payload: JsonObject = {};
  let error = "";
  for (const field of readFields(bytes)) {
    if (field.number === 1) payload = readStruct(readNested(field));
    if (field.number === 2) error = readText(field);
  }
  return { payload, error };
}

/** The path of a call that has one answer. */
export const invoke = "/agentrt.Agent/Invoke";
/** A greeting to the agent `chat`. */
export const greet = frame(request({ recipient: "chat" }));

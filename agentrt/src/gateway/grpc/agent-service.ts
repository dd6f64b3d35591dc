import type { JsonObject } from "../../core/index.ts";
import { ChunkFault, chunkResponse, ChunkSource } from "../chain/index.ts";
import {
  assemblePayload,
  failureResponse,
  noCapableAgent,
  payloadResponse,
  refuseType,
  streamFailure,
  suspendedHeader,
  unknownAgent,
} from "../dispatch/index.ts";
import { clientLog } from "../client-log.ts";
import type { AgentBus, GatewayLog, GatewayMessage } from "../ports.ts";
import { errorResponse, type GatewayResponse } from "../request.ts";
import { parseTraceparent } from "../trace-context.ts";
import type { GrpcCall } from "./call.ts";
import type { GrpcLimits } from "./limits.ts";
import type { GrpcMethods, GuardedMethod } from "./service.ts";
import type { ServedAgents } from "./served-agents.ts";
import { grpcCodes, GrpcFault, refusalOf, statusOf } from "./status.ts";
import { readStruct, writeStruct } from "./struct.ts";
import { readFields, readNested, readText, WireFault } from "./wire-reader.ts";
import { WireWriter } from "./wire-writer.ts";

/** What the service `agentrt.Agent` needs. */
export interface AgentServiceOptions {
  readonly bus: AgentBus;
  readonly log: GatewayLog;
  /** Longest wait for a reply, or for its first chunk, milliseconds. */
  readonly requestTimeoutMs: number;
  /** Longest wait of a cast for room in the mailbox, milliseconds. */
  readonly castTimeoutMs: number;
  readonly limits: GrpcLimits;
  /** What calls reach; other agents and capabilities are not there. */
  readonly served: Pick<ServedAgents, "isServed" | "isCapabilityServed">;
}

interface AgentRequest {
  readonly recipient: string;
  readonly type: string;
  readonly payload: JsonObject;
  readonly correlationId: string;
  readonly traceparent: string;
  readonly capability: string;
}

const correlationIdBytesMax = 256;
const typeDefault = "grpc.request";
const nothing = Object.freeze({}) as { readonly [name: string]: string } & JsonObject;
const empty = Buffer.alloc(0);

/** Makes the methods of `agentrt.Agent`. */
export function agentService(options: AgentServiceOptions): GrpcMethods {
  const { requestTimeoutMs, limits } = options;
  // The bus itself ends a call in time; a margin lets it say what was late.
  const callMsMax = requestTimeoutMs + marginMs;
  const streamMsMax = limits.durationMsMax + marginMs;
  const row = (mode: Mode, durationMsMax: number): GuardedMethod => ({
    answer: (call, signal) => answer(mode, { call, signal }, options),
    send: async (call, given) => {
      if (mode === "stream" && given.response.chunks !== undefined) {
        await sendChunks(call, given.response.chunks, { leave: given.leave, log: options.log });
      } else {
        await call.send(mode === "cast" ? empty : writeBody(given.response));
      }
    },
    durationMsMax,
  });
  return new Map([
    ["/agentrt.Agent/Invoke", row("call", callMsMax)],
    ["/agentrt.Agent/Cast", row("cast", callMsMax)],
    ["/agentrt.Agent/Stream", row("stream", streamMsMax)],
  ]);
}

type Mode = "call" | "cast" | "stream";

/** A call, and until when its answer is waited for. */
interface Waiting {
  readonly call: GrpcCall;
  readonly signal: AbortSignal;
}

const marginMs = 1_000;

async function answer(
  mode: Mode,
  waiting: Waiting,
  options: AgentServiceOptions,
): Promise<GatewayResponse> {
  let message: GatewayMessage;
  try {
    message = await readMessage(waiting, options);
  } catch (error) {
    if (error instanceof GrpcFault) return refusalOf(error);
    if (error instanceof WireFault) return errorResponse(400, error.message);
    throw error;
  }
  const { bus, castTimeoutMs, log } = options;
  try {
    if (mode === "stream") return openStream(message, waiting, options);
    if (mode === "call") return payloadResponse(await bus.call(message));
    await bus.cast({ ...message, timeoutMs: Math.min(message.timeoutMs, castTimeoutMs) });
    return { status: 202, body: {} };
  } catch (error) {
    return failureResponse(error, message.recipient, clientLog(log, waiting.call.clientIp));
  }
}

function openStream(
  message: GatewayMessage,
  { call, signal }: Waiting,
  { bus, limits, log }: AgentServiceOptions,
): GatewayResponse {
  const { signal: _, ...asked } = message;
  const chunks = bus.stream(asked, {
    bufferLengthMax: limits.queueLengthMax,
    idleTimeoutMs: limits.streamIdleTimeoutMs,
    durationMsMax: Math.min(limits.durationMsMax, call.leftMs),
  });
  const describe = (error: unknown): string =>
    streamFailure(error, message.recipient, clientLog(log, call.clientIp));
  return chunkResponse(new ChunkSource({ chunks, describe, signal }));
}

/** Sends each chunk when the client has room for it; `leave` tells the agent when nobody wants more. */
async function sendChunks(
  call: GrpcCall,
  chunks: AsyncIterable<JsonObject>,
  { leave, log }: { readonly leave: () => void; readonly log: GatewayLog },
): Promise<void> {
  const fail = (error: unknown): GrpcFault => {
    if (error instanceof ChunkFault) {
      const { status, body } = failureResponse(error.cause, "", silent);
      return new GrpcFault(statusOf({ status, body }).code, error.message);
    }
    // What middleware threw is not the client's business.
    log.error("A streamed response failed", { error, client: call.clientIp });
    return new GrpcFault(grpcCodes.internal, "internal error");
  };
  const iterator = chunks[Symbol.asyncIterator]();
  const stop = (): void => {
    // First the agent: a generator of a middleware that waits for a chunk cannot be left before it has come.
    leave();
    void Promise.resolve(iterator.return?.()).catch(fail);
  };
  call.signal.addEventListener("abort", stop, { once: true });
  try {
    if (call.signal.aborted) return stop();
    for (;;) {
      const step = await iterator.next();
      if (step.done === true) return;
      if (!(await call.send(writeReply(step.value)))) return stop();
    }
  } catch (error) {
    throw fail(error);
  } finally {
    call.signal.removeEventListener("abort", stop);
  }
}

const silent: GatewayLog = { warn: () => undefined, error: () => undefined };

/** @throws TypeError for what a middleware answers with and one message of gRPC cannot say. */
function writeBody({ body = {}, text, stream, chunks }: GatewayResponse): Buffer {
  if (text !== undefined || stream !== undefined)
    throw new TypeError("a response is text, which gRPC does not send");
  if (chunks !== undefined) throw new TypeError("a response has chunks where one reply is sent");
  if (typeof body !== "object" || body === null || Array.isArray(body))
    throw new TypeError("the body of a response is not a JSON object");
  return writeReply(body);
}

async function readMessage(
  { call, signal }: Waiting,
  options: AgentServiceOptions,
): Promise<GatewayMessage> {
  const request = readRequest(await call.readOne());
  const recipient = findAgent(request, options);
  const refusal = refuseType(request.type);
  if (refusal !== undefined) throw faultFrom(refusal);
  // That of the message goes before that of the metadata.
  const trace = parseTraceparent(request.traceparent);
  if (trace !== undefined) call.continueTrace(trace);
  return {
    recipient,
    type: request.type || typeDefault,
    payload: assemblePayload({
      query: nothing,
      body: request.payload,
      path: nothing,
      fixed: nothing,
    }),
    correlationId: readCorrelationId(request.correlationId) ?? call.record.id,
    trace: call.record.trace,
    timeoutMs: Math.min(options.requestTimeoutMs, call.leftMs),
    failIfSuspended: call.metadata[suspendedHeader] === "true",
    signal,
  };
}

/** @throws GrpcFault for a request that names not one of agent and capability, or what calls do not reach. */
function findAgent(
  { recipient, capability }: AgentRequest,
  { bus, log, served }: AgentServiceOptions,
): string {
  if (recipient !== "" && capability !== "") {
    const message = "recipient and capability are both there: name one";
    throw new GrpcFault(grpcCodes.invalidArgument, message);
  }
  if (recipient === "" && capability === "") {
    const message = "recipient is missing: name an agent, or a capability";
    throw new GrpcFault(grpcCodes.invalidArgument, message);
  }
  if (capability === "") {
    if (served.isServed(recipient)) return recipient;
    throw faultFrom(unknownAgent(recipient));
  }
  try {
    if (served.isCapabilityServed(capability)) return bus.chooseCapable(capability);
  } catch (error) {
    throw faultOf(error, "", { log });
  }
  throw faultFrom(noCapableAgent({ tag: capability, holderCount: 0 }));
}

/** @throws GrpcFault for one that would be too long to be kept with every message. */
function readCorrelationId(text: string): string | undefined {
  if (text === "") return undefined;
  if (Buffer.byteLength(text) <= correlationIdBytesMax) return text;
  const message = `correlation_id is longer than ${correlationIdBytesMax} bytes`;
  throw new GrpcFault(grpcCodes.invalidArgument, message);
}

function readRequest(bytes: Buffer): AgentRequest {
  const request = {
    recipient: "",
    type: "",
    correlationId: "",
    traceparent: "",
    capability: "",
    payload: {} as JsonObject,
  };
  for (const field of readFields(bytes)) {
    if (field.number === 1) request.recipient = readText(field);
    else if (field.number === 2) request.type = readText(field);
    else if (field.number === 3) request.payload = readStruct(readNested(field));
    else if (field.number === 4) request.correlationId = readText(field);
    else if (field.number === 5) request.traceparent = readText(field);
    else if (field.number === 6) request.capability = readText(field);
  }
  return request;
}

/** A reply with a member `error` is a reply all the same: the text is next to it. */
function writeReply(payload: JsonObject): Buffer {
  const writer = new WireWriter().nested(1, (struct) => writeStruct(struct, payload));
  if (Object.hasOwn(payload, "error")) {
    const { error } = payload;
    writer.text(2, typeof error === "string" ? error : JSON.stringify(error));
  }
  return writer.finish();
}

function faultOf(
  error: unknown,
  recipient: string,
  { log }: Pick<AgentServiceOptions, "log">,
): GrpcFault {
  return faultFrom(failureResponse(error, recipient, log));
}

function faultFrom(response: GatewayResponse): GrpcFault {
  const { code, message } = statusOf(response);
  return new GrpcFault(code, message);
}

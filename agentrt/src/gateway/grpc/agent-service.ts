import type { JsonObject } from "../../core/index.ts";
import {
  assemblePayload,
  failureResponse,
  refuseType,
  streamFailure,
  unknownAgent,
} from "../dispatch/index.ts";
import type { AgentBus, GatewayLog, GatewayMessage } from "../ports.ts";
import { parseTraceparent } from "../trace-context.ts";
import type { GrpcCall } from "./call.ts";
import type { GrpcLimits } from "./limits.ts";
import type { GrpcMethods } from "./service.ts";
import { grpcCodes, GrpcFault, statusOf } from "./status.ts";
import { readStruct, writeStruct } from "./struct.ts";
import { readFields, readNested, readText } from "./wire-reader.ts";
import { WireWriter } from "./wire-writer.ts";

/** What the service `agentrt.Agent` needs. */
export interface AgentServiceOptions {
  readonly bus: AgentBus;
  readonly log: GatewayLog;
  /** Longest wait for a reply, or for its first chunk, milliseconds. */
  readonly requestTimeoutMs: number;
  readonly limits: GrpcLimits;
  /** True for an agent that calls reach; others are not there. */
  readonly isServed: (name: string) => boolean;
}

interface AgentRequest {
  readonly recipient: string;
  readonly type: string;
  readonly payload: JsonObject;
  readonly correlationId: string;
  readonly traceparent: string;
}

const correlationIdBytesMax = 256;
const typeDefault = "grpc.request";
const nothing = Object.freeze({}) as { readonly [name: string]: string } & JsonObject;
const empty = Buffer.alloc(0);

/** Makes the methods of `agentrt.Agent`. */
export function agentService(options: AgentServiceOptions): GrpcMethods {
  const { requestTimeoutMs, limits } = options;
  const row = (handle: (call: GrpcCall) => Promise<void>, durationMsMax: number) => ({
    handle,
    isGuarded: true,
    durationMsMax,
  });
  // The bus itself ends a call in time; a margin lets it say what was late.
  const callMsMax = requestTimeoutMs + marginMs;
  return new Map([
    ["/agentrt.Agent/Invoke", row((call) => invoke(call, options), callMsMax)],
    ["/agentrt.Agent/Cast", row((call) => cast(call, options), callMsMax)],
    [
      "/agentrt.Agent/Stream",
      row((call) => stream(call, options), limits.durationMsMax + marginMs),
    ],
  ]);
}

const marginMs = 1_000;

async function invoke(call: GrpcCall, options: AgentServiceOptions): Promise<void> {
  const message = await readMessage(call, options);
  let reply: JsonObject;
  try {
    reply = await options.bus.call(message);
  } catch (error) {
    throw faultOf(error, message.recipient, options);
  }
  await call.send(writeReply(reply));
}

async function cast(call: GrpcCall, options: AgentServiceOptions): Promise<void> {
  const message = await readMessage(call, options);
  try {
    await options.bus.cast(message);
  } catch (error) {
    throw faultOf(error, message.recipient, options);
  }
  await call.send(empty);
}

async function stream(call: GrpcCall, options: AgentServiceOptions): Promise<void> {
  const { signal, ...message } = await readMessage(call, options);
  const { queueLengthMax: bufferLengthMax } = options.limits;
  const durationMsMax = Math.min(options.limits.durationMsMax, call.leftMs);
  const chunks = openStream(message, options, { bufferLengthMax, durationMsMax });
  const leave = (): void => void chunks.return?.();
  signal.addEventListener("abort", leave, { once: true });
  try {
    for (;;) {
      const step = await chunks.next();
      if (step.done === true) return;
      if (!(await call.send(writeReply(step.value)))) return leave();
    }
  } catch (error) {
    const { code } = faultOf(error, message.recipient, { ...options, log: silent });
    throw new GrpcFault(code, streamFailure(error, message.recipient, options.log));
  } finally {
    signal.removeEventListener("abort", leave);
  }
}

const silent: GatewayLog = { warn: () => undefined, error: () => undefined };

function openStream(
  message: Omit<GatewayMessage, "signal">,
  options: AgentServiceOptions,
  limits: { readonly bufferLengthMax: number; readonly durationMsMax: number },
): AsyncIterator<JsonObject, undefined> {
  try {
    const { streamIdleTimeoutMs: idleTimeoutMs } = options.limits;
    return options.bus.stream(message, { ...limits, idleTimeoutMs });
  } catch (error) {
    throw faultOf(error, message.recipient, options);
  }
}

async function readMessage(
  call: GrpcCall,
  { requestTimeoutMs, isServed }: AgentServiceOptions,
): Promise<GatewayMessage> {
  const request = readRequest(await call.readOne());
  if (request.recipient === "") {
    throw new GrpcFault(grpcCodes.invalidArgument, "recipient is missing: name an agent");
  }
  const refusal = isServed(request.recipient)
    ? refuseType(request.type)
    : unknownAgent(request.recipient);
  if (refusal !== undefined) {
    const { code, message } = statusOf(refusal);
    throw new GrpcFault(code, message);
  }
  const ofMetadata = call.metadata["traceparent"];
  const traceparent =
    request.traceparent === "" && typeof ofMetadata === "string" ? ofMetadata : request.traceparent;
  return {
    recipient: request.recipient,
    type: request.type || typeDefault,
    payload: assemblePayload({
      query: nothing,
      body: request.payload,
      path: nothing,
      fixed: nothing,
    }),
    correlationId: readCorrelationId(request.correlationId),
    trace: parseTraceparent(traceparent),
    timeoutMs: Math.min(requestTimeoutMs, call.leftMs),
    signal: call.signal,
  };
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
    payload: {} as JsonObject,
  };
  for (const field of readFields(bytes)) {
    if (field.number === 1) request.recipient = readText(field);
    else if (field.number === 2) request.type = readText(field);
    else if (field.number === 3) request.payload = readStruct(readNested(field));
    else if (field.number === 4) request.correlationId = readText(field);
    else if (field.number === 5) request.traceparent = readText(field);
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
  const { code, message } = statusOf(failureResponse(error, recipient, log));
  return new GrpcFault(code, message);
}

import type { JsonObject } from "../../core/index.ts";
import {
  assemblePayload,
  failureResponse,
  noCapableAgent,
  refuseType,
  streamFailure,
  unknownAgent,
} from "../dispatch/index.ts";
import type { AgentBus, GatewayLog, GatewayMessage } from "../ports.ts";
import type { GatewayResponse } from "../request.ts";
import { parseTraceparent } from "../trace-context.ts";
import type { GrpcCall } from "./call.ts";
import type { GrpcLimits } from "./limits.ts";
import type { GrpcMethods } from "./service.ts";
import type { ServedAgents } from "./served-agents.ts";
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
    const timeoutMs = Math.min(message.timeoutMs, options.castTimeoutMs);
    await options.bus.cast({ ...message, timeoutMs });
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

async function readMessage(call: GrpcCall, options: AgentServiceOptions): Promise<GatewayMessage> {
  const request = readRequest(await call.readOne());
  const recipient = findAgent(request, options);
  const refusal = refuseType(request.type);
  if (refusal !== undefined) throw faultFrom(refusal);
  const ofMetadata = call.metadata["traceparent"];
  const traceparent =
    request.traceparent === "" && typeof ofMetadata === "string" ? ofMetadata : request.traceparent;
  return {
    recipient,
    type: request.type || typeDefault,
    payload: assemblePayload({
      query: nothing,
      body: request.payload,
      path: nothing,
      fixed: nothing,
    }),
    correlationId: readCorrelationId(request.correlationId),
    trace: parseTraceparent(traceparent),
    timeoutMs: Math.min(options.requestTimeoutMs, call.leftMs),
    signal: call.signal,
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

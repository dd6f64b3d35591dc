import type { GatewayResponse } from "../request.ts";
import type { GrpcCall } from "./call.ts";

/** A method that everybody may call: health and reflection. What it throws becomes the status. */
export interface OpenMethod {
  /** Reads from the call and writes to it. */
  readonly handle: (call: GrpcCall) => Promise<void>;
  /** Longest life of a call, milliseconds; a shorter deadline of the client goes before it. */
  readonly durationMsMax: number;
}

/** A method behind the gateway's middleware, which sees its answer as a response of HTTP. */
export interface GuardedMethod {
  /** Reads the message, and asks for the answer to it; what fails is a response, too. */
  readonly answer: (call: GrpcCall, signal: AbortSignal) => Promise<GatewayResponse>;
  /** Sends what middleware made of the answer. */
  readonly send: (call: GrpcCall, answer: GuardedAnswer) => Promise<void>;
  /** See `OpenMethod`. */
  readonly durationMsMax: number;
}

/** An answer with a status of success, as the outermost middleware gave it. */
export interface GuardedAnswer {
  readonly response: GatewayResponse;
  /** Tells the agent behind it that nobody wants more chunks. */
  readonly leave: () => void;
}

/** A method of a service. */
export type GrpcMethod = OpenMethod | GuardedMethod;

/** Methods by their path, for example `/agentrt.Agent/Invoke`. */
export type GrpcMethods = ReadonlyMap<string, GrpcMethod>;

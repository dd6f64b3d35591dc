import type { GrpcCall } from "./call.ts";

/** A method: it reads from the call and writes to it, and what it throws becomes the status. */
export interface GrpcMethod {
  readonly handle: (call: GrpcCall) => Promise<void>;
  /** False for the methods that everybody may call: health and reflection. */
  readonly isGuarded: boolean;
  /** Longest life of a call, milliseconds; a shorter deadline of the client goes before it. */
  readonly durationMsMax: number;
}

/** Methods by their path, for example `/agentrt.Agent/Invoke`. */
export type GrpcMethods = ReadonlyMap<string, GrpcMethod>;

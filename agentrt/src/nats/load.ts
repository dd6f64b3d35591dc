import type { NatsClient } from "./client-types.ts";
import type { JetStreamLibrary } from "./jetstream-types.ts";

/** Loads the client library; it is installed only by those who want it. */
export async function loadNatsClient(): Promise<NatsClient> {
  return await import("@nats-io/transport-node");
}

/** Loads the library of JetStream; it is installed only by those who want it. */
export async function loadJetStream(): Promise<JetStreamLibrary> {
  return await import("@nats-io/jetstream");
}

/** @returns True for the error of a package that is not installed. */
export function isMissing(error: unknown): boolean {
  return (error as NodeJS.ErrnoException | null)?.code === "ERR_MODULE_NOT_FOUND";
}

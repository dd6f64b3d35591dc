import type { GrpcCall } from "./call.ts";
import type { GrpcMethods } from "./service.ts";
import { grpcCodes, GrpcFault } from "./status.ts";
import { readFields, readText } from "./wire-reader.ts";
import { WireWriter } from "./wire-writer.ts";

const serving = new WireWriter().varint(1, 1).finish();
const unknown = new WireWriter().varint(1, 3).finish();

/** What the health service needs. */
export interface HealthServiceOptions {
  /** Names of the services that are served; the empty name means the whole server. */
  readonly services: readonly string[];
  /** Longest time that a client may watch, milliseconds. */
  readonly durationMsMax: number;
}

/**
 * Makes the methods of `grpc.health.v1.Health`. While the gateway answers it serves: there is no state between. A watch
 * ends when the gateway stops.
 */
export function healthService({ services, durationMsMax }: HealthServiceOptions): GrpcMethods {
  const isKnown = (name: string): boolean => name === "" || services.includes(name);
  const check = async (call: GrpcCall): Promise<void> => {
    if (!isKnown(readService(await call.readOne()))) {
      throw new GrpcFault(grpcCodes.notFound, "unknown service");
    }
    await call.send(serving);
  };
  const watch = async (call: GrpcCall): Promise<void> => {
    await call.send(isKnown(readService(await call.readOne())) ? serving : unknown);
    await new Promise<void>((resolve) => {
      if (call.isOver) resolve();
      else call.signal.addEventListener("abort", () => resolve(), { once: true });
    });
  };
  return new Map([
    ["/grpc.health.v1.Health/Check", { handle: check, durationMsMax }],
    ["/grpc.health.v1.Health/Watch", { handle: watch, durationMsMax }],
  ]);
}

function readService(bytes: Buffer): string {
  let name = "";
  for (const field of readFields(bytes)) if (field.number === 1) name = readText(field);
  return name;
}

import { startTimer } from "../system/index.ts";
import { openSocket } from "./open-socket.ts";
import { acceptedByte, type Request } from "./question.ts";

/** How long to wait for a service, milliseconds. */
export interface Patience {
  /** For the first byte: a service that is busy with something else answers later than a process by itself. */
  readonly acceptedMs: number;
  /** For each further one. */
  readonly silenceMs: number;
}

/** What came of a request. */
export interface Exchanged {
  /** False when nobody listens there. */
  readonly isHeard: boolean;
  /** All that the service sent after it had accepted; `undefined` when nothing came in time, or not all. */
  readonly bytes: Uint8Array | undefined;
}

/** Sends a request to a service and reads all that it sends until it ends the connection. */
export async function exchange(
  address: string,
  request: Request,
  { acceptedMs, silenceMs }: Patience,
): Promise<Exchanged> {
  const { promise, resolve } = Promise.withResolvers<Exchanged>();
  const parts: Uint8Array[] = [];
  let isHeard = false;
  const settle = (bytes?: Uint8Array): void => resolve({ isHeard, bytes });
  let timer = startTimer(acceptedMs, () => settle());
  const socket = await openSocket(address, `${JSON.stringify(request)}\n`, {
    onOpen: () => {
      isHeard = true;
    },
    onData: (part) => {
      timer.stop();
      timer = startTimer(silenceMs, () => settle());
      parts.push(Uint8Array.from(part));
    },
    onEnd: () => {
      const bytes = Buffer.concat(parts);
      const start = bytes.findIndex((byte) => byte !== acceptedByte);
      settle(start < 1 ? undefined : bytes.subarray(start));
    },
    onFailure: () => settle(),
  });
  const exchanged = await promise;
  timer.stop();
  socket.destroy();
  return exchanged;
}

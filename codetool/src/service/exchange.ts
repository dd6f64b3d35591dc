import { startTimer } from "../system/index.ts";
import { openSocket } from "./open-socket.ts";
import { acceptedByte, lengthOfAnswer, type Request } from "./question.ts";

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

/**
 * Sends a request to a service and reads all that it sends: an answer as long as its beginning says, anything else until
 * the service ends the connection, which takes a millisecond more.
 */
export async function exchange(
  address: string,
  request: Request,
  { acceptedMs, silenceMs }: Patience,
): Promise<Exchanged> {
  const { promise, resolve } = Promise.withResolvers<Exchanged>();
  const received = new Received();
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
      received.add(part);
      if (received.isWhole) settle(received.bytes());
    },
    onEnd: () => settle(received.bytes()),
    onFailure: () => settle(),
  });
  const exchanged = await promise;
  timer.stop();
  socket.destroy();
  return exchanged;
}

/** What came of an answer, behind the bytes that a service sends while it works. */
class Received {
  readonly #parts: Uint8Array[] = [];
  #length = 0;
  #isAccepted = false;
  #lengthOfAnswer: number | undefined;

  /** Whether an answer came to its end. */
  get isWhole(): boolean {
    return this.#isAccepted && this.#length === this.#lengthOfAnswer;
  }

  add(part: Uint8Array): void {
    const start = this.#length > 0 ? 0 : part.findIndex((byte) => byte !== acceptedByte);
    this.#isAccepted ||= start !== 0;
    if (start < 0) return;
    // The memory of a part is used again for the next one.
    this.#parts.push(Uint8Array.from(part.subarray(start)));
    this.#length += part.length - start;
    // Its first line comes in one part mostly; in however many it comes, the end of the connection ends it.
    if (this.#parts.length === 1) this.#lengthOfAnswer = lengthOfAnswer(part.subarray(start));
  }

  /** All of it; `undefined` where nothing came, or what was not accepted before. */
  bytes(): Uint8Array | undefined {
    return this.#length === 0 || !this.#isAccepted ? undefined : Buffer.concat(this.#parts);
  }
}

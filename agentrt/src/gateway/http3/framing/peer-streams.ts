import { Http3Fault } from "../fault.ts";
import {
  FrameReader,
  type FrameSink,
  frameTypes,
  type PayloadHandling,
  refuseReservedFrame,
} from "./frame-reader.ts";
import { varintAt, varintSizeBytes } from "./varint.ts";

/** Settings and the like are a handful of bytes; longer ones bring nothing and cost memory. */
const controlFrameSizeBytesMax = 1_024;

/** Reads the streams that a client opens for itself: control, QPACK, and those of extensions (RFC 9114 §6.2). */
export class PeerStreams {
  readonly #taken = new Set<number>();
  readonly #onWaste: () => void;

  /** @param onWaste Called for what costs work and brings nothing. */
  constructor(onWaste: () => void) {
    this.#onWaste = onWaste;
  }

  /** Begins to read a stream. */
  open(): PeerStream {
    return new PeerStream(this.#taken, this.#onWaste);
  }
}

/** One stream that a client opened for itself. */
export class PeerStream {
  readonly #taken: Set<number>;
  readonly #onWaste: () => void;
  #head: number[] = [];
  #type: number | undefined;
  #frames: FrameReader | undefined;
  #isWithinNumber = false;

  constructor(taken: Set<number>, onWaste: () => void) {
    this.#taken = taken;
    this.#onWaste = onWaste;
  }

  /** True when nothing of it is wanted: its type is unknown. */
  get isUnwanted(): boolean {
    return this.#type !== undefined && this.#type > streamTypes.qpackDecoder;
  }

  /**
   * Takes the next bytes.
   *
   * @throws Http3Fault, always of the connection.
   */
  push(chunk: Uint8Array): void {
    let rest = chunk;
    while (this.#type === undefined && rest.byteLength > 0) {
      this.#head.push(rest[0]!);
      rest = rest.subarray(1);
      if (this.#head.length === varintSizeBytes(this.#head[0]!)) {
        this.#begin(varintAt(Uint8Array.from(this.#head), 0));
      }
    }
    if (rest.byteLength === 0) return;
    this.#frames?.push(rest);
    if (this.#type === streamTypes.qpackEncoder) refuseInserts(rest);
    else if (this.#type === streamTypes.qpackDecoder) this.#takeCancellations(rest);
  }

  /**
   * Takes the end of the stream, or its reset.
   *
   * @throws Http3Fault CLOSED_CRITICAL_STREAM when the connection cannot go on without it.
   */
  end(): void {
    if (this.#type === undefined || this.isUnwanted) return;
    throw new Http3Fault("CLOSED_CRITICAL_STREAM", "a control or QPACK stream was closed");
  }

  /** A decoder has nothing to acknowledge; it may say that it gave up a stream: 01, then a number in prefix form. */
  #takeCancellations(bytes: Uint8Array): void {
    for (const byte of bytes) {
      if (this.#isWithinNumber) this.#isWithinNumber = (byte & 0x80) !== 0;
      else if ((byte & 0xc0) === 0x40) this.#isWithinNumber = (byte & 0x3f) === 0x3f;
      else throw new Http3Fault("QPACK_DECODER_STREAM_ERROR", "nothing was there to acknowledge");
    }
  }

  #begin(type: number): void {
    this.#type = type;
    if (this.isUnwanted) {
      this.#onWaste();
      return;
    }
    if (type === streamTypes.push) {
      throw new Http3Fault("STREAM_CREATION_ERROR", "a push stream of a client");
    }
    if (this.#taken.has(type)) {
      throw new Http3Fault("STREAM_CREATION_ERROR", "a control or QPACK stream came twice");
    }
    this.#taken.add(type);
    if (type === streamTypes.control) this.#frames = new FrameReader(new Control(this.#onWaste));
  }
}

const streamTypes = { control: 0, push: 1, qpackEncoder: 2, qpackDecoder: 3 } as const;

/** RFC 9218 §7.2; every response is as urgent as the others here. */
const priorityUpdateType = 0xf0700;

class Control implements FrameSink {
  readonly #onWaste: () => void;
  #hasSettings = false;

  constructor(onWaste: () => void) {
    this.#onWaste = onWaste;
  }

  onFrame(type: number, sizeBytes: number): PayloadHandling {
    if (!this.#hasSettings && type !== frameTypes.SETTINGS) {
      throw new Http3Fault(
        "MISSING_SETTINGS",
        "a control stream that does not begin with settings",
      );
    }
    refuseReservedFrame(type);
    const isOfRequests =
      type === frameTypes.DATA || type === frameTypes.HEADERS || type === frameTypes.PUSH_PROMISE;
    if (isOfRequests || (type === frameTypes.SETTINGS && this.#hasSettings)) {
      throw new Http3Fault("FRAME_UNEXPECTED", `frame of type ${type} on the control stream`);
    }
    if (type !== frameTypes.SETTINGS) {
      // Browsers send one for each request.
      if (type !== priorityUpdateType) this.#onWaste();
      return "skip";
    }
    if (sizeBytes > controlFrameSizeBytesMax) {
      throw new Http3Fault("EXCESSIVE_LOAD", "settings are too long");
    }
    this.#hasSettings = true;
    return "collect";
  }

  onCollected(_type: number, payload: Uint8Array): void {
    const seen = new Set<number>();
    for (let offset = 0; offset < payload.byteLength;) {
      const identifier = readWhole(payload, offset);
      offset += varintSizeBytes(payload[offset]!);
      readWhole(payload, offset);
      offset += varintSizeBytes(payload[offset]!);
      const isOfHttp2 = identifier === 0 || (identifier >= 2 && identifier <= 5);
      if (isOfHttp2 || seen.has(identifier)) {
        throw new Http3Fault("SETTINGS_ERROR", `setting ${identifier} came twice or is reserved`);
      }
      seen.add(identifier);
    }
  }

  onPiece(): void {}
}

function readWhole(payload: Uint8Array, offset: number): number {
  const first = payload[offset];
  if (first === undefined || offset + varintSizeBytes(first) > payload.byteLength) {
    throw new Http3Fault("FRAME_ERROR", "settings were cut short");
  }
  return varintAt(payload, offset);
}

/** The peer's encoder may set the capacity only to zero, which is the maximum that we sent. */
function refuseInserts(bytes: Uint8Array): void {
  if (bytes.some((byte) => byte !== 0x20)) {
    throw new Http3Fault("QPACK_ENCODER_STREAM_ERROR", "an entry for a table of no capacity");
  }
}

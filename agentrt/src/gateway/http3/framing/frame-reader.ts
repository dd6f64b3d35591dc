import { Http3Fault } from "../fault.ts";
import { pushVarint, varintAt, varintSizeBytes } from "./varint.ts";

/** Frame types of RFC 9114 §7.2. */
export const frameTypes = {
  DATA: 0x00,
  HEADERS: 0x01,
  CANCEL_PUSH: 0x03,
  SETTINGS: 0x04,
  PUSH_PROMISE: 0x05,
  GOAWAY: 0x07,
  MAX_PUSH_ID: 0x0d,
} as const;

/** What is done with the payload of a frame: given whole, given as it comes, or thrown away. */
export type PayloadHandling = "collect" | "pass" | "skip";

/** Takes what a `FrameReader` finds. May throw `Http3Fault`. */
export interface FrameSink {
  /** A frame begins. A sink collects none that is longer than it can hold. */
  onFrame(type: number, sizeBytes: number): PayloadHandling;
  /** The whole payload of a frame to collect. */
  onCollected(type: number, payload: Uint8Array): void;
  /** A piece of the payload of a frame to pass, never empty. */
  onPiece(piece: Uint8Array): void;
}

const headSizeBytesMax = 16;

/** Cuts the bytes of a stream into frames, however they come. */
export class FrameReader {
  readonly #sink: FrameSink;
  readonly #head = new Uint8Array(headSizeBytesMax);
  #headLength = 0;
  #type = 0;
  #handling: PayloadHandling = "skip";
  #leftBytes = 0;
  #collected: Uint8Array[] = [];

  /** @param sink Takes the frames. */
  constructor(sink: FrameSink) {
    this.#sink = sink;
  }

  /** True between two frames. */
  get isBetweenFrames(): boolean {
    return this.#headLength === 0 && this.#leftBytes === 0;
  }

  /**
   * Takes the next bytes of the stream.
   *
   * @param chunk May be kept until its frame is whole.
   * @throws Http3Fault of the sink.
   */
  push(chunk: Uint8Array): void {
    let offset = 0;
    while (offset < chunk.byteLength) {
      if (this.#leftBytes > 0) {
        const end = Math.min(chunk.byteLength, offset + this.#leftBytes);
        this.#takePayload(chunk.subarray(offset, end));
        offset = end;
        continue;
      }
      this.#head[this.#headLength] = chunk[offset]!;
      this.#headLength += 1;
      offset += 1;
      this.#tryBegin();
    }
  }

  /**
   * Takes the end of the stream.
   *
   * @throws Http3Fault FRAME_ERROR when it comes within a frame.
   */
  end(): void {
    if (!this.isBetweenFrames) throw new Http3Fault("FRAME_ERROR", "a frame was cut short");
  }

  #tryBegin(): void {
    const typeSizeBytes = varintSizeBytes(this.#head[0]!);
    if (this.#headLength <= typeSizeBytes) return;
    const lengthSizeBytes = varintSizeBytes(this.#head[typeSizeBytes]!);
    if (this.#headLength < typeSizeBytes + lengthSizeBytes) return;
    this.#headLength = 0;
    this.#type = varintAt(this.#head, 0);
    this.#leftBytes = varintAt(this.#head, typeSizeBytes);
    this.#handling = this.#sink.onFrame(this.#type, this.#leftBytes);
    if (this.#leftBytes === 0 && this.#handling === "collect") {
      this.#sink.onCollected(this.#type, new Uint8Array(0));
    }
  }

  #takePayload(piece: Uint8Array): void {
    this.#leftBytes -= piece.byteLength;
    if (this.#handling === "pass") this.#sink.onPiece(piece);
    if (this.#handling !== "collect") return;
    this.#collected.push(piece);
    if (this.#leftBytes > 0) return;
    const pieces = this.#collected;
    this.#collected = [];
    this.#sink.onCollected(this.#type, pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces));
  }
}

/**
 * Makes the head of a frame.
 *
 * @param type See `frameTypes`.
 * @param sizeBytes Of its payload.
 * @returns Type and length.
 */
export function frameHead(type: number, sizeBytes: number): Uint8Array {
  const out: number[] = [];
  pushVarint(out, type);
  pushVarint(out, sizeBytes);
  return Uint8Array.from(out);
}

/**
 * Says what the rules of RFC 9114 §7.2.8 and §7.1 have against a frame anywhere.
 *
 * @param type Of the frame.
 * @throws Http3Fault FRAME_UNEXPECTED for a type of HTTP/2 that HTTP/3 reserves.
 */
export function refuseReservedFrame(type: number): void {
  if (type === 0x02 || type === 0x06 || type === 0x08 || type === 0x09) {
    throw new Http3Fault("FRAME_UNEXPECTED", `frame of type ${type} belongs to HTTP/2`);
  }
}

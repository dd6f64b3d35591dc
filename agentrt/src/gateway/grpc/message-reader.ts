import { grpcCodes, GrpcFault } from "./status.ts";

const prefixSizeBytes = 5;
const compressedFlag = 1;

/** One message of a call, as it came. */
export interface ReceivedMessage {
  readonly bytes: Buffer;
  readonly isCompressed: boolean;
}

/** Finds the messages in the bytes of a call; a flag and a length precede each message. */
export class MessageReader {
  readonly #sizeBytesMax: number;
  readonly #chunks: Buffer[] = [];
  #sizeBytes = 0;
  /** Bytes that are there before anything more can be read. */
  #wantedSizeBytes = prefixSizeBytes;

  /** @param sizeBytesMax Longest message. */
  constructor(sizeBytesMax: number) {
    this.#sizeBytesMax = sizeBytesMax;
  }

  /**
   * Takes bytes.
   *
   * @returns The messages that are whole now.
   * @throws GrpcFault when one is too large, or its flag has no meaning.
   */
  push(chunk: Buffer): readonly ReceivedMessage[] {
    this.#chunks.push(chunk);
    this.#sizeBytes += chunk.length;
    if (this.#sizeBytes < this.#wantedSizeBytes) return []; // Put together once, not with every chunk.
    let bytes = this.#chunks.length === 1 ? chunk : Buffer.concat(this.#chunks);
    const messages: ReceivedMessage[] = [];
    for (;;) {
      this.#wantedSizeBytes = this.#nextSizeBytes(bytes);
      if (bytes.length < this.#wantedSizeBytes || bytes.length < prefixSizeBytes) break;
      messages.push({
        bytes: bytes.subarray(prefixSizeBytes, this.#wantedSizeBytes),
        isCompressed: bytes[0] === compressedFlag,
      });
      bytes = bytes.subarray(this.#wantedSizeBytes);
    }
    this.#chunks.length = 0;
    if (bytes.length > 0) this.#chunks.push(bytes);
    this.#sizeBytes = bytes.length;
    return messages;
  }

  /** Says that no bytes follow; throws GrpcFault when a message was cut short. */
  end(): void {
    if (this.#sizeBytes > 0) throw new GrpcFault(grpcCodes.internal, "message was cut short");
  }

  #nextSizeBytes(bytes: Buffer): number {
    if (bytes.length < prefixSizeBytes) return prefixSizeBytes;
    const length = bytes.readUInt32BE(1);
    if (bytes[0] !== 0 && bytes[0] !== compressedFlag) {
      throw new GrpcFault(grpcCodes.internal, `message has the flag ${bytes[0]}, want 0 or 1`);
    }
    if (length > this.#sizeBytesMax) {
      const text = `message has ${length} bytes, want ${this.#sizeBytesMax} or less`;
      throw new GrpcFault(grpcCodes.resourceExhausted, text);
    }
    return prefixSizeBytes + length;
  }
}

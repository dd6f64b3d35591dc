import type { OpenSsl } from "./open-ssl.ts";
import type { QuicStream } from "./quic.ts";

const streamTypes = { read: 1, bidirectional: 3 } as const;
const streamStates = { ok: 1, wrongDirection: 2, finished: 3, resetByUs: 4 } as const;
const errors = { wantRead: 2, wantWrite: 3, zeroReturn: 6 } as const;
const concludeFlag = 1n;
const valueClassGeneric = 0;
const valueWriteBufUsed = 8;

/** What one stream may hold in OpenSSL before the peer has acknowledged it, bytes. */
const unsentSizeBytesMax = 131_072;
const transferSizeBytesMax = 65_536;

/** Memory that calls to OpenSSL read from and write to; one for all streams, as no call outlives itself. */
export class Scratch {
  readonly data: Buffer = Buffer.allocUnsafeSlow(transferSizeBytesMax);
  readonly pointer: bigint;
  readonly count: Buffer = Buffer.alloc(8);

  /** @param openSsl The library. */
  constructor(openSsl: OpenSsl) {
    this.pointer = openSsl.ffi.getRawPointer(this.data);
  }
}

/** A stream of OpenSSL. The only place that holds its pointer, which is never used once it is released. */
export class OpenSslStream implements QuicStream {
  readonly id: number;
  readonly isBidirectional: boolean;
  readonly #openSsl: OpenSsl;
  readonly #scratch: Scratch;
  readonly #onWritten: () => void;
  #pointer: bigint | undefined;
  #isConcluded = false;

  /**
   * @param pointer Belongs to this object from now on.
   * @param options.onWritten Called when OpenSSL has something to send.
   */
  constructor(
    pointer: bigint,
    options: { openSsl: OpenSsl; scratch: Scratch; onWritten: () => void },
  ) {
    this.#pointer = pointer;
    this.#openSsl = options.openSsl;
    this.#scratch = options.scratch;
    this.#onWritten = options.onWritten;
    const { functions } = options.openSsl;
    this.id = Number(functions.SSL_get_stream_id(pointer));
    this.isBidirectional = functions.SSL_get_stream_type(pointer) === streamTypes.bidirectional;
  }

  /** See `QuicStream.read`. */
  read(): Uint8Array | "later" | "end" | "broken" {
    if (this.#pointer === undefined) return "broken";
    const { functions } = this.#openSsl;
    const { data, pointer, count } = this.#scratch;
    functions.ERR_clear_error();
    const sizeBytesMax = BigInt(transferSizeBytesMax);
    if (functions.SSL_read_ex(this.#pointer, pointer, sizeBytesMax, count) === 1) {
      // The peer may send more now.
      this.#onWritten();
      return Buffer.from(data.subarray(0, count.readUInt32LE(0)));
    }
    const error = functions.SSL_get_error(this.#pointer, 0);
    functions.ERR_clear_error();
    if (error === errors.wantRead) return "later";
    return error === errors.zeroReturn ? "end" : "broken";
  }

  /** See `QuicStream.write`. */
  write(bytes: Uint8Array, isLast: boolean): number {
    if (this.#pointer === undefined || this.#isConcluded) return 0;
    const { functions } = this.#openSsl;
    const { data, pointer, count } = this.#scratch;
    functions.SSL_get_value_uint(this.#pointer, valueClassGeneric, valueWriteBufUsed, count);
    const room = Math.min(transferSizeBytesMax, unsentSizeBytesMax - count.readUInt32LE(0));
    if (room <= 0) return 0;
    const part = bytes.byteLength > room ? bytes.subarray(0, room) : bytes;
    data.set(part);
    const flags = isLast && part === bytes ? concludeFlag : 0n;
    const sizeBytes = BigInt(part.byteLength);
    count.fill(0);
    const taken =
      functions.SSL_write_ex2(this.#pointer, pointer, sizeBytes, flags, count) === 1
        ? count.readUInt32LE(0)
        : 0;
    functions.ERR_clear_error();
    if (taken === bytes.byteLength && isLast) this.#isConcluded = true;
    if (taken > 0) this.#onWritten();
    return taken;
  }

  /** See `QuicStream.conclude`. */
  conclude(): void {
    if (this.#pointer === undefined || this.#isConcluded) return;
    this.#isConcluded = true;
    this.#openSsl.functions.SSL_stream_conclude(this.#pointer, 0n);
    this.#onWritten();
  }

  get isBroken(): boolean {
    if (this.#pointer === undefined) return true;
    const { functions } = this.#openSsl;
    const reading = functions.SSL_get_stream_read_state(this.#pointer);
    const isReadBroken =
      reading !== streamStates.ok &&
      reading !== streamStates.wrongDirection &&
      reading !== streamStates.finished;
    if (isReadBroken || !this.isBidirectional) return isReadBroken;
    const writing = functions.SSL_get_stream_write_state(this.#pointer);
    return writing !== streamStates.ok && writing !== streamStates.finished;
  }

  /** See `QuicStream.reset`. */
  reset(code: number): void {
    if (this.#pointer === undefined || this.#isConcluded) return;
    this.#isConcluded = true;
    const { functions } = this.#openSsl;
    const { count } = this.#scratch;
    count.writeBigUInt64LE(BigInt(code));
    functions.SSL_stream_reset(this.#pointer, count, 8n);
    functions.ERR_clear_error();
    this.#onWritten();
  }

  /** See `QuicStream.release`. */
  release(): void {
    if (this.#pointer === undefined) return;
    this.#openSsl.functions.SSL_free(this.#pointer);
    this.#pointer = undefined;
    this.#onWritten();
  }
}

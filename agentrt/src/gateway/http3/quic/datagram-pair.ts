import process from "node:process";
import type { OpenSsl } from "./open-ssl.ts";
import { packIp, unpackIp } from "./ip-bytes.ts";

/** Where a datagram comes from or goes to. */
export interface DatagramPeer {
  readonly address: string;
  readonly port: number;
}

/** As the system's headers number them. */
const addressFamilies = { v4: 2, v6: process.platform === "darwin" ? 30 : 10 } as const;

/** Of a `BIO_MSG`: data, length, peer, local, flags. */
const messageSizeBytes = 40n;
const datagramSizeBytesMax = 65_536;
const pairSizeBytes = 524_288n;
const [setCaps, setLocalAddress, allCaps] = [87, 84, 15n];

/** The way between our socket and OpenSSL: what is put in at one end, OpenSSL reads at the other, and back. */
export class DatagramPair {
  /** OpenSSL's end; belongs to whom it is given to. */
  readonly inner: bigint;
  readonly #openSsl: OpenSsl;
  readonly #outer: bigint;
  readonly #peer: bigint;
  readonly #self: bigint;
  readonly #data = Buffer.allocUnsafeSlow(datagramSizeBytesMax);
  readonly #message = Buffer.alloc(Number(messageSizeBytes));
  readonly #count = Buffer.alloc(8);
  readonly #ip = Buffer.alloc(16);

  /** @param openSsl The library. */
  constructor(openSsl: OpenSsl) {
    this.#openSsl = openSsl;
    const { functions, ffi } = openSsl;
    const ends = Buffer.alloc(16);
    functions.BIO_new_bio_dgram_pair(ends, pairSizeBytes, ends.subarray(8), pairSizeBytes);
    this.inner = ends.readBigUInt64LE(0);
    this.#outer = ends.readBigUInt64LE(8);
    for (const end of [this.inner, this.#outer]) functions.BIO_ctrl(end, setCaps, allCaps, null);
    for (const end of [this.inner, this.#outer]) functions.BIO_ctrl(end, setLocalAddress, 1n, null);
    this.#peer = functions.BIO_ADDR_new();
    this.#self = functions.BIO_ADDR_new();
    functions.BIO_ADDR_rawmake(this.#self, addressFamilies.v4, Buffer.from([127, 0, 0, 1]), 4n, 1);
    // Seen from this end the peer of OpenSSL is the local address, and OpenSSL the peer.
    this.#message.writeBigUInt64LE(ffi.getRawPointer(this.#data), 0);
    this.#message.writeBigUInt64LE(this.#self, 16);
    this.#message.writeBigUInt64LE(this.#peer, 24);
  }

  /**
   * Puts a datagram in for OpenSSL. One too many is lost, as datagrams are.
   *
   * @param bytes At most 65 535.
   * @param from Whose it is.
   */
  put(bytes: Uint8Array, from: DatagramPeer): void {
    const { functions } = this.#openSsl;
    const ip = packIp(from.address);
    if (ip === undefined) return;
    const family = ip.byteLength === 4 ? addressFamilies.v4 : addressFamilies.v6;
    const port = swap(from.port);
    functions.BIO_ADDR_rawmake(this.#peer, family, ip, BigInt(ip.byteLength), port);
    this.#data.set(bytes);
    this.#message.writeBigUInt64LE(BigInt(bytes.byteLength), 8);
    functions.BIO_sendmmsg(this.#outer, this.#message, messageSizeBytes, 1n, 0n, this.#count);
  }

  /** Takes the next datagram that OpenSSL wants to be sent, if there is one. */
  take(): { readonly bytes: Uint8Array; readonly to: DatagramPeer } | undefined {
    const { functions } = this.#openSsl;
    const message = this.#message;
    message.writeBigUInt64LE(BigInt(datagramSizeBytesMax), 8);
    if (
      functions.BIO_recvmmsg(this.#outer, message, messageSizeBytes, 1n, 0n, this.#count) !== 1 ||
      this.#count.readUInt32LE(0) === 0
    ) {
      return undefined;
    }
    functions.BIO_ADDR_rawaddress(this.#peer, this.#ip, this.#count);
    const address = unpackIp(this.#ip, this.#count.readUInt32LE(0));
    const port = swap(functions.BIO_ADDR_rawport(this.#peer));
    // A copy: it is sent while the next one is taken.
    const bytes = Buffer.from(this.#data.subarray(0, message.readUInt32LE(8)));
    return { bytes, to: { address, port } };
  }

  /** Frees our end. OpenSSL must have been freed before. */
  free(): void {
    const { functions } = this.#openSsl;
    functions.BIO_free(this.#outer);
    functions.BIO_ADDR_free(this.#peer);
    functions.BIO_ADDR_free(this.#self);
  }
}

/** Ports go in network order. */
function swap(port: number): number {
  return ((port & 0xff) << 8) | (port >> 8);
}

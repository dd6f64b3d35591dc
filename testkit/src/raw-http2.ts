import { RawHttpClient } from "./raw-http.ts";

/** Frame types of RFC 9113. */
export const frameType = {
  data: 0,
  headers: 1,
  priority: 2,
  reset: 3,
  settings: 4,
  ping: 6,
  goaway: 7,
  windowUpdate: 8,
  continuation: 9,
} as const;

/** One frame, byte by byte. */
export function frame(
  type: number,
  parts: { readonly flags?: number; readonly stream?: number; readonly payload?: Uint8Array },
): Buffer {
  const { flags = 0, stream = 0, payload = new Uint8Array(0) } = parts;
  const head = Buffer.alloc(9);
  head.writeUIntBE(payload.byteLength, 0, 3);
  head[3] = type;
  head[4] = flags;
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, payload]);
}

/** A literal header line without indexing; name and value below 127 bytes. */
export function literalHeader(name: string, value: string): Buffer {
  return Buffer.concat([
    Buffer.from([0, name.length]),
    Buffer.from(name),
    Buffer.from([value.length]),
    Buffer.from(value),
  ]);
}

/** `GET <path>` of `localhost`, as a header block. */
export function getBlock(path: string): Buffer {
  // Indexed: method GET, scheme http.
  const fixed = Buffer.from([0x82, 0x86]);
  return Buffer.concat([
    fixed,
    literalHeader(":path", path),
    literalHeader(":authority", "localhost"),
  ]);
}

/** A 32-bit number, big-endian. */
export function word(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

/** Opens a clear-text connection that has said it speaks HTTP/2. */
export async function openRawHttp2(port: number): Promise<RawHttpClient> {
  const client = await RawHttpClient.open(port);
  client.send("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
  client.send(frame(frameType.settings, {}));
  return client;
}

import { clientFrame } from "../../../websocket/test-support/raw-web-socket.ts";

/** Opcodes of RFC 6455. */
export const opcode = { more: 0, text: 1, binary: 2, close: 8, ping: 9, pong: 10 } as const;

/** One frame of a client: the last of its message, or not. */
export function part(code: number, payload: Buffer | string = "", isLast = true): Buffer {
  return clientFrame(Buffer.from(payload), { first: (isLast ? 0x80 : 0) | code });
}

/** A message in frames of a size. */
export function fragments(code: number, payload: Buffer, sizeBytes: number): Buffer {
  const frames: Buffer[] = [];
  for (let offset = 0; offset === 0 || offset < payload.length; offset += sizeBytes) {
    const isLast = offset + sizeBytes >= payload.length;
    const piece = payload.subarray(offset, offset + sizeBytes);
    frames.push(part(offset === 0 ? code : opcode.more, piece, isLast));
  }
  return Buffer.concat(frames);
}

/** A close frame. */
export function closing(code?: number, reason: Buffer | string = ""): Buffer {
  if (code === undefined) return part(opcode.close);
  const head = Buffer.alloc(2);
  head.writeUInt16BE(code);
  return part(opcode.close, Buffer.concat([head, Buffer.from(reason)]));
}

import type { Socket } from "node:net";

const preface = Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "latin1");
// Methods of HTTP/1.1 that begin as the preface does end here at the latest: PROPFIND, PRIVATE.
const decidingByteCount = 3;

/**
 * Finds out by its first bytes which version of HTTP a clear-text connection speaks, and puts the bytes back.
 *
 * @param socket Just accepted.
 * @param options.timeoutMs A connection that says nothing for so long is closed.
 * @param onProtocol Called once; never for a connection that ends before it has said enough.
 */
export function sniffProtocol(
  socket: Socket,
  options: { readonly timeoutMs: number },
  onProtocol: (protocol: "h2" | "http/1.1") => void,
): void {
  let seen: Buffer = Buffer.alloc(0);
  const onTimeout = (): void => void socket.destroy();
  const onReadable = (): void => {
    const bytes = socket.read() as Buffer | null;
    if (bytes === null) return;
    seen = seen.byteLength === 0 ? bytes : Buffer.concat([seen, bytes]);
    const count = Math.min(seen.byteLength, decidingByteCount);
    const isHttp2 = preface.subarray(0, count).equals(seen.subarray(0, count));
    if (isHttp2 && count < decidingByteCount) return;
    socket.off("readable", onReadable);
    socket.off("timeout", onTimeout);
    socket.setTimeout(0);
    socket.unshift(seen);
    onProtocol(isHttp2 ? "h2" : "http/1.1");
  };
  socket.setTimeout(options.timeoutMs, onTimeout);
  socket.on("readable", onReadable);
}

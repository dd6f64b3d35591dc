import { constants, type ServerHttp2Session, type ServerHttp2Stream } from "node:http2";

/** What nghttp2 stops a connection for by itself: queues that a client floods, and headers without end. */
const floodNumbers: ReadonlySet<unknown> = new Set([-904, -905]);

/** What Node itself stops one for: frames that are invalid, or pieces of a body that hold nothing. */
const wastedFramesCode = "ERR_HTTP2_TOO_MANY_INVALID_FRAMES";

/**
 * Closes a connection of HTTP/2 whose client asks for more work than it uses: GOAWAY with ENHANCE_YOUR_CALM.
 *
 * @param session The connection; nothing happens to one that is closed already.
 */
export function calmDown(session: ServerHttp2Session): void {
  destroyWith(session.destroy.bind(session));
}

/**
 * Makes a connection say ENHANCE_YOUR_CALM too where Node finds the flood, and would say INTERNAL_ERROR, as if the fault were
 * this server's.
 *
 * @param session A new connection.
 */
export function nameFloods(session: ServerHttp2Session): void {
  const destroy = session.destroy.bind(session);
  session.destroy = (error, code) => {
    if (error instanceof Error && isFlood(error)) destroyWith(destroy);
    else destroy(error, code);
  };
}

function isFlood({ errno, code }: NodeJS.ErrnoException): boolean {
  return floodNumbers.has(errno) || code === wastedFramesCode;
}

/** Node takes the code as the first argument, which its types do not say; after an error of `undefined` it forgets it. */
function destroyWith(destroy: (error?: Error, code?: number) => void): void {
  (destroy as unknown as (code: number) => void)(constants.NGHTTP2_ENHANCE_YOUR_CALM);
}

/** True for a stream that was reset, whether or not there was an answer on its way. */
export function isTakenBack(stream: ServerHttp2Stream): boolean {
  return stream.rstCode !== undefined && stream.rstCode !== constants.NGHTTP2_NO_ERROR;
}

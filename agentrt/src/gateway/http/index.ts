/**
 * HTTP/1.1 and HTTP/2 on one TCP port. `listener.ts` accepts, finds out which version is spoken (by ALPN, or by the
 * first bytes) and hands the connection to a `ProtocolServer`: `http1-server.ts` or `http2-server.ts`. Each makes an
 * `Exchange` of a request. Limits of the protocol live here: headers, connections, streams, times, wasted frames.
 */
export { createHttpListener } from "./listener.ts";

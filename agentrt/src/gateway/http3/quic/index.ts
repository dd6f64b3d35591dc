/**
 * QUIC, by the ports of `quic.ts`, on OpenSSL through `node:ffi`. Pointers stay in the one object that owns them and are
 * gone when it is freed. OpenSSL is loaded at the first start of a listener. The room must not know HTTP/3.
 */
export {
  type QuicConnection,
  type QuicConnectionHandler,
  type QuicStream,
  type QuicListener,
} from "./quic.ts";
export { loadOpenSsl } from "./open-ssl.ts";
export { OpenSslListener } from "./openssl-listener.ts";

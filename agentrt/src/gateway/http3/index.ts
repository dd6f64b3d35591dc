/**
 * HTTP/3: the framing of RFC 9114 and RFC 9204 in TypeScript, over the QUIC of Node's own OpenSSL.
 *
 * ```
 * UDP socket → OpenSslListener → OpenSslConnection → OpenSslStream      QUIC, by the ports of quic/quic.ts
 *                    │ onConnection     │ onActivity      │ read, write
 *                listener.ts → Http3Connection → Http3Exchange → request chain, as from every other listener
 *                                       │ PeerStreams     │ framing/RequestReader: frames → field lines → RequestHead
 * ```
 *
 * A turn of the event loop: datagrams are put into a `DatagramPair`, OpenSSL works them off once, the connections that
 * had something new are asked (`onActivity`), and what OpenSSL wrote is sent. Datagrams that can begin a connection go
 * one at a time: OpenSSL does not say whose a connection is, and its sender is who sent that datagram.
 *
 * Nothing is read that nobody wants: the head of a request is, its body when a route asks for it, and what is not read
 * counts against the window of the peer. Streams that are not accepted count against those it may open. The dynamic
 * table of QPACK is announced with no capacity, so a field section can be decoded by itself, at a cost that grows with its length.
 *
 * Pointers stay in the one object that owns them (`OpenSslConnection`, `OpenSslStream`, `DatagramPair`, the listener's
 * engine) and are gone when it is freed; the rest of the folder knows only `quic/quic.ts`, and could use another QUIC.
 * OpenSSL is asked for at the first start of such a listener: a process without HTTP/3 never loads `node:ffi`.
 */
export { setUpHttp3 } from "./set-up.ts";

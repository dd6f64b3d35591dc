import { gatewayErrors } from "../errors.ts";
import type { HttpListener, TlsMaterial } from "../listening/index.ts";
import { http3Faults, type Http3Options } from "../../gateway-settings/index.ts";
import { createHttp3Listener, type Http3ListenerOptions } from "./listener.ts";

/** What HTTP/3 is set up from. */
export type Http3Setup = Omit<Http3ListenerOptions, "port" | "tls"> & {
  readonly http3: Http3Options;
  readonly tls: TlsMaterial | undefined;
};

/**
 * Prepares HTTP/3 at the start of a gateway.
 *
 * @param setup Of the gateway.
 * @returns The listener, not yet listening.
 * @throws AGENTRT_GATEWAY_HTTP3_INVALID when TLS or the port is missing; AGENTRT_GATEWAY_HTTP3_UNAVAILABLE when the
 * running Node has no QUIC to offer.
 */
export function setUpHttp3({ http3, tls, ...setup }: Http3Setup): HttpListener {
  const { node } = setup;
  const { port = 0 } = http3;
  const [fault] = http3Faults({ port: http3.port, hasTls: tls !== undefined });
  if (fault !== undefined) throw new gatewayErrors.HTTP3_INVALID({ node, ...fault });
  return createHttp3Listener({ ...setup, port, tls: tls! });
}

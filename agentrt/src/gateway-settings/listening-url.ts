/**
 * Says how a listener is reached from this machine: one that is bound to every interface over loopback.
 *
 * @param address Where it is bound.
 * @param address.host Name or IP address.
 * @param address.port The real port, not 0.
 * @param address.tls Anything when the listener speaks TLS.
 * @returns For example `http://127.0.0.1:8080`; no slash at the end.
 */
export function listeningUrl(address: {
  readonly host: string;
  readonly port: number;
  readonly tls?: object | undefined;
}): string {
  const { host, port } = address;
  const reached = host === "0.0.0.0" ? "127.0.0.1" : host === "::" ? "::1" : host;
  const scheme = address.tls === undefined ? "http" : "https";
  return `${scheme}://${reached.includes(":") ? `[${reached}]` : reached}:${port}`;
}

const loopbackHost = /^(?:localhost|127(?:\.\d{1,3}){3}|\[?::1\]?)$/i;

/**
 * True for hosts only this machine can reach.
 *
 * @param host A bind address or a host name, IPv6 with or without brackets.
 * @returns Whether it is `localhost`, 127.0.0.0/8 or `::1`.
 */
export function isLoopbackHost(host: string): boolean {
  return loopbackHost.test(host);
}

const authorityPattern = /^(\[[^\]]*\]|[^:[\]]*)(?::\d*)?$/;

/**
 * Reads the host of an authority.
 *
 * @param authority Host and perhaps a port, as in the header `Host`.
 * @returns The host, IPv6 in its brackets; `undefined` for what is not an authority.
 */
export function hostOfAuthority(authority: string): string | undefined {
  return authorityPattern.exec(authority)?.[1];
}

/** The packages of the client libraries, which users install: those versions are tested. */
const clientPackages = {
  nats: "@nats-io/transport-node@3.4.0",
  zmq: "zeromq@6.8.0",
} as const;

/** @returns What installs the client library of a transport. */
export function installCommandOf(transport: "nats" | "zmq"): string {
  return `npm install ${clientPackages[transport]}`;
}

/**
 * Looks whether the client library of a transport is there, without loading it.
 *
 * @param transport As a topology names it.
 * @param packages For each transport its package, as npm installs it.
 * @returns What installs it; undefined where it is there, or none is needed.
 */
export function missingClient(
  transport: string,
  packages: { readonly [transport: string]: string } = clientPackages,
): string | undefined {
  const found = packages[transport];
  if (found === undefined) return undefined;
  try {
    import.meta.resolve(found.slice(0, found.lastIndexOf("@")));
    return undefined;
  } catch {
    return `npm install ${found}`;
  }
}

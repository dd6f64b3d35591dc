/** The packages of the client libraries, which users install: those versions are tested. */
const clientPackages = {
  nats: "@nats-io/transport-node@3.4.0",
  jetstream: "@nats-io/transport-node@3.4.0 @nats-io/jetstream@3.4.0",
  zmq: "zeromq@6.8.0",
} as const;

/** @returns What installs the client libraries of a transport; `jetstream` is NATS with a stream. */
export function installCommandOf(transport: keyof typeof clientPackages): string {
  return `npm install ${clientPackages[transport]}`;
}

/**
 * Looks whether the client libraries of a transport are there, without loading them.
 *
 * @param transport As a topology names it; `jetstream` for NATS with a stream.
 * @param packages For each transport its packages, as npm installs them.
 * @returns What installs it; undefined where it is there, or none is needed.
 */
export function missingClient(
  transport: string,
  packages: { readonly [transport: string]: string } = clientPackages,
): string | undefined {
  const found = packages[transport];
  if (found === undefined) return undefined;
  try {
    for (const each of found.split(" ")) import.meta.resolve(each.slice(0, each.lastIndexOf("@")));
    return undefined;
  } catch {
    return `npm install ${found}`;
  }
}

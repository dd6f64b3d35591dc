/** Where processes meet. */
export interface ZmqAddresses {
  /** Where what is sent goes, for example `tcp://127.0.0.1:5559`. */
  readonly pubAddress: string;
  /** Where what was subscribed to comes from. */
  readonly subAddress: string;
}

/**
 * A proxy in the same process, as its own sockets reach it: no byte goes through a connection, so there are no keys, no heartbeats
 * and no end before its own.
 */
export interface InsideProxy extends ZmqAddresses {
  /** What its sockets share. */
  readonly context: object;
}

/** The keys that a process connects with, each 40 characters of Z85. */
export interface CurveClientKeys {
  readonly publicKey: string;
  readonly secretKey: string;
  /** The public key of the proxy: another one does not get a word. */
  readonly serverPublicKey: string;
}

/** The keys of a proxy, and who may connect to it. */
export interface CurveServerKeys {
  readonly secretKey: string;
  /** Told the public key of a client, asked for each connection. */
  readonly isAllowed: (publicKey: string) => boolean;
}

/** Most bytes of one message, as a NATS server has it. */
export const messageBytesMax = 1_048_576;
/** Most bytes of one part: a message, or a head, in which the longest name has room. */
export const partBytesMax = messageBytesMax + 4096;
/**
 * Most messages that the proxy keeps for one process, that a process keeps before it takes them, and that a process keeps on
 * their way to the proxy; what is sent as one counts as one. Beyond the first two the proxy drops, so that a process which hangs
 * delays no other; beyond the third a queue fills, and then refuses.
 */
export const highWaterMarks = { proxy: 10_000, receiver: 10_000, sender: 1000 } as const;
/** How often the other end is asked whether it is there, and how long it may say nothing, milliseconds. */
export const heartbeat = { heartbeatInterval: 3000, heartbeatTimeout: 9000 } as const;
/** @returns The options that an address needs. */
export function addressOptions(address: string): { readonly ipv6: boolean } {
  return { ipv6: address.includes("[") };
}

/** @returns The options of a socket that connects. */
export function clientOptions(keys: CurveClientKeys | undefined) {
  if (keys === undefined) return {};
  const { publicKey, secretKey, serverPublicKey } = keys;
  return { curvePublicKey: publicKey, curveSecretKey: secretKey, curveServerKey: serverPublicKey };
}

/** @returns The options of a socket that others connect to; new ones each time. */
export function serverOptions(keys: CurveServerKeys | undefined, context: object) {
  if (keys === undefined) return { context };
  const { secretKey: curveSecretKey } = keys;
  const zap = { zapDomain: "agentrt", zapEnforceDomain: true };
  return { context, curveServer: true, curveSecretKey, ...zap };
}

/** How long a socket waits between two tries to connect, milliseconds; it grows from one to the other. */
export const reconnect = { reconnectInterval: 50, reconnectMaxInterval: 500 } as const;

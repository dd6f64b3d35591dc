/** Where NATS servers are, and how a process proves who it is. */
export interface NatsSettings {
  /** For example `nats://localhost:4222`; passwords in them are in no message. */
  readonly servers: readonly string[];
  /** PEM files of a connection with TLS; without them the system's authorities are trusted where a server wants TLS. */
  readonly tls?: NatsTls | undefined;
  /** Seed of the user's nkey. */
  readonly nkeySeed?: string | undefined;
}

/** PEM files. They are read at each connection, so that new ones count from the next one on. */
export interface NatsTls {
  /** The authority that signed the server's certificate. */
  readonly ca?: string | undefined;
  /** The certificate of this process, for a server that wants one. */
  readonly cert?: string | undefined;
  /** Its private key. */
  readonly key?: string | undefined;
}

/** The part before an `@` names a user, and often a password. */
export function withoutPassword(server: string): string {
  return server.replace(/\/\/[^/@]*@/, "//***@");
}

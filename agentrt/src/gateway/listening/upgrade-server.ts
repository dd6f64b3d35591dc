import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import type { StringMap } from "../request.ts";

/** What belongs to a request for another protocol. */
export interface Upgrade {
  /** What came behind the request already. */
  readonly head: Buffer;
  /** Sent with every response of the listener; lower-case names. */
  readonly responseHeaders: StringMap | undefined;
}

/** What takes connections over from HTTP/1.1 when a client asks for another protocol on them. */
export interface UpgradeServer {
  /** True when a request with `Upgrade` is for it; otherwise it is served as if it had asked for nothing. */
  wants(message: IncomingMessage): boolean;
  /** Takes the connection; the request's headers have passed the limits of HTTP. */
  accept(message: IncomingMessage, socket: Socket, upgrade: Upgrade): void;
  /** Closes idle connections and the others after what is in work; takes no new ones. */
  stop(): void;
  /**
   * Gives up what is left; the listener destroys the sockets.
   *
   * @returns How many connections had work.
   */
  cut(): number;
}

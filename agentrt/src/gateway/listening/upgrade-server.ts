import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import type { StringMap } from "../request.ts";
import type { AccessOutcome } from "../access-log/index.ts";
import type { RequestRecord } from "../request-record.ts";

/** The parts of a request for another protocol. */
export interface Upgrade {
  /** Bytes after the request that have already arrived. */
  readonly head: Buffer;
  readonly record: RequestRecord;
  /** Logs how the handshake or the connection ended. */
  readonly conclude: (outcome: AccessOutcome) => void;
  /** Sent with every response of this request; lower-case names. */
  readonly responseHeaders: StringMap | undefined;
  /** To be called when something in work has ended. */
  readonly onEnded: () => void;
}

/** Takes over connections from HTTP/1.1 when a client asks for another protocol. */
export interface UpgradeServer {
  /** True when it serves this request with `Upgrade`; otherwise the request is served without the upgrade. */
  wants(message: IncomingMessage): boolean;
  /** Takes the connection; the request's headers have passed the limits of HTTP. */
  accept(message: IncomingMessage, socket: Socket, upgrade: Upgrade): void;
  /** Closes idle connections and the others after what is in work; takes no new ones. */
  refuse(): void;
  /** How many connections have work. */
  readonly workCount: number;
  /** Gives up what is in work, and closes the connections as the protocol says. */
  endWork(): void;
  /** Gives up what is left; the listener destroys the sockets. */
  cut(): void;
}

import type { System, TimerHandle } from "../core/index.ts";
import type { NatsClient, NatsConnection, NatsTlsFiles } from "./client-types.ts";
import { faultOf } from "./faults.ts";
import { type ConnectFailure, connectFailureOf } from "./refusal.ts";
import { type NatsSettings, type NatsTls, withoutPassword } from "./settings.ts";

/** How a connection is made. */
export interface NatsConnectInit extends NatsSettings {
  /** Shown by the server for this connection. */
  readonly name: string;
  readonly system: System;
  /** How long it is tried for, milliseconds; default 30 000. */
  readonly connectTimeoutMs?: number | undefined;
  /** Called for each try that failed, when another one follows. */
  readonly onWaiting: (where: string, reason: string) => void;
}

/** A connection that could not be made. */
export class NatsConnectError extends Error {
  readonly where: string;
  readonly reason: string;
  /** True when keys, certificates or passwords are wrong. */
  readonly isFinal: boolean;

  constructor(where: string, { reason, isFinal }: ConnectFailure, cause?: unknown) {
    super(`${where}: ${reason}`, { cause });
    this.where = where;
    this.reason = reason;
    this.isFinal = isFinal;
  }
}

const noAnswer = "JetStream does not answer, most servers of its cluster may be away";
const connectTimeoutMsDefault = 30_000;
/** How long one try may take, milliseconds. */
const tryTimeoutMs = 5000;
/** The wait after the first try that failed, and the longest, milliseconds. */
const [waitFirstMs, waitLastMs] = [500, 8000];
/** How long it waits between two tries to connect again, milliseconds; the client library adds some jitter. */
const reconnectWaitMs = 250;
/** How often the server is asked whether it is there, and how many answers may be missing. */
const [pingIntervalMs, pingMissedMax] = [5000, 2];

/** Connects to one of several NATS servers, and tries again while none is there. */
export class NatsConnector {
  readonly #init: NatsConnectInit;
  #isStopped = false;
  #pause: { readonly timer: TimerHandle; readonly end: () => void } | undefined;

  constructor(init: NatsConnectInit) {
    this.#init = init;
  }

  /** Where the servers are, without passwords. */
  get where(): string {
    return this.#init.servers.map(withoutPassword).join(", ");
  }

  /**
   * Connects; once that went well the client library connects again by itself, for ever.
   *
   * @throws NatsConnectError at once for what another try does not mend, else when the time is over; or after `stop`.
   */
  async connect(client: NatsClient): Promise<NatsConnection> {
    const { system, onWaiting, connectTimeoutMs = connectTimeoutMsDefault } = this.#init;
    const deadlineMs = system.monotonicMs() + connectTimeoutMs;
    for (let waitMs = waitFirstMs; ; waitMs = Math.min(waitLastMs, 2 * waitMs)) {
      if (this.#isStopped) throw this.#stopped();
      try {
        const connection = await client.connect(connectOptions(client, this.#init));
        if (!this.#isStopped) return connection;
        await connection.close();
      } catch (error) {
        const failure = await connectFailureOf(error, this.#init, system);
        const leftMs = deadlineMs - system.monotonicMs();
        if (failure.isFinal || leftMs <= 0) throw new NatsConnectError(this.where, failure, error);
        if (this.#isStopped) continue;
        onWaiting(this.where, failure.reason);
        await this.#wait(Math.min(waitMs, leftMs));
      }
    }
  }

  /**
   * Asks a server that is connected, again while JetStream does not answer: most servers of its cluster may be away.
   *
   * @param ask May run more than once.
   * @throws What `ask` throws: at once for what another try does not mend, else when the time is over or after `stop`.
   */
  async whenAnswered<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
    const { system, onWaiting, connectTimeoutMs = connectTimeoutMsDefault } = this.#init;
    const deadlineMs = system.monotonicMs() + connectTimeoutMs;
    for (let waitMs = waitFirstMs; ; waitMs = Math.min(waitLastMs, 2 * waitMs)) {
      try {
        return await ask();
      } catch (error) {
        const leftMs = deadlineMs - system.monotonicMs();
        if (faultOf(error) !== "away" || leftMs <= 0 || this.#isStopped) throw error;
        onWaiting(this.where, noAnswer);
        await this.#wait(Math.min(waitMs, leftMs));
      }
    }
  }

  /** Ends a wait for a server. */
  stop(): void {
    this.#isStopped = true;
    this.#pause?.end();
  }

  #stopped(): Error {
    return new NatsConnectError(this.where, { reason: "it was stopped", isFinal: false });
  }

  async #wait(waitMs: number): Promise<void> {
    const { system } = this.#init;
    await new Promise<void>((resolve) => {
      const timer = system.setTimer(waitMs, resolve);
      const end = (): void => {
        system.clearTimer(timer);
        resolve();
      };
      this.#pause = { timer, end };
    });
    this.#pause = undefined;
  }
}

function connectOptions(
  client: NatsClient,
  { servers, name, tls, nkeySeed }: NatsConnectInit,
): Parameters<NatsClient["connect"]>[0] {
  const seed = nkeySeed === undefined ? undefined : new TextEncoder().encode(nkeySeed);
  return {
    servers: [...servers],
    name,
    timeout: tryTimeoutMs,
    maxReconnectAttempts: -1,
    reconnectTimeWait: reconnectWaitMs,
    pingInterval: pingIntervalMs,
    maxPingOut: pingMissedMax,
    // A server whose list of users is being changed refuses for a moment: that must not end the process's connection.
    ignoreAuthErrorAbort: true,
    // Where a request was made is nothing that a user could use, and finding it out is a seventh of the time of a message that is kept.
    noAsyncTraces: true,
    ...(tls === undefined ? {} : { tls: filesOf(tls) }),
    ...(seed === undefined ? {} : { authenticator: client.nkeyAuthenticator(seed) }),
  };
}

function filesOf({ ca, cert, key }: NatsTls): NatsTlsFiles {
  return {
    ...(ca === undefined ? {} : { caFile: ca }),
    ...(cert === undefined ? {} : { certFile: cert }),
    ...(key === undefined ? {} : { keyFile: key }),
  };
}

import { reasonOf } from "../../core/index.ts";
import { stateErrors } from "../errors.ts";
import type { Client, ConnectionOptions, Pool } from "./driver-types.ts";

/** The driver as far as it is used. */
export interface PostgresDriver {
  readonly Pool: typeof Pool;
  readonly Client: typeof Client;
}

/** How the driver is loaded, where the database is, and how long anything may take. */
export interface PostgresAddress {
  readonly url: string;
  readonly timeoutMs: number;
  readonly loadDriver: () => Promise<PostgresDriver>;
}

const installCommand = "npm install pg@8.23.0";
const reasons: { readonly [code: string]: string } = {
  ECONNREFUSED: "nothing answers at that address",
  ECONNRESET: "the connection was lost",
  ENOTFOUND: "its host is not known",
  ETIMEDOUT: "it did not answer in time",
};
// Class 08 and 57P0x are the server's own ways to say that a connection is gone; the rest are the socket's.
const lostPattern =
  /^(?:08|57P0[1-3]|ECONN|EPIPE$|EHOSTUNREACH$|ENETUNREACH$|ETIMEDOUT$|EAI_AGAIN$)/;
// Too many connections, a lock that was not given, a statement that took too long.
const awayPattern = /^(?:53|55P03|57014)/;
const lostMessage =
  /^(?:Connection terminated|Client has encountered a connection error|Client was closed|Query read timeout|timeout e)/;

/** Loads the driver; it is installed only by those who want it. */
export async function loadPostgresDriver(): Promise<PostgresDriver> {
  return await import("pg");
}

/**
 * Says what went wrong with a database in words that hold no password.
 *
 * @param error What the driver threw.
 */
export function databaseReason(error: unknown): string {
  return reasons[codeOf(error)] ?? reasonOf(error);
}

/** True when the connection is gone, or could not be made because the server is away. */
export function isConnectionLost(error: unknown): boolean {
  return (
    lostPattern.test(codeOf(error)) || (error instanceof Error && lostMessage.test(error.message))
  );
}

/** True for what may be over some time without a change here: the server is away, or has no time. */
export function isAway(error: unknown): boolean {
  return isConnectionLost(error) || awayPattern.test(codeOf(error));
}

/** @returns The code of the server or of the socket; empty when there is none. */
export function codeOf(error: unknown): string {
  const code = (error as { readonly code?: unknown } | null)?.code;
  return typeof code === "string" ? code : "";
}

/** @returns The driver, whose connections are closed when they cannot be made. */
export async function openDriver(
  loadDriver: () => Promise<PostgresDriver>,
): Promise<PostgresDriver> {
  try {
    const driver = await loadDriver();
    return { Pool: driver.Pool, Client: closingClient(driver.Client) };
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== "ERR_MODULE_NOT_FOUND") throw cause;
    throw new stateErrors.DRIVER_MISSING({ store: "postgres", install: installCommand }, { cause });
  }
}

/** @returns What every connection is made with. */
export function connectionOptions({ url, timeoutMs }: PostgresAddress): ConnectionOptions {
  return {
    connectionString: url,
    connectionTimeoutMillis: timeoutMs,
    query_timeout: timeoutMs,
    // The server gives up first: a write that we took for failed must not come into force later, behind a newer one.
    statement_timeout: Math.ceil(0.9 * timeoutMs),
    keepAlive: true,
    application_name: "agentrt",
  };
}

/**
 * The driver leaves the socket open when it fails by itself while it connects, for example because the server wants a
 * password and there is none: then the server waits, and the process never ends.
 */
function closingClient(base: typeof Client): typeof Client {
  return class extends base {
    override connect(): Promise<unknown>;
    override connect(callback: (error?: unknown) => void): void;
    override connect(callback?: (error?: unknown) => void): Promise<unknown> | undefined {
      if (callback === undefined)
        return new Promise<void>((resolve, reject) => {
          this.connect((error) => (error === undefined ? resolve() : reject(error)));
        });
      super.connect((error) => callback((error ?? undefined) && this.#refused(error)));
      return undefined;
    }

    #refused(error: unknown): unknown {
      this.connection.stream.destroy();
      const isPassword = codeOf(error) === "28P01" || reasonOf(error).startsWith("SASL");
      if (!isPassword || (this.password ?? "") !== "") return error;
      return new Error("no password: set PGPASSWORD, or give one in the URL", { cause: error });
    }
  };
}

/**
 * Names a database in messages.
 *
 * @param text Its URL.
 * @returns The URL without password and parameters.
 * @throws AGENTRT_STATE_URL_INVALID.
 */
export function labelOf(text: string): string {
  const refuse = (reason: string): never => {
    throw new stateErrors.URL_INVALID({ reason });
  };
  const url = URL.parse(text);
  if (url === null) return refuse("it cannot be read as a URL");
  if (url.protocol !== "postgresql:" && url.protocol !== "postgres:")
    refuse("it does not begin with postgresql://");
  const user = url.username === "" ? "" : `${url.username}@`;
  return `${url.protocol}//${user}${url.host}${url.pathname}`;
}

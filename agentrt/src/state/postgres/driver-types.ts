/**
 * The part of the driver `pg` that the store uses. The package brings no types, and a reader of this package's declarations
 * may have none of it installed.
 */

/** What a statement gave. */
export interface QueryResult {
  readonly rows: readonly { readonly [column: string]: unknown }[];
  readonly rowCount: number | null;
}

/** How a connection is made. */
export interface ConnectionOptions {
  readonly connectionString: string;
  readonly connectionTimeoutMillis: number;
  readonly query_timeout: number;
  readonly statement_timeout?: number;
  readonly keepAlive?: boolean;
  readonly application_name: string;
}

/** How the connections of a pool are made. */
export interface PoolOptions extends ConnectionOptions {
  readonly min: number;
  readonly max: number;
  readonly Client?: typeof Client;
}

/** One connection. */
export declare class Client {
  constructor(options: ConnectionOptions);
  /** From the URL or PGPASSWORD; null or empty when there is none. */
  readonly password: string | null;
  readonly connection: { readonly stream: { destroy(): void } };
  connect(): Promise<unknown>;
  connect(callback: (error?: unknown) => void): void;
  query(sql: string, values?: readonly unknown[]): Promise<QueryResult>;
  on(event: "error" | "end", listener: () => void): this;
  end(): Promise<void>;
}

/** Connections that are made as they are needed. */
export declare class Pool {
  constructor(options: PoolOptions);
  query(sql: string, values?: readonly unknown[]): Promise<QueryResult>;
  on(event: "error", listener: (error: Error) => void): this;
  end(): Promise<void>;
}

// The part of the driver that the postgres store uses; the package brings no types of its own.
declare module "pg" {
  interface QueryResult {
    readonly rows: readonly { readonly [column: string]: unknown }[];
    readonly rowCount: number | null;
  }

  interface ConnectionOptions {
    readonly connectionString: string;
    readonly connectionTimeoutMillis: number;
    readonly query_timeout: number;
    readonly statement_timeout?: number;
    readonly keepAlive?: boolean;
    readonly application_name: string;
  }

  interface PoolOptions extends ConnectionOptions {
    readonly min: number;
    readonly max: number;
    readonly Client?: typeof Client;
  }

  export class Client {
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

  export class Pool {
    constructor(options: PoolOptions);
    query(sql: string, values?: readonly unknown[]): Promise<QueryResult>;
    on(event: "error", listener: (error: Error) => void): this;
    end(): Promise<void>;
  }
}

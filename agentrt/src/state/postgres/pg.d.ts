// The part of the driver that the postgres store uses; the package brings no types of its own.
declare module "pg" {
  interface QueryResult {
    readonly rows: readonly { readonly [column: string]: unknown }[];
    readonly rowCount: number | null;
  }

  interface PoolClient {
    query(sql: string, values?: readonly unknown[]): Promise<QueryResult>;
    on(event: "error", listener: (error: Error) => void): this;
    off(event: "error", listener: (error: Error) => void): this;
    release(isBroken?: boolean): void;
  }

  interface PoolOptions {
    readonly connectionString: string;
    readonly min: number;
    readonly max: number;
    readonly connectionTimeoutMillis: number;
    readonly query_timeout: number;
    readonly statement_timeout?: number;
    readonly application_name: string;
  }

  export class Pool {
    constructor(options: PoolOptions);
    query(sql: string, values?: readonly unknown[]): Promise<QueryResult>;
    connect(): Promise<PoolClient>;
    on(event: "error", listener: (error: Error) => void): this;
    end(): Promise<void>;
  }
}

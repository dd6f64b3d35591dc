/** One row of an error table: what scripts, HTTP clients and readers need to know about one error. */
export interface ErrorRow<Details extends object = object> {
  /** Exit code of a command that ends with this error: 1 for failed work, 2 for wrong usage. */
  readonly exitCode: number;
  /** HTTP status when the error reaches a gateway client. */
  readonly httpStatus: number;
  /** True when the same request may succeed later without a change. */
  readonly isRetryable: boolean;
  /** What could not be done, to what, then after a colon the state found and the state wanted. */
  readonly message: (details: Details) => string;
  /** What the reader can do about it. */
  readonly remedy: string;
}

/** An error made from a table: callers test `code`, never the message. */
export class TableError extends Error {
  readonly code: string;
  readonly exitCode: number;
  readonly httpStatus: number;
  readonly isRetryable: boolean;
  readonly remedy: string;
  readonly details: object;

  constructor({ code, row }: ErrorTableEntry, details: object, options?: ErrorOptions) {
    super(row.message(details as never), options);
    this.name = code;
    this.code = code;
    this.exitCode = row.exitCode;
    this.httpStatus = row.httpStatus;
    this.isRetryable = row.isRetryable;
    this.remedy = row.remedy;
    this.details = details;
  }
}

/** The constructor of one row: `new errors.NO_ROUTE({ address }, { cause })`. */
export type TableErrorClass<Details extends object, Code extends string = string> = new (
  details: Details,
  options?: ErrorOptions,
) => TableError & {
  readonly code: Code;
  readonly details: Details;
};

/** A table of error classes by row name; `table` holds the rows for the generated page. */
export type ErrorTable<Rows, Prefix extends string = string> = {
  readonly [Name in keyof Rows]: Rows[Name] extends ErrorRow<infer Details>
    ? TableErrorClass<Details, `${Prefix}_${Name & string}`>
    : never;
};

/** The errors of a table, told apart by `code`. */
export type ErrorIn<Table> = {
  [Name in keyof Table]: Table[Name] extends new (...parameters: never) => infer Made
    ? Made
    : never;
}[keyof Table];

/** What `docs/errors.md` is generated from: full code and row. */
export interface ErrorTableEntry {
  readonly code: string;
  readonly row: ErrorRow<never>;
}

const entriesOfTable = new WeakMap<object, readonly ErrorTableEntry[]>();
const classesByCode = new Map<string, TableErrorClass<object>>();

/**
 * Makes one error class per row; the code is `<prefix>_<row name>`.
 *
 * @param prefix Package and folder, for example `"AGENTRT_BUS"`.
 * @param rows The table.
 * @param base What the classes derive from; default `TableError`.
 * @returns An object with one class per row.
 */
// The constraint needs a type that accepts every `message` parameter; `never` is the one that does.
export function defineErrors<
  const Prefix extends string,
  const Rows extends { [name: string]: ErrorRow<never> },
>(prefix: Prefix, rows: Rows, base: typeof TableError = TableError): ErrorTable<Rows, Prefix> {
  const table: { [name: string]: unknown } = {};
  const entries: ErrorTableEntry[] = [];
  for (const [name, row] of Object.entries(rows)) {
    const entry = { code: `${prefix}_${name}`, row };
    entries.push(entry);
    const made = class extends base {
      constructor(details: object, options?: ErrorOptions) {
        super(entry, details, options);
      }
    };
    table[name] = made;
    classesByCode.set(entry.code, made);
  }
  entriesOfTable.set(table, entries);
  return table as ErrorTable<Rows, Prefix>;
}

/**
 * Reads the rows of a table back, for the generated error page.
 *
 * @param candidate Any exported value.
 * @returns The entries, or `undefined` when the value is not an error table.
 */
export function errorTableEntries(candidate: unknown): readonly ErrorTableEntry[] | undefined {
  return typeof candidate === "object" && candidate !== null
    ? entriesOfTable.get(candidate)
    : undefined;
}

/** @returns The class of the errors of a code; undefined where no table of this process has it. */
export function errorClassOf(code: string): TableErrorClass<object> | undefined {
  return classesByCode.get(code);
}

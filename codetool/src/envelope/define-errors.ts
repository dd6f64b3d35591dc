/** One row of codetool's error table. */
export interface ErrorRow<Details extends object = object> {
  /** Exit code of the process: 1 for an error, 2 for wrong usage. */
  readonly exitCode: number;
  readonly isRetryable: boolean;
  /** What could not be done and to what; then, after a colon, the state found and the state wanted. */
  readonly message: (details: Details) => string;
  /** What the caller can do: the envelope's `suggestion`. */
  readonly remedy: string;
  /** What the caller can do in this case, empty for nothing; default `remedy`. */
  readonly remedyOf?: (details: Details) => string | undefined;
  /** Further fields of the envelope's `error`, next to code and message; default none. */
  readonly fields?: (details: Details) => { readonly [name: string]: unknown };
}

/** An error that becomes the `error` of an envelope. */
export class CommandError extends Error {
  /** The wire code, for example `file_not_found`. */
  readonly code: string;
  readonly exitCode: number;
  readonly suggestion: string;
  /** Fields next to code and message, for example the details of a rejected edit. */
  readonly details: { readonly [key: string]: unknown };
  /** The fields of the error that the envelope has. */
  readonly fields: { readonly [key: string]: unknown };

  constructor(
    { code, row }: { readonly code: string; readonly row: ErrorRow<never> },
    details: object,
    options?: ErrorOptions,
  ) {
    super(row.message(details as never), options);
    this.name = code;
    this.code = code;
    this.exitCode = row.exitCode;
    this.suggestion = row.remedyOf?.(details as never) ?? row.remedy;
    this.details = details as { readonly [key: string]: unknown };
    this.fields = row.fields?.(details as never) ?? {};
  }
}

/** An object with one error class per row of the table. */
export type ErrorTable<Rows> = {
  readonly [Name in keyof Rows]: Rows[Name] extends ErrorRow<infer Details>
    ? new (details: Details, options?: ErrorOptions) => CommandError
    : never;
};

const entriesOfTable = new WeakMap<object, readonly { code: string; row: ErrorRow<never> }[]>();

/**
 * Makes one error class per row; the wire code is the row's name.
 *
 * @param rows The table, keyed by wire code.
 */
export function defineErrors<const Rows extends { [code: string]: ErrorRow<never> }>(
  rows: Rows,
): ErrorTable<Rows> {
  const table: { [code: string]: unknown } = {};
  for (const [code, row] of Object.entries(rows)) {
    table[code] = class extends CommandError {
      constructor(details: object, options?: ErrorOptions) {
        super({ code, row }, details, options);
      }
    };
  }
  entriesOfTable.set(
    table,
    Object.entries(rows).map(([code, row]) => ({ code, row })),
  );
  return table as ErrorTable<Rows>;
}

/** Reads the rows of a table back, for the generated error page; `undefined` for any other value. */
export function errorTableEntries(
  candidate: unknown,
): readonly { code: string; row: ErrorRow<never> }[] | undefined {
  return typeof candidate === "object" && candidate !== null
    ? entriesOfTable.get(candidate)
    : undefined;
}

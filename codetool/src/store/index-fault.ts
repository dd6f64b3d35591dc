/** An index, or a file of it, is damaged or of another form: it is not used, and is built again. */
export class IndexFault extends Error {
  /** Of the file. */
  readonly path: string;
  /** What is wrong with it. */
  readonly reason: string;

  constructor(path: string, reason: string, options?: { readonly cause: unknown }) {
    super(`${path}: ${reason}`, options);
    this.name = "IndexFault";
    this.path = path;
    this.reason = reason;
  }
}

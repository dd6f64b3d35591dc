/** A file of an index is not what it must be: the index counts as missing, and is built anew. */
export class IndexFault extends Error {
  /** Of the file. */
  readonly path: string;

  constructor(path: string, reason: string) {
    super(`${path}: ${reason}`);
    this.name = "IndexFault";
    this.path = path;
  }
}

/** A name as a part of a regular expression. */
export function escaped(name: string): string {
  return name.replace(/[$.*+?()[\]{}|\\^]/g, "\\$&");
}

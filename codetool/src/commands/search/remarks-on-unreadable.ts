/** The remark on files of a search that could not be read, where there are any. */
export function remarksOnUnreadable(count: number): string[] {
  return count > 0 ? [`${count} ${count === 1 ? "file" : "files"} could not be read`] : [];
}

/** Files that a command did not look into, as the answer shows their paths. */
export interface LeftOut {
  /** Larger than files of walks may be. */
  readonly large: readonly string[];
  readonly binary: readonly string[];
}

/** How many names a remark shows. */
const shownNamesMax = 3;

/**
 * Makes the remarks on files that a command did not look into: an answer that is silent about them is taken for one about
 * all files.
 *
 * @param sizeBytesMax What is larger was left out.
 */
export function remarksOnLeftOut({ large, binary }: LeftOut, sizeBytesMax: number): string[] {
  const remarks: string[] = [];
  if (large.length > 0)
    remarks.push(
      `${counted(large.length, "file")} not looked into, larger than ${sizeBytesMax} bytes (CODETOOL_MAX_FILE_SIZE): ${namesOf(large)}`,
    );
  if (binary.length > 0)
    remarks.push(`${counted(binary.length, "binary file")} not looked into: ${namesOf(binary)}`);
  return remarks;
}

function counted(count: number, what: string): string {
  return count === 1 ? `1 ${what} was` : `${count} ${what}s were`;
}

function namesOf(paths: readonly string[]): string {
  const shown = paths.slice(0, shownNamesMax).map((path) => `"${path}"`);
  return [...shown, ...(paths.length > shownNamesMax ? ["…"] : [])].join(", ");
}

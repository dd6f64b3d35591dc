/** Files that a command did not look into. */
export interface LeftOut<File> {
  /** Larger than files of walks may be. */
  readonly large: readonly File[];
  readonly binary: readonly File[];
}

/** How many names a remark shows. */
const shownNamesMax = 3;

/**
 * Makes the remarks on files that a command did not look into: an answer that is silent about them is taken for one about
 * all files.
 *
 * @param sizeBytesMax What is larger was left out.
 * @param pathOf How the answer shows the path of a file; default it is that path.
 */
export function remarksOnLeftOut<File>(
  { large, binary }: LeftOut<File>,
  sizeBytesMax: number,
  pathOf: (file: File) => string = String,
): string[] {
  const namesOf = (files: readonly File[]): string => {
    const shown = files.slice(0, shownNamesMax).map((file) => `"${pathOf(file)}"`);
    return [...shown, ...(files.length > shownNamesMax ? ["…"] : [])].join(", ");
  };
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

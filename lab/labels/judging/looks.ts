/** A row of the log of looks at the kept part. */
interface Look {
  readonly number: number;
  readonly date: string;
  readonly measured: string;
}

/** Looks there are at most. */
const lookCountMax = 10;

/**
 * Makes sure that a look at the kept part was logged before it is taken.
 *
 * @param log The text of `looks.md`.
 * @param asked The number of the look, which is the last row of the log.
 * @returns What is wrong, in one line; `undefined` where the look may be taken.
 */
export function faultOfLook(log: string, asked: number): string | undefined {
  const looks = readLooks(log);
  const last = looks.at(-1);
  if (last === undefined || last.number !== asked)
    return `looks.md has ${last === undefined ? "no look" : `${last.number} as its last look`}: write the row of look ${asked} before it is taken`;
  if (asked > lookCountMax) return `there are ${lookCountMax} looks at most`;
  if (!/^\d{4}-\d\d-\d\d$/.test(last.date) || last.measured === "")
    return `look ${asked} in looks.md lacks its date or what is measured`;
  return undefined;
}

function readLooks(log: string): readonly Look[] {
  return log.split("\n").flatMap((line) => {
    const [, number = "", date = "", measured = ""] = line.split("|").map((cell) => cell.trim());
    return /^\d+$/.test(number) ? [{ number: Number(number), date, measured }] : [];
  });
}

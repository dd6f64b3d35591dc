const codes = {
  green: 32,
  red: 31,
  yellow: 33,
  cyan: 36,
  blue: 34,
  magenta: 35,
  grey: 90,
  bold: 1,
  inverse: 7,
} as const;

/** Puts colour around a text, or leaves it as it is. */
export type Tones = { readonly [Name in keyof typeof codes]: (text: string) => string };

/**
 * Makes the tones of a view.
 *
 * @param isColoured False for a view without colours: its texts say everything then.
 */
export function createTones(isColoured: boolean): Tones {
  const tone = (code: number) => (text: string) =>
    !isColoured || text === "" ? text : `\u001B[${code}m${text}\u001B[0m`;
  return {
    green: tone(codes.green),
    red: tone(codes.red),
    yellow: tone(codes.yellow),
    cyan: tone(codes.cyan),
    blue: tone(codes.blue),
    magenta: tone(codes.magenta),
    grey: tone(codes.grey),
    bold: tone(codes.bold),
    inverse: tone(codes.inverse),
  };
}

/** Bits of the class of a UTF-16 unit. */
export const wordUnit = 1;
export const capitalUnit = 2;
export const digitUnit = 4;

const asciiClasses = makeAsciiClasses();

function makeAsciiClasses(): Uint8Array {
  const classes = new Uint8Array(128);
  classes.fill(wordUnit, 0x61, 0x7b);
  classes.fill(wordUnit | capitalUnit, 0x41, 0x5b);
  classes.fill(wordUnit | digitUnit, 0x30, 0x3a);
  classes[0x5f] = wordUnit;
  return classes;
}

/** The class of a unit: ASCII letters, digits and underscore make words, and everything beyond ASCII. */
export function classOfUnit(unit: number): number {
  if (unit < 128) return asciiClasses[unit] as number;
  const letter = String.fromCharCode(unit);
  return letter === letter.toLowerCase() ? wordUnit : wordUnit | capitalUnit;
}

/** Says whether a unit belongs to a word; cheaper than its class. */
export function isWordUnit(unit: number): boolean {
  return unit >= 128 || asciiClasses[unit] !== 0;
}

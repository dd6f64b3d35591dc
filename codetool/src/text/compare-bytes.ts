/**
 * Compares two strings as their UTF-8 bytes would compare: the order of git and of `LC_ALL=C sort`.
 *
 * JavaScript's own `<` goes by UTF-16 units and puts U+10000 and above before U+E000.
 *
 * @returns Below 0, 0 or above 0.
 */
export function compareBytes(left: string, right: string): number {
  const lengthMin = Math.min(left.length, right.length);
  for (let index = 0; index < lengthMin; index += 1) {
    const leftUnit = left.charCodeAt(index);
    const rightUnit = right.charCodeAt(index);
    if (leftUnit !== rightUnit) return rankOfUnit(leftUnit) - rankOfUnit(rightUnit);
  }
  return left.length - right.length;
}

/** Moves surrogates above the rest of the basic plane, where their code points are. */
function rankOfUnit(unit: number): number {
  if (unit < 0xd800) return unit;
  return unit >= 0xe000 ? unit - 0x800 : unit + 0x2000;
}

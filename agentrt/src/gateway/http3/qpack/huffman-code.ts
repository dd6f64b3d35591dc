// The code of RFC 7541, appendix B, is canonical: the lengths say it all. One base-36 digit a symbol, the 257th is EOS.
const lengths =
  "dnsssssssoussussssssssusssssssss6aacd68baa8b8666555666666678f6cad67777777777777777777777878djde6f565" +
  "65666577666567655677777fbedskmkkmmmnmnnnnnonoomnonnnnlmnmnnomlkmmnnlnmmolmnnllmlnmnnkmmmnmmnqqkjmnmp" +
  "qqqrrqopjlqrrqrollqqsrrrkoklmllnmmppooqnqrqqrrrrrsrrrrrqu";

/** The end-of-string symbol. Only its first bits appear in data, as the padding at the end of a string. */
export const endOfStringSymbol = 256;

/** One code: its bits in the low end of `bits`. */
export interface HuffmanCode {
  readonly bits: number;
  readonly lengthBits: number;
}

/**
 * Works out the code of each symbol.
 *
 * @returns 257 codes, of the bytes 0 to 255 and of EOS.
 */
export function huffmanCodes(): readonly HuffmanCode[] {
  const symbols = Array.from(lengths, (digit, symbol) => ({
    symbol,
    lengthBits: Number.parseInt(digit, 36),
  }));
  const codes: HuffmanCode[] = [];
  let bits = 0;
  let lengthBits = 0;
  for (const next of symbols.toSorted((left, right) => left.lengthBits - right.lengthBits)) {
    bits *= 2 ** (next.lengthBits - lengthBits);
    lengthBits = next.lengthBits;
    codes[next.symbol] = { bits, lengthBits };
    bits += 1;
  }
  return codes;
}

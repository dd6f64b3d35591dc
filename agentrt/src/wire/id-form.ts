/** Ids as bytes: their hexadecimal digits take twice the room, and five of them are most of a short message. */

const digitCodes = Buffer.from("0123456789abcdef");
/** Of a character code, what digit it is; negative for everything else, and so for capital letters. */
const digitValues = new Int8Array(65_536).fill(-1);
for (const [value, code] of digitCodes.entries()) digitValues[code] = value;
const dashCode = 0x2d;

/** How ids of one kind are written as text. */
export class IdForm {
  readonly characterCount: number;
  readonly byteCount: number;
  /** For each byte, where its two digits are. */
  readonly #places: readonly number[];
  readonly #dashPlaces: readonly number[];
  /** Where the characters of an id are put together. */
  readonly #characters: Buffer;

  /**
   * @param pattern The text of an id, with any digits; all but its dashes are digits.
   */
  constructor(pattern: string) {
    const places = Array.from(pattern, (character, place) => ({
      isDash: character === "-",
      place,
    }));
    this.#dashPlaces = places.filter(({ isDash }) => isDash).map(({ place }) => place);
    const digits = places.filter(({ isDash }) => !isDash).map(({ place }) => place);
    this.#places = digits.filter((_place, index) => index % 2 === 0);
    this.byteCount = this.#places.length;
    this.characterCount = pattern.length;
    this.#characters = Buffer.alloc(pattern.length, dashCode);
  }

  /**
   * Writes an id.
   *
   * @param from Where it begins in the text.
   * @returns False when it is none in lower case; what was written then means nothing.
   */
  // oxlint-disable-next-line max-params -- called several times for each message
  write(text: string, from: number, bytes: Buffer, at: number): boolean {
    for (const place of this.#dashPlaces)
      if (text.charCodeAt(from + place) !== dashCode) return false;
    const places = this.#places;
    let seen = 0;
    for (let index = 0; index < places.length; index += 1) {
      const place = from + (places[index] ?? 0);
      const high = digitValues[text.charCodeAt(place)] ?? -1;
      const low = digitValues[text.charCodeAt(place + 1)] ?? -1;
      seen |= high | low;
      bytes[at + index] = (high << 4) | low;
    }
    return seen >= 0;
  }

  /** Reads an id; the bytes are there. */
  read(bytes: Buffer, at: number): string {
    const characters = this.#characters;
    const places = this.#places;
    for (let index = 0; index < places.length; index += 1) {
      const place = places[index] ?? 0;
      const byte = bytes[at + index] ?? 0;
      characters[place] = digitCodes[byte >> 4] ?? 0;
      characters[place + 1] = digitCodes[byte & 15] ?? 0;
    }
    return characters.toString("latin1");
  }
}

/** UUIDs in lower case, with their dashes. */
export const uuidForm: IdForm = new IdForm("00000000-0000-0000-0000-000000000000");
/** W3C trace ids. */
export const traceForm: IdForm = new IdForm("0".repeat(32));
/** W3C span ids. */
export const spanForm: IdForm = new IdForm("0".repeat(16));

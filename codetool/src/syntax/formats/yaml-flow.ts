/** Brackets and quotes of a value in YAML's flow style, which may go on over lines. */
export class FlowState {
  #depth = 0;
  #quote = "";
  readonly #isScalar: boolean;

  /** @param value What the value begins with. */
  constructor(value: string) {
    this.#isScalar = value.startsWith('"') || value.startsWith("'");
  }

  /**
   * Reads a line, or what of the first line the value begins with.
   *
   * @returns True when the value ends there.
   */
  read(line: string): boolean {
    for (let index = 0; index < line.length; index++) {
      const unit = line[index] as string;
      if (this.#quote !== "") {
        if (unit === "\\" && this.#quote === '"') index += 1;
        else if (unit === this.#quote) {
          if (unit === "'" && line[index + 1] === "'") index += 1;
          else this.#quote = "";
        }
        if (this.#quote === "" && this.#isScalar) return true;
      } else if (unit === '"' || unit === "'") {
        // In a plain word an apostrophe quotes nothing.
        if (index === 0 || /[\s,[{:]/.test(line[index - 1] ?? "")) this.#quote = unit;
      } else if (unit === "[" || unit === "{") {
        this.#depth += 1;
      } else if (unit === "]" || unit === "}") {
        this.#depth -= 1;
        if (this.#depth <= 0) return true;
      } else if (unit === "#" && (index === 0 || /\s/.test(line[index - 1] ?? ""))) {
        break;
      }
    }
    return this.#depth <= 0 && this.#quote === "";
  }
}

import type { JsonObject } from "../../core/index.ts";

/** The question for another part of an answer: no client can ask it. */
export const partQuestion = "GET /_part";

/** Characters of a part: at most three bytes each, and a message holds a megabyte. */
export const partLengthMax = 200_000;
/** Answers that are kept until their last part was asked for, and their characters together; the oldest go first. */
const [keptCountMax, keptLengthMax] = [32, 67_108_864];

/** Answers that are larger than a message, until they are fetched in parts. */
export class LargeAnswers {
  readonly #kept = new Map<string, readonly string[]>();
  #count = 0;
  #lengthSum = 0;

  /** @returns An answer as it can be sent: itself, or its first part. */
  fit(answer: JsonObject): JsonObject {
    const text = JSON.stringify(answer);
    if (text.length <= partLengthMax) return answer;
    const parts = partsOf(text);
    this.#count += 1;
    const id = String(this.#count);
    this.#kept.set(id, parts);
    this.#lengthSum += text.length;
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= keptCountMax && this.#lengthSum <= keptLengthMax) break;
      this.#forget(oldest);
    }
    return { parts: parts.length, id, text: parts[0] ?? "" };
  }

  /** @returns A further part; without text where the answer is not kept any more. */
  part(id: string, index: number): JsonObject {
    const parts = this.#kept.get(id);
    const text = parts?.[index];
    if (text === undefined) return {};
    if (index === (parts?.length ?? 0) - 1) this.#forget(id);
    return { index, text };
  }

  #forget(id: string): void {
    for (const { length } of this.#kept.get(id) ?? []) this.#lengthSum -= length;
    this.#kept.delete(id);
  }
}

/** Cuts between characters, of which some are two units long. */
function partsOf(text: string): string[] {
  const parts: string[] = [];
  let from = 0;
  while (from < text.length) {
    const to = Math.min(text.length, from + partLengthMax);
    const isSplit = to < text.length && /[\uD800-\uDBFF]/.test(text[to - 1] ?? "");
    parts.push(text.slice(from, isSplit ? to - 1 : to));
    from = isSplit ? to - 1 : to;
  }
  return parts;
}

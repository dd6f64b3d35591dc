import { type JsonFields, objectIn } from "../../tree/index.ts";

/** Conditions in the order in which a reader of sources wants them. */
const conditions: readonly string[] =
  "source development import module default require node browser types".split(" ");

const conditionDepthMax = 8;

/**
 * Finds what the `exports` or `imports` of a package give for a subpath.
 *
 * @param table The value of the field.
 * @param subpath `"."`, `"./x"`, or `"#x"`.
 * @returns Targets as written, most wanted first; none when the table says nothing of it.
 */
export function exportTargets(table: unknown, subpath: string): readonly string[] {
  const object = objectIn(table);
  const hasSubpaths = object !== undefined && Object.keys(object).some((key) => /^[.#]/.test(key));
  if (!hasSubpaths) return subpath === "." ? targetsIn(table, "") : [];
  const exact = object[subpath];
  if (exact !== undefined) return targetsIn(exact, "");
  const { key, star } = bestPattern(object, subpath);
  return key === null ? [] : targetsIn(object[key], star);
}

/** The pattern with the longest beginning. */
function bestPattern(
  table: JsonFields,
  subpath: string,
): { readonly key: string | null; readonly star: string } {
  let best: { key: string | null; star: string; length: number } = {
    key: null,
    star: "",
    length: -1,
  };
  for (const key of Object.keys(table)) {
    const at = key.endsWith("/") ? key.length : key.indexOf("*");
    if (at === -1 || at <= best.length || !subpath.startsWith(key.slice(0, at))) continue;
    const end = key.slice(at + 1);
    if (!subpath.endsWith(end) || subpath.length < at + end.length) continue;
    best = { key, star: subpath.slice(at, subpath.length - end.length), length: at };
  }
  return best;
}

function targetsIn(value: unknown, star: string, depth = 0): string[] {
  if (depth > conditionDepthMax) return [];
  if (typeof value === "string") {
    return [value.endsWith("/") ? value + star : value.replaceAll("*", () => star)];
  }
  if (Array.isArray(value)) return value.flatMap((each) => targetsIn(each, star, depth + 1));
  const object = objectIn(value);
  if (object === undefined) return [];
  const others = Object.keys(object).filter((key) => !conditions.includes(key));
  return [...conditions, ...others].flatMap((key) =>
    Object.hasOwn(object, key) ? targetsIn(object[key], star, depth + 1) : [],
  );
}

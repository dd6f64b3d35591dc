import { type Mention, nameRulesOf, ScopedNames } from "../names/index.ts";
import { parseSource } from "../parse.ts";
import { ecmascriptMembers } from "./ecmascript.ts";
import { goMembers } from "./go.ts";
import { pythonMembers } from "./python.ts";
import { type MemberRules, SourceReader } from "./source-reader.ts";
import type { FileTypes, MemberUse } from "./type-facts.ts";

const rulesOf: { readonly [language: string]: MemberRules } = {
  typescript: ecmascriptMembers,
  tsx: ecmascriptMembers,
  javascript: ecmascriptMembers,
  python: pythonMembers,
  go: goMembers,
};

/** What a file says of types, and its places of one member. */
export interface FileMembers {
  readonly types: FileTypes;
  /**
   * The places that name the member, or may: not those in comments, and of strings those that hold the name and nothing
   * else. In order.
   */
  readonly uses: readonly MemberUse[];
  /** The places in comments and strings, those of `uses` among them. */
  readonly mentions: readonly Mention[];
}

/**
 * Reads what a file says of types, and where it names a member.
 *
 * @returns `null` where the text is not parsed, or has errors of syntax.
 */
export function readMembers(text: string, language: string, name: string): FileMembers | null {
  const opened = openSource(text, language);
  if (opened === null) return null;
  const { source, rules } = opened;
  const uses: MemberUse[] = [];
  for (const path of source.names.pathsOfWord(name)) {
    const leaf = path.at(-1);
    if (leaf === undefined || leaf.end - leaf.start !== name.length) continue;
    const { start, end, line1 } = leaf;
    const isString = /^string_(?:fragment|content)$|string_literal_content$/.test(leaf.kind);
    const use = isString ? { role: "string" as const } : rules.useOf(path, source);
    if (use !== null) uses.push({ ...use, start, end, line1 });
  }
  return { types: rules.readTypes(source), uses, mentions: source.names.mentionsOf(name) };
}

function openSource(
  text: string,
  language: string,
): { readonly source: SourceReader; readonly rules: MemberRules } | null {
  const rules = rulesOf[language];
  const nameRules = nameRulesOf(language);
  if (rules === undefined || nameRules === undefined) return null;
  const parsed = parseSource(text, language);
  if (parsed === null || parsed.hasErrors) return null;
  return { rules, source: new SourceReader(new ScopedNames(parsed, nameRules), language, rules) };
}

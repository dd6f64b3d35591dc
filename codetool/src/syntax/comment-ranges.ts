import { parseSource } from "./parse.ts";

/** A comment in a text, UTF-16 units, without the line end after it. */
export interface CommentRange {
  readonly start: number;
  readonly end: number;
  /** True for a documentation string that is the whole body: without it there would be no body. */
  readonly isWholeBody: boolean;
}

const definitionKinds = ["function_definition", "class_definition"];

/** Strings that document a module, class or function: the first statement of its body. */
const documentationRule = {
  all: [
    { kind: "expression_statement" },
    { nthChild: { position: 1, ofRule: { not: { kind: "comment" } } } },
    { has: { kind: "string" } },
    { not: { regex: "^[rRbBuU]*[fF]" } },
    {
      inside: {
        any: [
          { kind: "module" },
          {
            all: [
              { kind: "block" },
              { inside: { any: definitionKinds.map((kind) => ({ kind })) } },
            ],
          },
        ],
      },
    },
  ],
};

/**
 * Finds the comments of a text, in order, without those inside of others; a text in a string is none.
 *
 * @param options.withDocumentation Strings that document what they are in count too (Python).
 * @returns `undefined` where they are not known: no grammar, or a text that is not parsed.
 */
export function commentRangesOf(
  text: string,
  language: string,
  options: { readonly withDocumentation: boolean },
): readonly CommentRange[] | undefined {
  const parsed = parseSource(text, language);
  if (parsed === null) return undefined;
  const { root, syntax } = parsed;
  const rules: object[] = syntax.commentKinds.map((kind) => ({ kind }));
  const hasStrings = options.withDocumentation && syntax.hasDocumentationStrings === true;
  if (hasStrings) rules.push(documentationRule);
  if (rules.length === 0) return [];
  const ranges: CommentRange[] = [];
  for (const node of root.findAll({ rule: { any: rules } })) {
    const range = node.range();
    const start = range.start.index;
    // Some grammars count the line end to a line comment.
    const length = text.slice(start, range.end.index).replace(/[\r\n]+$/, "").length;
    if (start < (ranges.at(-1)?.end ?? 0) || length === 0) continue;
    const isString = hasStrings && node.kind() === "expression_statement";
    const isWholeBody = isString && node.next() === null;
    ranges.push({ start, end: start + length, isWholeBody });
  }
  return ranges;
}

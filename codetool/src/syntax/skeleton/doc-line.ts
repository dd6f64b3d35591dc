/** What a line of a comment begins with that speaks to a tool. */
const directive =
  /^\s*(?:\/\/go:|#!|(?:\/\/|\/\*|#)\s*(?:eslint|pylint|noqa|type:|prettier|oxlint|biome|@ts-|clang-format|nolint|rubocop|swiftlint|@formatter|frozen_string_literal|pragma))/i;

/** Of a longer line the rest is not looked at. */
const lineLengthMax = 400;

const opening = /^\s*(?:\/\*+!?|\/\/+!?|\*+(?!\/)|#+|--+|\{-|[rRbBuU]*(?:"""|'''|"|'))?[ \t]*[|^]?/;
const closing = /(?:\*+\/|-\}|"""|'''|["'])\s*$/;

/**
 * The first line of words in a comment or documentation string, up to the end of its first sentence.
 *
 * @returns Words without marks of comments and tags of markup; `undefined` where there are none, where the comment only
 * lists parameters or speaks to a tool.
 */
export function docLineOf(comment: string): string | undefined {
  for (const whole of comment.split("\n")) {
    const line = whole.slice(0, lineLengthMax);
    if (directive.test(line)) continue;
    const words = line
      .replace(opening, "")
      .replace(closing, "")
      .replace(/<\/?[a-z][^<>]*>/gi, "")
      .replace(/[@\\]brief\s+/, "")
      .trim();
    if (!/[\p{L}\p{N}]/u.test(words)) continue;
    // What follows is parameters and the like.
    if (/^[@\\]\w/.test(words)) return undefined;
    return words.replace(/(?<=[\p{L}\p{N})\]`'"]{2}[.:;])\s.*$/u, "");
  }
  return undefined;
}

/**
 * How languages write comments and strings: the only place that knows it without a parser.
 *
 * `table.ts` has a row for each language. A row says it twice, because two readers need different things: the marks
 * around comments and strings (who looks for names goes on into the holes of strings), and the shapes of whole ones (who
 * compares texts without their formatting takes them as one word). Two rules are the same for all languages: whether
 * a line begins a comment (`comment-lines.ts`), and which comments a single statement holds (`without-comments.ts`).
 *
 * This folder must not know: trees, symbols, what is done with names and comments.
 */
export { commentLinesOf, commentLineStart } from "./comment-lines.ts";
export type { LexicalMarks, LexicalShapes, StringRule } from "./lexis.ts";
export { commonMarks, lexisOf } from "./table.ts";
export { withoutHashComments, withoutSlashComments } from "./without-comments.ts";

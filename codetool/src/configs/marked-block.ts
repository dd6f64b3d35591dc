import { type Addition, ConfigError, cutOnce, lineEndOf } from "./addition.ts";

const beginMark = "<!-- codetool: begin (written by `codetool init`) -->";
const endMark = "<!-- codetool: end -->";

/**
 * A block at the end of a Markdown file, between two marks that only its source shows.
 *
 * @param body Its lines, which end with a line feed.
 */
export function markedBlock(body: string): Addition {
  const block = `${beginMark}\n${body}${endMark}\n`;
  const own = (text: string): string => block.replaceAll("\n", lineEndOf(text));
  return {
    kind: { kind: "block" },
    isMarked: true,
    find: (text) => {
      const found = blockIn(text);
      if (found === undefined) return "none";
      return `${found}${lineEndOf(text)}` === own(text) ? "same" : "other";
    },
    add: (text) => {
      if (blockIn(text) !== undefined) throw new ConfigError("it has a block of codetool already");
      const eol = lineEndOf(text);
      const gap = text === "" ? "" : text.endsWith("\n") ? eol : `${eol}${eol}`;
      const added = `${gap}${own(text)}`;
      return { text: text + added, added };
    },
    take: (text, added) => {
      const found = blockIn(text);
      if (found === undefined) return undefined;
      const cut = cutOnce(text, added) ?? cutOnce(text, `${found}${lineEndOf(text)}`);
      return cut ?? cutOnce(text, found);
    },
  };
}

/** The block with its marks, without the line end after it. */
function blockIn(text: string): string | undefined {
  const begin = text.indexOf(beginMark);
  if (begin === -1) return undefined;
  const end = text.indexOf(endMark, begin);
  if (end === -1) throw new ConfigError(`it has the line "${beginMark}", but not its end`);
  return text.slice(begin, end + endMark.length);
}

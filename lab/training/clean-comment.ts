const wordsMax = 60;

/**
 * What a comment says about the code, in prose: its first paragraph, without marks, tags and examples.
 *
 * @returns Empty when nothing is left or when it is a licence.
 */
export function cleanComment(comment: string): string {
  if (/copyright|licen[cs]e|all rights reserved|@generated|do not edit/i.test(comment)) return "";
  const kept: string[] = [];
  for (const raw of comment.split("\n")) {
    const line = stripMarks(raw);
    const isSection =
      /^(?:[@\\](?!brief|short|doc)|:\w+|(?:args|arguments|parameters|params|returns?|raises|examples?|usage|note|notes|throws|see also|since)\s*:?\s*$|```|-{3,}|={3,}|>>>|iex>|\|)/i;
    if (isSection.test(line) && !/^@(?:module|type)?doc\b/.test(line)) {
      if (kept.length > 0) break;
      continue;
    }
    if (line === "") {
      if (kept.length > 0) break;
      continue;
    }
    kept.push(line);
  }
  return kept.join(" ").split(/\s+/).slice(0, wordsMax).join(" ").trim();
}

function stripMarks(line: string): string {
  return line
    .trim()
    .replace(/^(?:\/\/+!?|\/\*+!?|\*+\/?|#+|--+\s*[|^]?|;+|<!--|\{-+\s*\|?|%+)\s*/, "")
    .replace(/\s*(?:\*+\/|-->|-\})$/, "")
    .replace(/^@(?:module|type)?doc\b\s*/, "")
    .replace(/^[@\\](?:brief|short)\b\s*/, "")
    .replace(/^[rRuUbB]?(?:"""|''')/, "")
    .replace(/(?:"""|''')$/, "")
    .replace(/<\/?\w[^>]*>/g, " ")
    .replace(/\{@\w+\s+([^}]*)\}/g, "$1")
    .replace(/https?:\/\/\S+/g, " ")
    .trim();
}

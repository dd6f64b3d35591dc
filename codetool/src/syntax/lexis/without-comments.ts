/** Takes comments as C writes them out of a statement; the strings in it stay. */
export function withoutSlashComments(text: string): string {
  if (!text.includes("/")) return text;
  return text.replace(
    /("(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`[^`]*`)|\/\*[^]*?(?:\*\/|$)|\/\/[^\n]*/g,
    (_all, quoted: string | undefined) => quoted ?? " ",
  );
}

/** Takes comments to the end of the line and continuations out of a statement. */
export function withoutHashComments(text: string): string {
  return text.replace(/#[^\n]*/g, " ").replace(/\\\r?\n/g, " ");
}

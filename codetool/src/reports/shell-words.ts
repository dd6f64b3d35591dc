/** Words that end a simple command. */
const separators = /^(?:\|\||&&|\|&|;;|[|;&\n()])/;
/** A redirection, with its target where that is written together. */
const redirection = /^(?:\d*|&)(?:>>|>\||>&|<<<|<<-|<<|<&|<>|>|<)/;
/** Words that introduce a command and are none. */
const keywords: ReadonlySet<string> = new Set([
  "then",
  "do",
  "else",
  "if",
  "while",
  "until",
  "!",
  "{",
  "time",
]);

/**
 * Takes a shell script apart into its simple commands, as well as it can be done without running it: quotes and escapes
 * are taken off, redirections left out, variables left as they are.
 */
export function splitShell(script: string): string[][] {
  const commands: string[][] = [];
  let words: string[] = [];
  let word: string | undefined;
  let isTarget = false;
  const endWord = (): void => {
    if (word !== undefined && !isTarget) words.push(word);
    if (word !== undefined) isTarget = false;
    word = undefined;
  };
  const endCommand = (): void => {
    endWord();
    isTarget = false;
    while (words[0] !== undefined && keywords.has(words[0])) words.shift();
    if (words.length > 0) commands.push(words);
    words = [];
  };
  for (let at = 0; at < script.length;) {
    const rest = script.slice(at, at + 4);
    const char = rest[0] ?? "";
    const arrow =
      word === undefined || /^\d+$/.test(word)
        ? redirection.exec(rest)
        : redirection.exec(char === ">" || char === "<" ? rest : "");
    const separator = separators.exec(rest);
    if (char === "'" || char === '"') {
      const end = endOfQuote(script, at);
      word = (word ?? "") + unquote(script.slice(at + 1, end), char);
      at = end + 1;
    } else if (char === "\\") {
      word = (word ?? "") + (script[at + 1] === "\n" ? "" : (script[at + 1] ?? ""));
      at += 2;
    } else if (char === "#" && word === undefined) {
      const end = script.indexOf("\n", at);
      at = end === -1 ? script.length : end;
    } else if (arrow !== null) {
      if (word !== undefined && /^\d+$/.test(word)) word = undefined;
      endWord();
      isTarget = true;
      at += arrow[0].length;
    } else if (separator !== null) {
      endCommand();
      at += separator[0].length;
    } else if (char === " " || char === "\t" || char === "\r") {
      endWord();
      at += 1;
    } else {
      word = (word ?? "") + char;
      at += 1;
    }
  }
  endCommand();
  return commands;
}

function endOfQuote(script: string, start: number): number {
  const quote = script[start];
  for (let at = start + 1; at < script.length; at += 1) {
    if (quote === '"' && script[at] === "\\") at += 1;
    else if (script[at] === quote) return at;
  }
  return script.length;
}

function unquote(text: string, quote: string): string {
  return quote === "'"
    ? text
    : text.replaceAll(/\\(["\\$`\n])/g, (_, char: string) => (char === "\n" ? "" : char));
}

/**
 * How a language writes what is not code, as far as words are told apart from it: sources of regular expressions. Groups
 * in them have names, because they become parts of a larger expression.
 */
export interface LexicalStyle {
  /** One comment, from its first letter on. */
  readonly comment: string;
  /** One string or character. */
  readonly string: string;
}

const slash = String.raw`\/\/[^\n]*|\/\*[^]*?(?:\*\/|(?![^]))`;
const hash = String.raw`(?<![^\s;{}()])#[^\n]*`;
const escaped = (quote: string, isOnOneLine: boolean): string =>
  `${quote}(?:[^${quote}\\\\${isOnOneLine ? "\\n" : ""}]|\\\\[^])*${quote}`;
const double = escaped('"', true);
const doubleOverLines = escaped('"', false);
const single = escaped("'", true);
const singleOverLines = escaped("'", false);
const backtick = escaped("`", false);
const character = String.raw`'(?:\\[^'\n]{1,8}|[^'\\\n]{1,2})'`;
const triple = String.raw`"""[^]*?(?:"""(?!")|(?![^]))`;
const tripleSingle = String.raw`'''[^]*?(?:'''|(?![^]))`;

const cFamily: LexicalStyle = { comment: slash, string: `${double}|${character}` };
const ecmascript: LexicalStyle = { comment: slash, string: `${double}|${single}|${backtick}` };
const withTriples: LexicalStyle = { comment: slash, string: `${triple}|${double}|${character}` };
const shell: LexicalStyle = { comment: hash, string: `${doubleOverLines}|${singleOverLines}` };
const markup: LexicalStyle = { comment: slash, string: `${double}|${single}` };
const config: LexicalStyle = { comment: hash, string: `${double}|${single}` };
/** Matches nowhere. */
const nothing = "(?!)";
const prose: LexicalStyle = { comment: String.raw`<!--[^]*?(?:-->|(?![^]))`, string: nothing };

const styles: { readonly [language: string]: LexicalStyle } = {
  javascript: ecmascript,
  typescript: ecmascript,
  tsx: ecmascript,
  jsx: ecmascript,
  c: cFamily,
  cpp: cFamily,
  java: withTriples,
  csharp: withTriples,
  kotlin: withTriples,
  scala: withTriples,
  swift: withTriples,
  go: { comment: slash, string: `${double}|${backtick}|${character}` },
  rust: {
    comment: slash,
    string: `b?r(?<hashes>#*)"[^]*?"\\k<hashes>|${doubleOverLines}|${character}`,
  },
  zig: { comment: String.raw`\/\/[^\n]*`, string: String.raw`${double}|${character}|\\\\[^\n]*` },
  php: { comment: `${slash}|#(?!\\[)[^\n]*`, string: `${doubleOverLines}|${singleOverLines}` },
  python: { comment: "#[^\n]*", string: `${triple}|${tripleSingle}|${double}|${single}` },
  ruby: shell,
  bash: shell,
  elixir: { comment: hash, string: `${triple}|${doubleOverLines}|${singleOverLines}` },
  lua: {
    comment: String.raw`--\[(?<commentLevel>=*)\[[^]*?\]\k<commentLevel>\]|--[^\n]*`,
    string: String.raw`\[(?<level>=*)\[[^]*?\]\k<level>\]|${double}|${single}`,
  },
  haskell: {
    comment: String.raw`\{-[^]*?-\}|--+(?![!#$%&*+./<=>?@\\^|~:])[^\n]*`,
    string: `${double}|${character}`,
  },
  css: markup,
  scss: markup,
  less: markup,
  yaml: config,
  toml: { comment: hash, string: `${triple}|${tripleSingle}|${double}|${single}` },
  hcl: { comment: `${hash}|${slash}`, string: double },
  dockerfile: config,
  makefile: { comment: hash, string: nothing },
  json: { comment: slash, string: `${double}|${single}` },
  sql: { comment: String.raw`--[^\n]*|\/\*[^]*?(?:\*\/|(?![^]))`, string: singleOverLines },
  html: prose,
  markdown: prose,
};

/** Finds how a language is written; `undefined` for one that is not known here. */
export function lexicalStyleOf(language: string): LexicalStyle | undefined {
  return Object.hasOwn(styles, language) ? styles[language] : undefined;
}

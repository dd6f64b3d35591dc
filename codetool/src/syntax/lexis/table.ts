import type { LexicalMarks, LexicalShapes, Lexis, StringRule } from "./lexis.ts";

const block = [["/*", "*/"]] as const;
const double: StringRule = { open: '"', close: '"', isOneLine: true };
const single: StringRule = { open: "'", close: "'", isOneLine: true };
const openDouble: StringRule = { open: '"', close: '"', isOneLine: false };
const openSingle: StringRule = { open: "'", close: "'", isOneLine: false };
const template: StringRule = { open: "`", close: "`", isOneLine: false, hole: ["${", "}"] };
const triple: StringRule = { open: '"""', close: '"""', isOneLine: false };
const dollarHole = { hole: ["${", "}"] as const };
const hashHole = { hole: ["#{", "}"] as const };
const backslashHole = { hole: ["\\(", ")"] as const };

/** The marks of most languages: those of a language that is not known here, and of one whose row has none. */
export const commonMarks: LexicalMarks = {
  lineComments: ["//"],
  blockComments: block,
  strings: [double, single],
};
const ecmascriptMarks: LexicalMarks = {
  ...commonMarks,
  strings: [template, double, single],
  hasRegexLiterals: true,
};
const pythonMarks: LexicalMarks = {
  lineComments: ["#"],
  blockComments: [],
  strings: ['"""', "'''", '"', "'"].flatMap((mark): StringRule[] => [
    { open: `f${mark}`, close: mark, isOneLine: mark.length === 1, hole: ["{", "}"] },
    { open: mark, close: mark, isOneLine: mark.length === 1 },
  ]),
};
const hashMarks: LexicalMarks = {
  lineComments: ["#"],
  blockComments: [],
  strings: [double, single],
};
const dashMarks: LexicalMarks = {
  lineComments: ["--"],
  blockComments: [],
  strings: [double, single],
};

const slashComment = String.raw`\/\/[^\n]*|\/\*[^]*?(?:\*\/|(?![^]))`;
const hashComment = String.raw`(?<![^\s;{}()])#[^\n]*`;
const escaped = (quote: string, isOnOneLine: boolean): string =>
  `${quote}(?:[^${quote}\\\\${isOnOneLine ? "\\n" : ""}]|\\\\[^])*${quote}`;
const inDouble = escaped('"', true);
const inOpenDouble = escaped('"', false);
const inSingle = escaped("'", true);
const inOpenSingle = escaped("'", false);
const inBackticks = escaped("`", false);
const character = String.raw`'(?:\\[^'\n]{1,8}|[^'\\\n]{1,2})'`;
const inTriple = String.raw`"""[^]*?(?:"""(?!")|(?![^]))`;
const inTripleSingle = String.raw`'''[^]*?(?:'''|(?![^]))`;
/** Matches nowhere. */
const nothing = "(?!)";

const cShapes: LexicalShapes = { comment: slashComment, string: `${inDouble}|${character}` };
const ecmascriptShapes: LexicalShapes = {
  comment: slashComment,
  string: `${inDouble}|${inSingle}|${inBackticks}`,
};
const tripleShapes: LexicalShapes = {
  comment: slashComment,
  string: `${inTriple}|${inDouble}|${character}`,
};
const shellShapes: LexicalShapes = {
  comment: hashComment,
  string: `${inOpenDouble}|${inOpenSingle}`,
};
const styleSheetShapes: LexicalShapes = {
  comment: slashComment,
  string: `${inDouble}|${inSingle}`,
};
const configShapes: LexicalShapes = { comment: hashComment, string: `${inDouble}|${inSingle}` };
const proseShapes: LexicalShapes = {
  comment: String.raw`<!--[^]*?(?:-->|(?![^]))`,
  string: nothing,
};

const ecmascript: Lexis = { marks: ecmascriptMarks, shapes: ecmascriptShapes };

const languages: { readonly [language: string]: Lexis } = {
  javascript: ecmascript,
  typescript: ecmascript,
  tsx: ecmascript,
  jsx: { shapes: ecmascriptShapes },
  c: { shapes: cShapes },
  cpp: { shapes: cShapes },
  java: { marks: { ...commonMarks, strings: [triple, double, single] }, shapes: tripleShapes },
  kotlin: {
    marks: {
      ...commonMarks,
      strings: [{ ...triple, ...dollarHole }, { ...double, ...dollarHole }, single],
    },
    shapes: tripleShapes,
  },
  scala: {
    marks: {
      ...commonMarks,
      strings: [
        { ...triple, ...dollarHole },
        { ...double, ...dollarHole },
      ],
      hasLooseQuotes: true,
    },
    shapes: tripleShapes,
  },
  swift: {
    marks: {
      ...commonMarks,
      strings: [
        { ...triple, ...backslashHole },
        { ...double, ...backslashHole },
      ],
    },
    shapes: tripleShapes,
  },
  csharp: {
    marks: {
      ...commonMarks,
      strings: [
        { open: '$"', close: '"', isOneLine: true, hole: ["{", "}"] },
        { open: '@"', close: '"', isOneLine: false, isRaw: true },
        double,
        single,
      ],
    },
    shapes: tripleShapes,
  },
  go: {
    marks: {
      ...commonMarks,
      strings: [{ open: "`", close: "`", isOneLine: false, isRaw: true }, double, single],
    },
    shapes: { comment: slashComment, string: `${inDouble}|${inBackticks}|${character}` },
  },
  rust: {
    marks: { ...commonMarks, strings: [openDouble], hasLooseQuotes: true },
    shapes: {
      comment: slashComment,
      string: `b?r(?<hashes>#*)"[^]*?"\\k<hashes>|${inOpenDouble}|${character}`,
    },
  },
  zig: {
    shapes: {
      comment: String.raw`\/\/[^\n]*`,
      string: String.raw`${inDouble}|${character}|\\\\[^\n]*`,
    },
  },
  php: {
    marks: {
      lineComments: ["//", "#"],
      blockComments: block,
      strings: [{ ...openDouble, hole: ["{$", "}"] }, openSingle],
    },
    shapes: {
      comment: `${slashComment}|#(?!\\[)[^\n]*`,
      string: `${inOpenDouble}|${inOpenSingle}`,
    },
  },
  python: {
    marks: pythonMarks,
    shapes: {
      comment: "#[^\n]*",
      string: `${inTriple}|${inTripleSingle}|${inDouble}|${inSingle}`,
    },
  },
  ruby: {
    marks: {
      lineComments: ["#"],
      blockComments: [["\n=begin", "\n=end"]],
      strings: [{ ...openDouble, ...hashHole }, openSingle],
    },
    shapes: shellShapes,
  },
  bash: {
    // What is in double quotes is expanded: its words count.
    marks: { lineComments: ["#"], blockComments: [], strings: [openSingle] },
    shapes: shellShapes,
  },
  elixir: {
    marks: {
      lineComments: ["#"],
      blockComments: [],
      strings: [
        { ...triple, ...hashHole },
        { ...openDouble, ...hashHole },
      ],
    },
    shapes: { comment: hashComment, string: `${inTriple}|${inOpenDouble}|${inOpenSingle}` },
  },
  lua: {
    marks: { ...dashMarks, blockComments: [["--[[", "]]"]] },
    shapes: {
      comment: String.raw`--\[(?<commentLevel>=*)\[[^]*?\]\k<commentLevel>\]|--[^\n]*`,
      string: String.raw`\[(?<level>=*)\[[^]*?\]\k<level>\]|${inDouble}|${inSingle}`,
    },
  },
  haskell: {
    marks: {
      ...dashMarks,
      blockComments: [["{-", "-}"]],
      strings: [double],
      hasLooseQuotes: true,
    },
    shapes: {
      comment: String.raw`\{-[^]*?-\}|--+(?![!#$%&*+./<=>?@\\^|~:])[^\n]*`,
      string: `${inDouble}|${character}`,
    },
  },
  sql: {
    marks: { ...dashMarks, blockComments: block, strings: [openSingle] },
    shapes: {
      comment: String.raw`--[^\n]*|\/\*[^]*?(?:\*\/|(?![^]))`,
      string: inOpenSingle,
    },
  },
  r: { marks: hashMarks },
  perl: { marks: hashMarks },
  julia: { marks: { ...hashMarks, strings: [triple, double], hasLooseQuotes: true } },
  css: { shapes: styleSheetShapes },
  scss: { shapes: styleSheetShapes },
  less: { shapes: styleSheetShapes },
  yaml: { shapes: configShapes },
  toml: {
    shapes: {
      comment: hashComment,
      string: `${inTriple}|${inTripleSingle}|${inDouble}|${inSingle}`,
    },
  },
  hcl: { shapes: { comment: `${hashComment}|${slashComment}`, string: inDouble } },
  dockerfile: { shapes: configShapes },
  makefile: { shapes: { comment: hashComment, string: nothing } },
  json: { shapes: { comment: slashComment, string: `${inDouble}|${inSingle}` } },
  html: { shapes: proseShapes },
  markdown: { shapes: proseShapes },
};

/** How a language writes comments and strings; `undefined` for one that is not known here. */
export function lexisOf(language: string): Lexis | undefined {
  return Object.hasOwn(languages, language) ? languages[language] : undefined;
}

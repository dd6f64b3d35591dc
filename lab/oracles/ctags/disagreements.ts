/** What the two programs do not agree on: a tag that is no symbol, or a symbol that is no tag. */
export interface Disagreement {
  readonly side: "missing" | "extra";
  /** The label of the compared language. */
  readonly label: string;
  readonly file: string;
  readonly line1: number;
  readonly name: string;
  /** The kind that the program which has it gives. */
  readonly kind: string;
  /** The line, as it stands in the file. */
  readonly text: string;
  /** Kind of what the tag lies in, as ctags sees it. */
  readonly scopeKind: string;
  /** True when our outline has that name elsewhere in the file. */
  readonly isKnownElsewhere: boolean;
}

/** Why they do not agree, and who is right. `choice`: both are; an outline says something else than an index of tags. */
export interface DisagreementClass {
  readonly id: string;
  readonly right: "ours" | "choice";
  readonly side: "missing" | "extra";
  readonly labels: readonly string[];
  readonly reason: string;
  readonly isOne: (each: Disagreement) => boolean;
}

const ecmascript = ["typescript", "javascript"];
const cFamily = ["c", "c, headers", "c++"];

function indentation(text: string): number {
  return text.length - text.trimStart().length;
}

/** Where members of a class at the outermost level stand, at most. */
const memberIndentations: { readonly [label: string]: number } = { java: 4, "c#": 8, kotlin: 4 };

/** Every class of disagreement that was looked at; what is in none counts against us. docs/reference/ctags.md lists them. */
export const disagreementClasses: readonly DisagreementClass[] = [
  {
    id: "minified",
    right: "ours",
    side: "missing",
    labels: ["javascript", "css"],
    reason:
      "a line of more than a thousand characters: ctags loses its place in it, and makes names of what it meets",
    isOne: ({ text }) => text.length > 1000,
  },
  {
    id: "minified, found",
    right: "ours",
    side: "extra",
    labels: ["javascript", "css"],
    reason: "the same, seen from the other side",
    isOne: ({ text }) => text.length > 1000,
  },
  {
    id: "css attribute",
    right: "ours",
    side: "missing",
    labels: ["css"],
    reason: "`[type=button]` is one selector; ctags takes the words in the brackets for elements",
    isOne: ({ text }) => /\[[^\]]*\]/.test(text),
  },
  {
    id: "css attribute, found",
    right: "ours",
    side: "extra",
    labels: ["css"],
    reason: "the same, seen from the other side",
    isOne: ({ name }) => name.includes("["),
  },
  {
    id: "css child of an element",
    right: "ours",
    side: "extra",
    labels: ["css"],
    reason: "ctags drops what follows a line break, a comment or `>` in a selector",
    isOne: ({ name }) => /[>+~:*%]/.test(name),
  },
  {
    id: "make static pattern",
    right: "ours",
    side: "missing",
    labels: ["makefile"],
    reason: "of `targets: %.o: %.c` the targets are before the first colon; ctags adds the pattern",
    isOne: ({ name, text }) => name.includes("%") && /:[^:=]*:/.test(text),
  },
  {
    id: "make variable of a target",
    right: "ours",
    side: "missing",
    labels: ["makefile"],
    reason: "`a.o: CFLAGS += -O` makes no rule for a.o; ctags lists a target",
    isOne: ({ kind, text }) => kind === "target" && /:\s*\w[\w.-]*\s*[?+:]?=|:\s*\\?$/.test(text),
  },
  {
    id: "make override",
    right: "ours",
    side: "extra",
    labels: ["makefile"],
    reason: "ctags misses `override X = …`, empty values and names with blanks",
    isOne: ({ text }) => /^override\b|=\s*(?:;.*)?$|\\ |=\s*;/.test(text.trim()),
  },
  {
    id: "elixir documentation",
    right: "ours",
    side: "missing",
    labels: ["elixir"],
    reason: "examples in the text of `@moduledoc` are no definitions",
    isOne: ({ text }) => indentation(text) >= 4,
  },
  {
    id: "elixir test",
    right: "choice",
    side: "extra",
    labels: ["elixir"],
    reason: "an outline lists tests; ctags has a kind of its own for them, with quotes",
    isOne: ({ text }) => /^\s*(?:test|describe|property)\s+["~]/.test(text),
  },
  {
    id: "elixir unquote",
    right: "ours",
    side: "missing",
    labels: ["elixir"],
    reason: "`def unquote(name)` defines what the name is, not `unquote`",
    isOne: ({ name }) => name === "unquote",
  },
  {
    id: "scss local",
    right: "choice",
    side: "missing",
    labels: ["scss"],
    reason: "variables in rules, mixins and loops are local; keys of a map are no variables",
    isOne: ({ kind, text }) => kind === "variable" && !text.startsWith("$"),
  },
  {
    id: "scss map",
    right: "ours",
    side: "missing",
    labels: ["scss"],
    reason: "keys of a map written on one line are no variables",
    isOne: ({ kind, name, text }) => kind === "variable" && !text.startsWith(`$${name}`),
  },
  {
    id: "sql qualified or quoted",
    right: "ours",
    side: "extra",
    labels: ["sql"],
    reason:
      'ctags misses tables named `"a"."b"`, what is created `if not exists`, and the columns of qualified tables',
    isOne: ({ text }) => /"|\w\.\w|if not exists/i.test(text) || indentation(text) > 0,
  },
  {
    id: "sql event trigger",
    right: "ours",
    side: "missing",
    labels: ["sql"],
    reason: "`CREATE EVENT TRIGGER a` creates a trigger called a; ctags calls it TRIGGER, an event",
    isOne: ({ name }) => name === "TRIGGER",
  },
  {
    id: "sql event trigger, found",
    right: "ours",
    side: "extra",
    labels: ["sql"],
    reason: "the same, seen from the other side",
    isOne: ({ text }) => /\bevent\s+trigger\b/i.test(text),
  },
  {
    id: "ruby constant in use",
    right: "ours",
    side: "missing",
    labels: ["ruby"],
    reason: "`NAME == x`, `NAME => x` and `Name === x` use a constant and define none",
    isOne: ({ kind, text }) => kind === "constant" && /=>|===?|\[/.test(text),
  },
  {
    id: "ruby accessor",
    right: "choice",
    side: "missing",
    labels: ["ruby"],
    reason: "one `attr_accessor` is one symbol, not a reader and a writer",
    isOne: ({ kind }) => kind === "accessor",
  },
  {
    id: "ruby name with a mark",
    right: "ours",
    side: "missing",
    labels: ["ruby"],
    reason: "ctags cuts the mark off `alias key? has_key?`, and takes `self` for a name",
    isOne: ({ kind, name }) => kind === "alias" || name === "self",
  },
  {
    id: "ruby operator or object",
    right: "ours",
    side: "extra",
    labels: ["ruby"],
    reason:
      "ctags misses aliases of operators, `def @object.name`, `define_method` and constants set from outside",
    isOne: ({ text }) =>
      /\balias\b|def (?:@|self)|define_method|^\s*attr\b|::[A-Z]\w* =/.test(text),
  },
  {
    id: "lua in a table",
    right: "choice",
    side: "missing",
    labels: ["lua"],
    reason:
      "a function that is given away in a table or a call has no name that could be called; ctags names the variable before it",
    isOne: ({ text }) =>
      indentation(text) > 0 || /\(\s*function|= *[\w.:]+\(|[{"\]]|type\(/.test(text),
  },
  {
    id: "lua assigned elsewhere",
    right: "ours",
    side: "extra",
    labels: ["lua"],
    reason: "ctags misses functions set over two lines or under the name of a keyword",
    isOne: () => true,
  },
  {
    id: "go blank",
    right: "ours",
    side: "missing",
    labels: ["go"],
    reason: "`_` names nothing",
    isOne: ({ name }) => name === "_",
  },
  {
    id: "local type or function",
    right: "choice",
    side: "extra",
    labels: ["go", "rust", "java", "c#", "haskell", "python", "typescript", "javascript", "kotlin"],
    reason:
      "an outline nests what is defined inside of a function or an anonymous class; ctags leaves it out",
    isOne: ({ text, label }) => indentation(text) > (memberIndentations[label] ?? 0),
  },
  {
    id: "js object taken for a class",
    right: "ours",
    side: "missing",
    labels: ecmascript,
    reason: "an object whose values are functions is no class",
    isOne: ({ kind, text, name }) =>
      kind === "class" && !new RegExp(`class\\s+\\$?${name.replace(/\W/g, "")}`).test(text),
  },
  {
    id: "js function expression",
    right: "choice",
    side: "missing",
    labels: ecmascript,
    reason:
      "the name of a function expression that is an argument or a value can be used in that function only; the outline has the name it is assigned to",
    isOne: ({ kind, text }) =>
      /^(?:function|generator|method)$/.test(kind) &&
      (!/^\s*(?:export\s+)?(?:default\s+)?(?:async\s+)?function\b/.test(text) ||
        indentation(text) > 0),
  },
  {
    id: "js assigned function",
    right: "ours",
    side: "extra",
    labels: ecmascript,
    reason:
      "ctags misses functions that are set on an object or exported without a name, and names in quotes",
    isOne: ({ text, name }) =>
      /^\w[\w.$]*\.\w+ =|export default|["']|\[/.test(text) || /\W/.test(name),
  },
  {
    id: "ts import of a type",
    right: "ours",
    side: "missing",
    labels: ["typescript"],
    reason:
      "`import { type A }` and `type A,` in a list import a type, which ctags takes for an alias",
    isOne: ({ kind, text }) =>
      kind === "alias" && !/^\s*(?:export\s+)?(?:declare\s+)?type\s+\w+\s*(?:<|=|$)/.test(text),
  },
  {
    id: "qt translation",
    right: "ours",
    side: "missing",
    labels: ["typescript"],
    reason: "translations of Qt are XML with the extension .ts",
    isOne: ({ file, text }) => /^\s*</.test(text) && file.endsWith(".ts"),
  },
  {
    id: "ts words",
    right: "ours",
    side: "missing",
    labels: ["typescript"],
    reason: "words of a type, a string or a comment that follow `type` or `interface`",
    isOne: ({ text, name }) => new RegExp(`["'\`*/].*\\b${name.replace(/\W/g, "")}\\b`).test(text),
  },
  {
    id: "haskell equation",
    right: "choice",
    side: "missing",
    labels: ["haskell"],
    reason: "the equations of a function are one symbol; ctags lists each",
    isOne: ({ isKnownElsewhere }) => isKnownElsewhere,
  },
  {
    id: "haskell field",
    right: "choice",
    side: "missing",
    labels: ["haskell"],
    reason: "fields of a record are no functions of an outline",
    isOne: ({ text }) => indentation(text) > 0 || /^data\b|^newtype\b|\{.*::/.test(text),
  },
  {
    id: "haskell where",
    right: "ours",
    side: "missing",
    labels: ["haskell"],
    reason: "`where` and words of a comment or a pragma are no functions",
    isOne: ({ name, text }) =>
      name === "where" || text.trim() === "" || /^\s*(?:--|\{-)/.test(text),
  },
  {
    id: "haskell keyword",
    right: "ours",
    side: "missing",
    labels: ["haskell"],
    reason:
      "`class`, `pattern` and `infix` begin a declaration, `deriveJSON` is called; a backtick makes an operator",
    isOne: ({ name, text }) =>
      /^(?:class|pattern|infix[lr]?|derive\w*)$/.test(name) || text.includes("`"),
  },
  {
    id: "haskell operator or pattern",
    right: "ours",
    side: "extra",
    labels: ["haskell"],
    reason: "ctags misses operators and the patterns that `pattern` names",
    isOne: ({ name, text }) => /^\W+$/.test(name) || text.startsWith("pattern "),
  },
  {
    id: "python attribute of a class",
    right: "choice",
    side: "missing",
    labels: ["python"],
    reason: "attributes set in the body of a class are not listed",
    isOne: ({ kind, text, scopeKind }) =>
      kind === "variable" && (scopeKind === "class" || indentation(text) > 0),
  },
  {
    id: "python assigned again",
    right: "choice",
    side: "missing",
    labels: ["python"],
    reason: "a name that is assigned again is not defined again",
    isOne: ({ kind, isKnownElsewhere }) => kind === "variable" && isKnownElsewhere,
  },
  {
    id: "python slice",
    right: "ours",
    side: "extra",
    labels: ["python"],
    reason: "ctags takes the colon in `a = b[3:]` for an annotation, and misses what is assigned",
    isOne: ({ text }) => /[:[]/.test(text),
  },
  {
    id: "java value of an annotation",
    right: "ours",
    side: "missing",
    labels: ["java"],
    reason: "of `long timeout() default 0L` ctags takes the value for a field",
    isOne: ({ text }) => /\bdefault\b/.test(text),
  },
  {
    id: "macro that defines a test",
    right: "ours",
    side: "missing",
    labels: cFamily,
    reason: "`TEST(Suite, Case)` is listed as `Suite.Case`, and no function is called TEST",
    isOne: ({ name }) => /^[A-Z][A-Z0-9_]+$/.test(name),
  },
  {
    id: "test that a macro defines",
    right: "ours",
    side: "extra",
    labels: cFamily,
    reason: "the same, seen from the other side",
    isOne: ({ text }) => /^\s*[A-Z][A-Z0-9_]+\s*\(/.test(text),
  },
  {
    id: "c include guard",
    right: "choice",
    side: "missing",
    labels: cFamily,
    reason: "the macro that keeps a header from being read twice is no constant of it",
    isOne: ({ kind, text, name }) =>
      kind === "macro" && text.trim().replace(/\s+/g, " ").replace("# ", "#") === `#define ${name}`,
  },
  {
    id: "c type named as its struct",
    right: "choice",
    side: "missing",
    labels: cFamily,
    reason: "`typedef struct A { … } A;` is one symbol",
    isOne: ({ kind, isKnownElsewhere }) => kind === "typedef" && isKnownElsewhere,
  },
  {
    id: "c++ operator",
    right: "ours",
    side: "missing",
    labels: cFamily,
    reason: "`operator()` is not called `operator`, nor a `final` class `final`",
    isOne: ({ name }) => /^operator|^final$/.test(name),
  },
  {
    id: "c++ in a function or a template",
    right: "ours",
    side: "extra",
    labels: cFamily,
    reason:
      "ctags misses operators, lambdas with a name, templates of functions, functions with a trailing type, and macros that name one",
    isOne: ({ text, name }) =>
      indentation(text) > 0 ||
      /operator/.test(name) ||
      /^(?:template|auto|#define)\b|->|\) *\(/.test(text),
  },
  {
    id: "json in an array",
    right: "choice",
    side: "missing",
    labels: ["json"],
    reason: "keys of the items of an array are not listed",
    isOne: ({ file }) => !/package(?:-lock)?\.json$/.test(file),
  },
  {
    id: "json with comments",
    right: "ours",
    side: "extra",
    labels: ["json"],
    reason: "ctags stops at a comment or at keys that are numbers",
    isOne: () => true,
  },
  {
    id: "bash in a string",
    right: "choice",
    side: "missing",
    labels: ["bash"],
    reason:
      "a function in a text in quotation marks or in a here-document is defined where that is evaluated, if it is",
    isOne: ({ text }) =>
      indentation(text) > 0 || !/^(?:function\s+)?[\w:.-]+\s*(?:\(\)|\{)/.test(text),
  },
  {
    id: "markdown rule",
    right: "ours",
    side: "missing",
    labels: ["markdown"],
    reason: "a line of dashes under another is a rule",
    isOne: ({ name }) => /^[-=]+$/.test(name),
  },
  {
    id: "markdown comment",
    right: "ours",
    side: "extra",
    labels: ["markdown"],
    reason: "a fence inside of an HTML comment opens nothing; ctags reads all after it as code",
    isOne: () => true,
  },
  {
    id: "c# record",
    right: "ours",
    side: "missing",
    labels: ["c#"],
    reason: "ctags 5.9 knows no records, and writes `@ref` without its mark",
    isOne: ({ text }) => /\brecord\b|@\w/.test(text),
  },
  {
    id: "c# newer than ctags",
    right: "ours",
    side: "extra",
    labels: ["c#"],
    reason:
      "records, namespaces of a file, and what follows a nullable type are missing in ctags 5.9",
    isOne: ({ text }) => /\brecord\b|^namespace .*;|\?|@\w|^\s*\[|ReadType\./.test(text),
  },
  {
    id: "html without a kind",
    right: "choice",
    side: "extra",
    labels: ["html"],
    reason: "ctags 5.9 has no kinds for titles, landmarks and headings below the third level",
    isOne: ({ text }) =>
      /<(?:title|h[456]|main|nav|header|footer|aside|section|article|form|dialog|template)\b/i.test(
        text,
      ),
  },
  {
    id: "kotlin variable of a lambda or a loop",
    right: "ours",
    side: "missing",
    labels: ["kotlin"],
    reason: "`{ a, b -> … }` and `for (a in b)` name variables, which ctags takes for methods",
    isOne: ({ kind, text }) => kind === "method" && !/\bfun\b/.test(text),
  },
];

/** The class of a disagreement; `undefined` where ctags is right. */
export function classOf(each: Disagreement): DisagreementClass | undefined {
  return disagreementClasses.find(
    ({ side, labels, isOne }) => side === each.side && labels.includes(each.label) && isOne(each),
  );
}

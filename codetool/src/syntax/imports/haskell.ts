import type { ImportReader, ImportSyntax } from "./syntax.ts";

const moduleName = "\\p{Lu}[\\p{L}\\p{N}_'.]*";
const statement = new RegExp(
  `^import\\s+(?:safe\\s+)?(?:qualified\\s+)?(?:"[^"\\n]*"\\s+)?(${moduleName})(?:\\s+qualified)?(?:\\s+as\\s+${moduleName})?\\s*(hiding\\b)?\\s*(\\([^]*)?`,
  "u",
);

/** `import qualified A.B as C (x, T(..))` and the module that a file is. */
const read: ImportReader = ({ kind, text }) => {
  const plain = text.slice(0, 20_000).replace(/\{-[^]*?-\}|--[^\n]*/g, " ");
  if (kind === "header") {
    const namespace = new RegExp(`^module\\s+(${moduleName})`, "u").exec(plain)?.[1];
    return namespace === undefined ? null : { namespace };
  }
  const found = statement.exec(plain);
  if (found === null) return null;
  const [, specifier = "", hiding, list] = found;
  const names = hiding !== undefined || list === undefined ? ["*"] : namesIn(list);
  return { imports: [{ specifier, names, kind: "static" }] };
};

/** Names in an import's brackets; what is in brackets of its own belongs to the name before. */
function namesIn(list: string): readonly string[] {
  const names: string[] = [];
  let depth = 0;
  for (const [word] of list.matchAll(/[()]|[\p{L}_][\p{L}\p{N}_']*|[!#$%&*+./<=>?@\\^|~:-]+/gu)) {
    if (word === "(") depth += 1;
    else if (word === ")") depth -= 1;
    else if (depth === 1 && !/^(?:type|pattern)$/.test(word)) names.push(word);
    else if (depth === 2 && /^[^\p{L}_]/u.test(word) && word !== "..") names.push(word);
    if (depth === 0) break;
  }
  return names;
}

/** Haskell. */
export const haskellImports: ImportSyntax = {
  languages: ["haskell"],
  matchers: [{ kind: "import" }, { kind: "header" }],
  begin: () => read,
};

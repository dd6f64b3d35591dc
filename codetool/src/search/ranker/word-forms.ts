/** Endings that a word may lose; longer ones first, so that one replacement finds the root. */
const endings =
  /^(.{3,}?)(?:isations?|izations?|ations?|ators?|ating|ated|ates?|ings?|ions?|ments?|ers?|ors?|ies|ied|ed|able|ible|ably|ally|ly|ous|ive|es|(?<!s)s|e|y|al|ity|ness)$/;

const doubled = /([bdgklmnprtz])\1$/;

/**
 * A word without its common ending, for telling `scheduling` and `scheduler` the same: at least three letters stay.
 *
 * @param word Lower-cased.
 */
export function rootOfWord(word: string): string {
  if (word.length < 4 || !/^[a-z]+$/.test(word)) return word;
  const root = endings.exec(word)?.[1] ?? word;
  // "running" gives "run", "mapped" gives "map"; "pass" stays.
  return root.length > 3 && root !== word && doubled.test(root) ? root.slice(0, -1) : root;
}

const suffixes = [
  ..."|s|es|ed|e|ing|ings|er|ers|or|ors|ion|ions|y|ies|ied".split("|"),
  ..."ate|ates|ated|ating|ation|ations|ator|ators|able|ible|ment|ments|al|ly|ive|ity".split("|"),
];

/** Short forms that code writes for words that questions use, and the other way round. */
const shortForms: readonly (readonly [string, string])[] = [
  ["auth", "authentication"],
  ["auth", "authorization"],
  ["authn", "authentication"],
  ["authz", "authorization"],
  ["db", "database"],
  ["k8s", "kubernetes"],
  ["config", "configuration"],
  ["config", "configure"],
  ["conf", "configuration"],
  ["deps", "dependencies"],
  ["dep", "dependency"],
  ["env", "environment"],
  ["impl", "implementation"],
  ["repo", "repository"],
  ["msg", "message"],
  ["req", "request"],
  ["res", "response"],
  ["resp", "response"],
  ["err", "error"],
  ["fn", "function"],
  ["func", "function"],
  ["ctx", "context"],
  ["cb", "callback"],
  ["infra", "infrastructure"],
  ["arg", "argument"],
  ["args", "arguments"],
  ["param", "parameter"],
  ["params", "parameters"],
  ["init", "initialize"],
  ["init", "initialization"],
  ["str", "string"],
  ["num", "number"],
  ["int", "integer"],
  ["dir", "directory"],
  ["doc", "documentation"],
  ["docs", "documentation"],
  ["lib", "library"],
  ["util", "utility"],
  ["utils", "utilities"],
  ["cmd", "command"],
  ["attr", "attribute"],
  ["attrs", "attributes"],
  ["expr", "expression"],
  ["stmt", "statement"],
  ["val", "value"],
  ["var", "variable"],
  ["vars", "variables"],
  ["ident", "identifier"],
  ["id", "identifier"],
  ["sync", "synchronization"],
  ["async", "asynchronous"],
  ["exec", "execute"],
  ["exec", "execution"],
  ["alloc", "allocate"],
  ["alloc", "allocation"],
  ["max", "maximum"],
  ["min", "minimum"],
  ["tmp", "temporary"],
  ["temp", "temporary"],
  ["spec", "specification"],
  ["info", "information"],
  ["perf", "performance"],
  ["gen", "generate"],
  ["regex", "regular"],
  ["app", "application"],
  ["conn", "connection"],
  ["ws", "websocket"],
  ["sse", "events"],
  ["pkg", "package"],
  ["src", "source"],
  ["dest", "destination"],
  ["buf", "buffer"],
  ["ptr", "pointer"],
  ["eval", "evaluate"],
  ["prop", "property"],
  ["props", "properties"],
  ["ref", "reference"],
  ["refs", "references"],
  ["seq", "sequence"],
  ["fmt", "format"],
  ["cfg", "configuration"],
  ["opts", "options"],
  ["opt", "option"],
  ["iter", "iterator"],
  ["iter", "iterate"],
];

const byWord = new Map<string, string[]>();
for (const [short, long] of shortForms) {
  byWord.set(short, [...(byWord.get(short) ?? []), long]);
  byWord.set(long, [...(byWord.get(long) ?? []), short]);
}

/** The words that count as one with a word in a ranking, itself first. */
export function formsOfWord(word: string): string[] {
  const forms = new Set([word]);
  for (const form of byWord.get(word) ?? []) forms.add(form);
  if (word.length < 3 || !/^[a-z]+$/.test(word)) return [...forms];
  const root = rootOfWord(word);
  const last = root.at(-1) ?? "";
  for (const suffix of suffixes) {
    forms.add(root + suffix);
    if (/^[bdgmnprt]$/.test(last) && /^(?:ed|ing|er|ers)$/.test(suffix))
      forms.add(root + last + suffix);
  }
  return [...forms].filter((form) => form.length >= 3 || form === word);
}

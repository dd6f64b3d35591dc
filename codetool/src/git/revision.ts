import { errors } from "../envelope/index.ts";

/** The revision or revisions that a user named. */
export type Revision =
  /** One state, compared with the index or the working tree. */
  | { readonly kind: "one"; readonly name: string }
  /** Two states; with `isFromFork` the first is the state that both have in common. */
  | {
      readonly kind: "two";
      readonly from: string;
      readonly to: string;
      readonly isFromFork: boolean;
    };

/**
 * Reads `<ref>`, `<a>..<b>` or `<a>...<b>`; a side that is empty is HEAD, as in git. Only git knows whether it exists.
 *
 * @throws invalid_argument for what is empty, or could be taken for an option by git.
 */
export function parseRevision(text: string, argument = "since"): Revision {
  const refuse = (reason: string): Error =>
    new errors.invalid_argument({ argument: `${argument} ${text.slice(0, 100)}`, reason });
  if (text.trim() === "") throw refuse("it is empty, wanted a commit, a branch or a tag");
  // oxlint-disable-next-line no-control-regex
  if (/[\0-\x1f\x7f]/.test(text)) throw refuse("no name in git has control characters");
  const check = (name: string): string => {
    if (name.startsWith("-")) throw refuse("no name in git begins with a dash");
    if (name.startsWith("^"))
      throw refuse("wanted a state, not what is left out of a list of commits");
    // `commit:path` would name files without the checks of paths.
    if (name.replaceAll(/\{[^{}]*\}/g, "").includes(":"))
      throw refuse("wanted a commit, a branch or a tag, not a path in one");
    return name;
  };
  const range = /^([^{}]*?)(\.{2,3})(?!\.)(.*)$/.exec(text);
  if (range === null) return { kind: "one", name: check(text) };
  const [, from = "", dots, to = ""] = range;
  if (to.includes("..")) throw refuse("wanted two names, for example main..HEAD");
  return {
    kind: "two",
    from: check(from === "" ? "HEAD" : from),
    to: check(to === "" ? "HEAD" : to),
    isFromFork: dots === "...",
  };
}

/** The words that name it to `git diff`. */
export function revisionArguments(revision: Revision): readonly string[] {
  if (revision.kind === "one") return [revision.name];
  const { from, to, isFromFork } = revision;
  return isFromFork ? [`${from}...${to}`] : [from, to];
}

/** How it is shown in errors. */
export function revisionText(revision: Revision): string {
  if (revision.kind === "one") return revision.name;
  return `${revision.from}${revision.isFromFork ? "..." : ".."}${revision.to}`;
}

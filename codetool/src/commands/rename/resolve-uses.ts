import type { TextEdit } from "../../edits/index.ts";
import type { NameUse } from "../../syntax/index.ts";
import type { FileLinks } from "./file-links.ts";

/** What a rename does in a file. */
export interface ResolvedUses {
  readonly edits: readonly TextEdit[];
  readonly left: readonly { readonly use: NameUse; readonly reason: string }[];
}

/**
 * Says which places of a file mean the definition.
 *
 * @param uses The places of the old name, in order.
 * @param links What the file takes of the definition; `undefined` where nothing leads to it.
 */
export function resolveUses(
  uses: readonly NameUse[],
  links: FileLinks | undefined,
  newName: string,
): ResolvedUses {
  const edits: TextEdit[] = [];
  const left: { use: NameUse; reason: string }[] = [];
  for (const use of uses) {
    const verdict = links === undefined ? "other" : verdictOn(use, links);
    if (verdict === "own")
      edits.push(editOf(use, { newName, isDefiner: links?.isDefiner === true }));
    else if (verdict !== "other") left.push({ use, reason: verdict });
  }
  return { edits, left };
}

/** `own`, `other`, or why it is not known. */
function verdictOn(use: NameUse, links: FileLinks): string {
  const { role, binding, qualifier = "", statementLine1 = 0 } = use;
  switch (role) {
    case "import":
    case "reexport":
      return links.importLines.has(statementLine1) ? "own" : "other";
    case "bare":
    case "shorthand":
    case "export":
      if (binding === "file" && links.isBound) return "own";
      if (binding === "file" && links.isWhole) return "the module is loaded as a whole";
      if (binding === "free" && links.isOpen) return "own";
      return "other";
    case "listed":
      return links.isBound || links.isOpen ? "own" : "other";
    case "taken":
      return takenVerdict(use, links);
    case "member":
      if (links.qualifiers.has(qualifier) && !use.isQualifierLocal) return "own";
      return links.isWhole ? "the module is loaded as a whole" : "other";
    case "doubtful":
      return links.isBound ? "it may be the key of a struct or the definition" : "other";
    case "quoted":
      return links.isBound && binding === "file" ? "it may be a type in quotes" : "other";
    case "alias":
    case "other":
      return "other";
  }
}

/** `const { name } = require("./file")` takes the definition; what other objects are taken apart is not known. */
function takenVerdict(
  { binding, isShorthand, statementLine1 = 0 }: NameUse,
  links: FileLinks,
): string {
  if (isShorthand === true && binding === "file") {
    if (links.isDefiner) return "own";
    if (links.importLines.has(statementLine1)) return "own";
  }
  const mayBe = links.isWhole || links.qualifiers.size > 0 || links.importLines.has(statementLine1);
  return mayBe ? "it is taken out of an object" : "other";
}

function editOf(
  { role, start, end }: NameUse,
  { newName, isDefiner }: { readonly newName: string; readonly isDefiner: boolean },
): TextEdit {
  const isKept = role === "shorthand" || (role === "taken" && isDefiner);
  if (!isKept) return { start, end, text: newName };
  return { start: end, end, text: `: ${newName}` };
}

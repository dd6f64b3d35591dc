import type { LanguageSyntax } from "../rule.ts";
import { cFamilyRules, plainDeclaration } from "./c-family.ts";
import { repairPreprocessed } from "./c-repair.ts";

/** C. A header that is C++ (both end in `.h`) is read as such. */
export const c: LanguageSyntax = {
  language: "c",
  parserName: "c",
  grammar: "c",
  ellipsis: "/*...*/",
  commentKinds: ["comment"],
  rules: { ...cFamilyRules, declaration: plainDeclaration },
  repair: (text) => repairPreprocessed(text, { isCpp: false }),
  readAs: {
    language: "cpp",
    when: /^[ \t]*(?:namespace\b[\w: \t]*\{?[ \t]*$|template[ \t]*<|class[ \t]+\w+[^;()]*$|(?:public|private|protected)[ \t]*:|using[ \t]+(?:namespace\b|\w+[ \t]*=))/m,
  },
};

import type { LanguageSyntax } from "../rule.ts";
import { ecmascriptRules, field } from "./ecmascript.ts";

/** JavaScript, JSX included. */
export const javascript: LanguageSyntax = {
  language: "javascript",
  parserName: "JavaScript",
  grammar: null,
  ellipsis: "/*...*/",
  commentKinds: ["comment"],
  rules: { ...ecmascriptRules, field_definition: field },
};

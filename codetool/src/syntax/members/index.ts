/**
 * Members of types in code: what a file defines, and what an expression before a dot says of its type by itself.
 *
 *   text, name ─ readMembers ─▶ types with supertypes and members, functions, variables, imports
 *                           ─▶ places ─▶ Expression before each dot: a name, a call, `this`, an annotation
 *
 * Only what is written counts: annotations, constructor calls, typed fields, declared results. A language is one file that
 * reads its nodes; the rest is common. What a name of another file means is not known here: an Expression names it, and who has
 * all files evaluates it.
 *
 * This folder must not know: other files, what is renamed.
 */
export { type FileMembers, readMembers } from "./members-in.ts";
export type {
  Expression,
  FileTypes,
  ImportedName,
  MemberDefinition,
  MemberUse,
  TypeDefinition,
  TypeText,
} from "./type-facts.ts";

/**
 * Renaming a member of a type: a method, a field, a property.
 *
 *   Class.member ─ findMember ─▶ type ─ findFamily ─▶ all types that share it ─ resolveMembers ─▶ places, and what is left
 *                                  └─ TypeGraph: types, imports, what an expression is worth ─┘
 *
 * A place is changed only where what is before the dot has a type of the family by what is written: `this`, an annotation, a
 * constructor call, a typed field, a declared result. Where another type is written, it stays; the rest is listed. There is no
 * type checker here, and nothing is guessed.
 */
export { findMember, readOld } from "./find-member.ts";
export { findMemberPlaces } from "./find-member-places.ts";
export { embeddedFields, withFields } from "./embedded-fields.ts";

/**
 * A supervisor of declared children whose lane somebody from outside holds, to change its children: which there are, in
 * which order, by which strategy, and what each is described with.
 *
 *     Supervisor.hold() ─▶ a job of the kind "change" in the lane ─▶ HeldChildren: stop, start, add, take, put, arrange
 *                                                                     release ─▶ what waited is served
 *
 * It must not know why something changes, nor other supervisors than the one that is held.
 */
export { HeldChildren, type HeldHost, type TakenSlot } from "./held-children.ts";

/**
 * A file shortened to what it declares: signatures, first lines of documentation, bodies left out.
 *
 * This folder must not know: budgets, who reads the skeleton.
 */
export { skeletonOf } from "./skeleton.ts";

/**
 * The graph of files that import each other: built, updated, packed, and walked against its direction.
 *
 * This folder must not know: symbols, how an import is resolved.
 */
export { type Dependent, dependentsOf, type DependentsOptions } from "./dependents.ts";
export {
  buildImportGraph,
  type GraphDirection,
  importanceFor,
  importerCountOf,
  type ImportGraph,
  updateImportGraph,
} from "./graph.ts";
export { packImports, unpackImports } from "./records.ts";

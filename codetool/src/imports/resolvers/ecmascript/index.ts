/**
 * What an import of JavaScript and TypeScript means: relative modules, `tsconfig.json`, packages of the tree.
 *
 * This folder must not know: other languages.
 */
export { ecmascriptResolver } from "./resolver.ts";

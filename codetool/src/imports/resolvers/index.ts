/**
 * The table of resolvers: one file per language or family, which says what files an import means.
 *
 * This folder must not know: graphs, symbols, indexes.
 */
export { bashResolver } from "./bash.ts";
export { csharpResolver } from "./csharp.ts";
export { ecmascriptResolver } from "./ecmascript/index.ts";
export { goResolver } from "./go.ts";
export { includeResolver } from "./include.ts";
export { jvmResolver } from "./jvm.ts";
export { luaResolver } from "./lua.ts";
export { elixirResolver, haskellResolver } from "./module-name.ts";
export { phpResolver } from "./php.ts";
export { pythonResolver } from "./python.ts";
export { rubyResolver } from "./ruby.ts";
export { rustResolver } from "./rust.ts";
export { swiftResolver } from "./swift.ts";
export { zigResolver } from "./zig.ts";

/**
 * The table of resolvers: one file per language or family, which says what files an import means.
 *
 * This folder must not know: graphs, symbols, indexes.
 */
import type { LanguageResolver, World } from "../tree/index.ts";
import { bashResolver } from "./bash.ts";
import { csharpResolver } from "./csharp.ts";
import { ecmascriptResolver } from "./ecmascript/index.ts";
import { goResolver } from "./go.ts";
import { includeResolver } from "./include.ts";
import { jvmResolver } from "./jvm.ts";
import { luaResolver } from "./lua.ts";
import { elixirResolver, haskellResolver } from "./module-name.ts";
import { phpResolver } from "./php.ts";
import { pythonResolver } from "./python.ts";
import { rubyResolver } from "./ruby.ts";
import { rustResolver } from "./rust.ts";
import { swiftResolver } from "./swift.ts";
import { zigResolver } from "./zig.ts";

/** Languages that import each other, and how they do it. */
export const families: readonly {
  readonly languages: readonly string[];
  readonly make: (world: World) => LanguageResolver;
}[] = [
  { languages: ["javascript", "typescript", "tsx"], make: ecmascriptResolver },
  { languages: ["python"], make: pythonResolver },
  { languages: ["rust"], make: rustResolver },
  { languages: ["go"], make: goResolver },
  { languages: ["java", "kotlin", "scala"], make: jvmResolver },
  { languages: ["c", "cpp"], make: includeResolver },
  { languages: ["csharp"], make: csharpResolver },
  { languages: ["ruby"], make: rubyResolver },
  { languages: ["php"], make: phpResolver },
  { languages: ["swift"], make: swiftResolver },
  { languages: ["bash"], make: bashResolver },
  { languages: ["lua"], make: luaResolver },
  { languages: ["elixir"], make: elixirResolver },
  { languages: ["haskell"], make: haskellResolver },
  { languages: ["zig"], make: zigResolver },
];

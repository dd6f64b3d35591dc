import type { Language } from "./walked-file.ts";

/** Extensions by language. */
const extensionsOf: { readonly [language: Language]: string } = {
  rust: "rs",
  python: "py pyi pyw",
  javascript: "js mjs cjs jsx",
  typescript: "ts mts cts",
  tsx: "tsx",
  go: "go",
  java: "java",
  c: "c h",
  cpp: "cpp cc cxx hpp hxx hh c++ h++ ipp tpp inl",
  ruby: "rb rake gemspec",
  bash: "sh bash zsh ksh bats",
  json: "json jsonc json5",
  html: "html htm xhtml",
  css: "css",
  kotlin: "kt kts",
  swift: "swift",
  csharp: "cs csx",
  php: "php phtml",
  elixir: "ex exs",
  yaml: "yml yaml",
  toml: "toml",
  markdown: "md markdown",
  dockerfile: "dockerfile containerfile",
  hcl: "tf hcl tfvars",
  sql: "sql",
  makefile: "makefile mk mak",
  erlang: "erl hrl escript",
  haskell: "hs hs-boot",
  lua: "lua",
  r: "r",
  scala: "scala sc sbt",
  zig: "zig",
  cmake: "cmake",
  clojure: "clj cljs cljc edn",
  dart: "dart",
  fsharp: "fs fsi fsx",
  graphql: "graphql gql",
  groovy: "groovy gradle",
  julia: "jl",
  less: "less",
  nix: "nix",
  objectivec: "m mm",
  ocaml: "ml mli",
  perl: "pl pm",
  powershell: "ps1 psm1",
  protobuf: "proto",
  scss: "scss",
  svelte: "svelte",
  vue: "vue",
  xml: "xml xsd xsl xslt svg",
};

/** The languages that a file name can show, as answers name them. */
export const languageNames: readonly Language[] = Object.keys(extensionsOf);

const languageOfWholeName: ReadonlyMap<string, Language> = new Map([
  ["makefile", "makefile"],
  ["gnumakefile", "makefile"],
  ["dockerfile", "dockerfile"],
  ["containerfile", "dockerfile"],
  ["makefile.pl", "perl"],
  ["cmakelists.txt", "cmake"],
  ["rakefile", "ruby"],
  ["gemfile", "ruby"],
  ["jenkinsfile", "groovy"],
  [".bashrc", "bash"],
  [".bash_profile", "bash"],
  [".bash_aliases", "bash"],
  [".profile", "bash"],
  [".zshrc", "bash"],
  [".zshenv", "bash"],
  [".zprofile", "bash"],
  ["pkgbuild", "bash"],
]);

const languageOfInterpreter: ReadonlyMap<string, Language> = new Map([
  ["sh", "bash"],
  ["bash", "bash"],
  ["dash", "bash"],
  ["ksh", "bash"],
  ["zsh", "bash"],
  ["python", "python"],
  ["pypy", "python"],
  ["node", "javascript"],
  ["nodejs", "javascript"],
  ["bun", "typescript"],
  ["deno", "typescript"],
  ["tsx", "typescript"],
  ["ts-node", "typescript"],
  ["ruby", "ruby"],
  ["perl", "perl"],
  ["php", "php"],
  ["bats", "bash"],
  ["lua", "lua"],
  ["luajit", "lua"],
  ["runghc", "haskell"],
  ["runhaskell", "haskell"],
  ["elixir", "elixir"],
  ["escript", "erlang"],
  ["rscript", "r"],
  ["julia", "julia"],
  ["groovy", "groovy"],
  ["make", "makefile"],
]);

/** The languages that a `#!` in the first line can show. */
export const shebangLanguages: ReadonlySet<Language> = new Set(languageOfInterpreter.values());

const languageOfExtension: ReadonlyMap<string, Language> = new Map(
  Object.entries(extensionsOf).flatMap(([language, extensions]) =>
    extensions.split(" ").map((extension): [string, Language] => [extension, language]),
  ),
);

/**
 * Finds the language of a file by its name, in any letter case, except that `.C` and `.H` are C++ by an old custom.
 *
 * @returns `null` if the name does not show a language.
 */
export function languageOfPath(path: string): Language | null {
  const nameAt = path.lastIndexOf("/") + 1;
  const dotAt = path.lastIndexOf(".");
  // Most names: an extension, and a beginning that no name of a whole has.
  if (dotAt > nameAt && !wholeNameStarts.has(path.charCodeAt(nameAt))) {
    const extension = path.slice(dotAt + 1);
    if (extension === "C" || extension === "H") return "cpp";
    return languageOfExtension.get(extension.toLowerCase()) ?? null;
  }
  return languageOfName(path.slice(nameAt));
}

function languageOfName(name: string): Language | null {
  const dot = name.lastIndexOf(".");
  if (dot > 0 && (name.slice(dot) === ".C" || name.slice(dot) === ".H")) return "cpp";
  const lowerName = name.toLowerCase();
  const named = languageOfWholeName.get(lowerName);
  if (named !== undefined) return named;
  const byExtension = dot === -1 ? undefined : languageOfExtension.get(lowerName.slice(dot + 1));
  // `Dockerfile.dev` and `Makefile.in` are named for what they are before the dot, `Dockerfile.go`, too; the source file
  // `makefile.ts` and the page `Dockerfile.md` for what is after it.
  const stem = /^(dockerfile|containerfile|makefile)\./.exec(lowerName)?.[1];
  const isSource = byExtension !== undefined && /^[a-z]/.test(name);
  if (stem !== undefined && !isSource && !pageLanguages.has(byExtension ?? ""))
    return languageOfWholeName.get(stem) ?? null;
  return byExtension ?? null;
}

/** How those of `languageOfWholeName` with a dot behind their beginning begin: `Dockerfile.`, `CMakeLists.`, `.bashrc`. */
const wholeNameStarts: ReadonlySet<number> = new Set(Buffer.from("dDcCmM."));

/** Languages of documents: `Dockerfile.md` is a page about a `Dockerfile`. */
const pageLanguages: ReadonlySet<Language> = new Set(["markdown", "html"]);

/**
 * Finds the language of a file by a `#!` in its first line, for files whose name does not show it.
 *
 * @param text The text, or its beginning.
 */
export function languageOfShebang(text: string): Language | null {
  if (!text.startsWith("#!")) return null;
  const words = (text.slice(2, 256).split("\n", 1)[0] ?? "").trim().split(/\s+/);
  const isEnv = words[0]?.endsWith("/env") === true;
  const command = isEnv ? words.slice(1).find((word) => !/^-|=/.test(word)) : words[0];
  const interpreter = command?.slice(command.lastIndexOf("/") + 1).toLowerCase() ?? "";
  return languageOfInterpreter.get(interpreter.replace(/[\d.]+$/, "")) ?? null;
}

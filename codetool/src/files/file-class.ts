/** What a file is for, according to its path. */
export type FileClass =
  | "source"
  | "test"
  | "example"
  | "docs"
  | "declarations"
  | "config"
  | "data"
  | "generated"
  | "vendored";

const folderClasses: readonly (readonly [RegExp, FileClass])[] = [
  // Hidden folders hold files of tools: copies, caches, environments. People write few of them.
  [
    /(^|\/)\.(?!(?:github|gitlab|circleci|ci|config|husky|storybook|vscode|devcontainer)\/)[^/]+\//i,
    "vendored",
  ],
  [
    /(^|\/)(node_modules|vendor|vendored|third[_-]?party|bower_components|external|extern|deps)\//i,
    "vendored",
  ],
  [/(^|\/)(dist|build|out|target|generated|__generated__|gen)\//i, "generated"],
  [
    /(^|\/)(tests?|__tests__|specs?|testing|testdata|fixtures?|__mocks__|mocks|e2e|src\/test|[\w-]+[_-]tests?)\//i,
    "test",
  ],
  [/(^|\/)(examples?|samples?|demos?|docs_src|tutorials?|benchmarks?|bench)\//i, "example"],
  [/(^|\/)(docs?|documentation|man)\//i, "docs"],
];

const nameClasses: readonly (readonly [RegExp, FileClass])[] = [
  [/\.d\.[mc]?ts$|\.pyi$/i, "declarations"],
  [/\.min\.(js|css|mjs)$|\.bundle\.js$|\.map$/i, "generated"],
  [
    /(\.pb\.(go|cc|h)|_pb2(_grpc)?\.pyi?|_grpc\.pb\.go|\.g\.dart|\.generated\.\w+|_generated\.\w+|\.designer\.cs)$/i,
    "generated",
  ],
  [
    /\.lockb?$|[.-]lock\.(json|ya?ml|hcl)$|^(go\.sum|npm-shrinkwrap\.json|pnpm-lock\.yaml|lockfile)$/i,
    "generated",
  ],
  [
    /(^test_.*\.py|_tests?\.\w+|[.-](test|tests|spec|e2e)\.\w+|(Test|Tests|Spec|IT)\.(java|kt|scala|cs|php|swift)|_spec\.rb|conftest\.py)$/,
    "test",
  ],
  [
    /\.(md|mdx|rst|adoc|txt|textile|tex|html?|[1-9])$|^(?:\d+-)?(readme|changelog|changes|release[-_]?notes|news|authors|contributing|license|copying|notice|todo)\b/i,
    "docs",
  ],
  [
    /\.(ya?ml|toml|ini|cfg|conf|properties|env|editorconfig|gradle|cmake|mk|bazel|bzl|nix)$|^(makefile|dockerfile|cmakelists\.txt|package\.json|tsconfig.*\.json|\..*rc(\.\w+)?|\.gitignore|\.gitattributes)$/i,
    "config",
  ],
  [/\.(json|jsonl|ndjson|csv|tsv|xml|svg|po|pot|plist|sql|lst|dat|log|diff|patch|snap)$/i, "data"],
];

/**
 * Tells what a file is for, only by its path: folders first, then the name.
 *
 * @param relativePath With forward slashes.
 */
export function classOfPath(relativePath: string): FileClass {
  for (const [test, fileClass] of folderClasses) if (test.test(relativePath)) return fileClass;
  const name = relativePath.slice(relativePath.lastIndexOf("/") + 1);
  for (const [test, fileClass] of nameClasses) if (test.test(name)) return fileClass;
  return "source";
}

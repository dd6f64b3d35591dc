/** The platforms that the executable is made for. */

/** The system and processor that a library or program is for. */
export interface Machine {
  readonly system: "linux" | "darwin" | "win32";
  readonly processor: "x64" | "arm64";
}

/** One platform. */
export interface Target extends Machine {
  /** As in the names of archives. */
  readonly name: string;
  /** The npm package that has the runtime, and where. */
  readonly runtimePackage: string;
  readonly runtimeFile: string;
  /** What the compiler calls it. */
  readonly compilerName: string;
  /** The npm package that has the parser's library. */
  readonly parserPackage: string;
  /** Of the executable's name. */
  readonly suffix: "" | ".exe";
}

/** The five platforms. */
export const targets: readonly Target[] = [
  {
    name: "linux-x64",
    system: "linux",
    processor: "x64",
    runtimePackage: "@oven/bun-linux-x64",
    runtimeFile: "bin/bun",
    compilerName: "bun-linux-x64",
    parserPackage: "@ast-grep/napi-linux-x64-gnu",
    suffix: "",
  },
  {
    name: "linux-arm64",
    system: "linux",
    processor: "arm64",
    runtimePackage: "@oven/bun-linux-aarch64",
    runtimeFile: "bin/bun",
    compilerName: "bun-linux-arm64",
    parserPackage: "@ast-grep/napi-linux-arm64-gnu",
    suffix: "",
  },
  {
    name: "macos-arm64",
    system: "darwin",
    processor: "arm64",
    runtimePackage: "@oven/bun-darwin-aarch64",
    runtimeFile: "bin/bun",
    compilerName: "bun-darwin-arm64",
    parserPackage: "@ast-grep/napi-darwin-arm64",
    suffix: "",
  },
  {
    name: "macos-x64",
    system: "darwin",
    processor: "x64",
    runtimePackage: "@oven/bun-darwin-x64",
    runtimeFile: "bin/bun",
    compilerName: "bun-darwin-x64",
    parserPackage: "@ast-grep/napi-darwin-x64",
    suffix: "",
  },
  {
    name: "windows-x64",
    system: "win32",
    processor: "x64",
    runtimePackage: "@oven/bun-windows-x64",
    runtimeFile: "bin/bun.exe",
    compilerName: "bun-windows-x64",
    parserPackage: "@ast-grep/napi-win32-x64-msvc",
    suffix: ".exe",
  },
];

/** The platform of this process; `undefined` where none is for it. */
export function targetHere(): Target | undefined {
  return targets.find(
    ({ system, processor }) => system === process.platform && processor === process.arch,
  );
}

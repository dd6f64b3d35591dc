/**
 * The table of parsers: one file per tool, which turns what the tool printed into a report. Files that are not named
 * for a tool hold what several parsers share.
 *
 * This folder must not know: how a tool is recognised, and what is done with a report.
 */
export { parseBiome } from "./biome.ts";
export { parseBunTest } from "./bun-test.ts";
export { parseCargoLlvmCov } from "./cargo-llvm-cov.ts";
export { parseCargoTest } from "./cargo-test.ts";
export { parseCmake } from "./cmake.ts";
export { parseCtest } from "./ctest.ts";
export { parseDenoTest } from "./deno-test.ts";
export { parseDockerBuild } from "./docker-build.ts";
export { parseDotnet } from "./dotnet.ts";
export { parseEslint } from "./eslint.ts";
export { parseGitLog } from "./git-log.ts";
export { parseGoCover } from "./go-cover.ts";
export { parseGoBuild } from "./go-build.ts";
export { parseGoTest } from "./go-test.ts";
export { parseGolangciLint } from "./golangci-lint.ts";
export { parseGradle } from "./gradle.ts";
export { parseJestCov } from "./jest-cov.ts";
export { parseJest } from "./jest.ts";
export { parseLogs } from "./kubectl-logs.ts";
export { parseKubectl } from "./kubectl.ts";
export { parseMake } from "./make.ts";
export { parseMocha } from "./mocha.ts";
export { parseMvn } from "./mvn.ts";
export { parseMypy } from "./mypy.ts";
export { parseNextest } from "./nextest.ts";
export { parseNodeTest } from "./node-test.ts";
export { parseNpmInstall } from "./npm-install.ts";
export { parseNpmLs } from "./npm-ls.ts";
export { parsePipInstall } from "./pip-install.ts";
export { parsePytestCov } from "./pytest-cov.ts";
export { parsePytest } from "./pytest.ts";
export { parseRuff } from "./ruff.ts";
export { parseRustc } from "./rustc.ts";
export { parseSwift } from "./swift.ts";
export { parseTerraform } from "./terraform.ts";
export { parseTsc } from "./tsc.ts";
export { parseVitest } from "./vitest.ts";

import {
  parseCmake,
  parseCtest,
  parseDotnet,
  parseGradle,
  parseMake,
  parseMvn,
  parseSwift,
} from "./parsers/index.ts";
import type { Tool } from "./tool.ts";

/** Builders and compilers. */
export const buildTools: readonly Tool[] = [
  {
    id: "ctest",
    title: "CTest",
    family: "tests",
    commands: ["ctest"],
    signature: /^\d+% tests passed, \d+ tests? failed out of \d+$/m,
    parse: parseCtest,
  },
  {
    id: "cmake",
    title: "CMake",
    family: "build",
    commands: ["cmake"],
    isRunner: true,
    signature: /^CMake Error(?: at |: )/m,
    parse: parseCmake,
  },
  {
    id: "mvn",
    title: "Maven",
    family: "build",
    commands: ["mvn", "mvnw", "mvnd"],
    signature: /^\[INFO\] BUILD (?:SUCCESS|FAILURE)$/m,
    parse: parseMvn,
  },
  {
    id: "gradle",
    title: "Gradle",
    family: "build",
    commands: ["gradle", "gradlew"],
    signature: /^BUILD (?:SUCCESSFUL|FAILED) in \d/m,
    parse: parseGradle,
  },
  {
    id: "dotnet",
    title: "dotnet, MSBuild",
    family: "build",
    commands: ["dotnet", "msbuild"],
    signature: /^(?:Passed|Failed)! +- Failed: +\d+, Passed: +\d+/m,
    parse: parseDotnet,
  },
  {
    id: "swift",
    title: "swift build, swift test",
    family: "build",
    commands: ["swift test", "swift build", "swift run", "swift package"],
    signature: /^Test Suite 'All tests' (?:passed|failed) at |^\S+ +Test run with \d+ tests? /m,
    parse: parseSwift,
  },
  {
    id: "make",
    title: "make, ninja",
    family: "build",
    commands: ["make", "gmake", "ninja"],
    isRunner: true,
    signature: /^\S*make(?:\[\d+\])?: \*\*\* /m,
    parse: parseMake,
  },
  {
    id: "cc",
    title: "gcc, clang",
    family: "build",
    commands: ["gcc", "g++", "clang", "clang++", "cc", "c++"],
    parse: parseMake,
  },
];

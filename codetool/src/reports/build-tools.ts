import { parseCmake } from "./parsers/cmake.ts";
import { parseCtest } from "./parsers/ctest.ts";
import { parseMake } from "./parsers/make.ts";
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

import { defineErrors } from "../core/index.ts";

/** Errors of resolving a `type:` and loading the code behind it. */
export const pluginErrors = defineErrors("AGENTRT_PLUGIN", {
  BAD_TYPE: {
    exitCode: 1,
    httpStatus: 500,
    isRetryable: false,
    message: (d: { type: string; reason: string }) => `Cannot load "${d.type}": ${d.reason}`,
    remedy:
      "Write a class path such as agents.GreeterAgent, ./src/agents.ts#GreeterAgent or @acme/agents#Clerk",
  },
  MODULE_MISSING: {
    exitCode: 1,
    httpStatus: 500,
    isRetryable: false,
    message: (d: { type: string; looked: string; hint: string }) =>
      `Cannot load "${d.type}": there is no ${d.looked}${d.hint}`,
    remedy:
      "Correct the type, or make the module; paths count from the folder of the topology file",
  },
  EXPORT_MISSING: {
    exitCode: 1,
    httpStatus: 500,
    isRetryable: false,
    message: (d: { type: string; module: string; exported: string; hint: string }) =>
      `Cannot load "${d.type}": ${d.module} has no export "${d.exported}"${d.hint}`,
    remedy: "Correct the type, or export the class",
  },
  NOT_A_CLASS: {
    exitCode: 1,
    httpStatus: 500,
    isRetryable: false,
    message: (d: { type: string; found: string }) =>
      `Cannot load "${d.type}": found ${d.found}, wanted a class`,
    remedy: "Export a class under that name",
  },
  NOT_A_FUNCTION: {
    exitCode: 1,
    httpStatus: 500,
    isRetryable: false,
    message: (d: { type: string; found: string }) =>
      `Cannot load "${d.type}": found ${d.found}, wanted a function`,
    remedy: "Export a function under that name",
  },
  OUTSIDE_PROJECT: {
    exitCode: 1,
    httpStatus: 500,
    isRetryable: false,
    message: (d: { type: string; path: string; root: string }) =>
      `Cannot load "${d.type}": ${d.path} lies outside ${d.root}`,
    remedy: "Keep the code in the project's folder, or install it as a package",
  },
  UNKNOWN_NAME: {
    exitCode: 1,
    httpStatus: 500,
    isRetryable: false,
    message: (d: { type: string; hint: string }) =>
      `Cannot load "${d.type}": it is neither in typeMap nor an entrypoint of an installed package${d.hint}`,
    remedy: "Give a class path, add the name to typeMap, or install the package that brings it",
  },
  AMBIGUOUS_NAME: {
    exitCode: 1,
    httpStatus: 500,
    isRetryable: false,
    message: (d: { type: string; packages: string }) =>
      `Cannot load "${d.type}": several packages bring this name: ${d.packages}`,
    remedy: "Give the class path with its package, for example @acme/agents#Clerk",
  },
  MODULE_FAILED: {
    exitCode: 1,
    httpStatus: 500,
    isRetryable: false,
    message: (d: { type: string; place: string; reason: string }) =>
      `Cannot load "${d.type}": ${d.place}: ${d.reason}`,
    remedy:
      "Correct the module; TypeScript is run with its types stripped, so write no enum, namespace or parameter property",
  },
});

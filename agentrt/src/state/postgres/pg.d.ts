// The package brings no types of its own.
/* oxlint-disable typescript/consistent-type-imports -- the declaration of a module cannot import by a relative path */
declare module "pg" {
  export const Client: typeof import("./driver-types.ts").Client;
  export const Pool: typeof import("./driver-types.ts").Pool;
}

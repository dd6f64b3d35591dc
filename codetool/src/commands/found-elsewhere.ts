import { errors } from "../envelope/index.ts";

/**
 * Makes the error for a path argument that is not there from the working directory, and is there from another folder.
 *
 * @param found.place Where: `"at the root of the tree"`.
 * @param found.path How it is named from the working directory.
 */
export function foundElsewhere(
  argument: string,
  found: { readonly place: string; readonly path: string },
): Error {
  return new errors.file_not_found({
    path: argument,
    reason: `it does not exist here, only ${found.place}`,
    remedy: `Use "${found.path}": paths begin at the working directory`,
  });
}

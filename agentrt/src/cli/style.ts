import type { Style } from "./command.ts";

const codes = { green: 32, red: 31, yellow: 33, grey: 90, bold: 1 } as const;

/**
 * Makes the styles of an output.
 *
 * @param output.isTerminal Whether a person looks at it.
 * @param output.environment Where NO_COLOR may be: any value but the empty one turns colours off.
 * @returns Functions that colour, or leave the text as it is.
 */
export function createStyle(output: {
  readonly isTerminal: boolean;
  readonly environment: { readonly [name: string]: string | undefined };
}): Style {
  const isPlain = !output.isTerminal || (output.environment["NO_COLOR"] ?? "") !== "";
  const style = (code: number) => (text: string) =>
    isPlain || text === "" ? text : `\u001B[${code}m${text}\u001B[0m`;
  return {
    green: style(codes.green),
    red: style(codes.red),
    yellow: style(codes.yellow),
    grey: style(codes.grey),
    bold: style(codes.bold),
  };
}

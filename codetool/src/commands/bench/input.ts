import type { InputDefinition, InputOf } from "../command.ts";

/** What `bench` takes. */
export const benchInput = {
  positionals: [
    {
      name: "path",
      isPath: true,
      isRequired: false,
      summary: "the folder to ask about (default .)",
    },
  ],
  flags: [],
} as const satisfies InputDefinition;

/** The input of `bench`, checked. */
export type BenchInput = InputOf<typeof benchInput>;

import type { z } from "zod";
import { mapping, text } from "../topology/fields.ts";

/** Settings of the sqlite store. */
export const sqliteStoreSettings = mapping({
  db_path: text("the path of a file").nullish(),
}).transform((fields) => ({ path: fields.db_path ?? undefined }));

/** The `config` of each state store of this build. */
export const stateStoreSchemas: { readonly [type: string]: z.ZodType } = {
  in_memory: mapping({}),
  sqlite: sqliteStoreSettings,
};

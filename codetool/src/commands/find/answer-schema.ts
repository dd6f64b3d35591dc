import {
  type AnswerSchema,
  count,
  exactly,
  list,
  nullable,
  number,
  object,
  oneOf,
  record,
  reference,
  text,
  withDefinitions,
  either,
} from "../answers/index.ts";
import type { FolderTree, TreeLeaf } from "./file-tree.ts";
import type { FoundFiles } from "./payload.ts";

const unsearched = oneOf("large", "binary", "unreadable");
const leafFields = {
  lines: nullable(count),
  symbols: nullable(count),
  language: nullable(text),
};
const leaf: AnswerSchema<TreeLeaf> = object(leafFields, { unsearched });
const folder = record(either(leaf, reference<FolderTree>("folder")));

/** The payload of `find`. Names of folders in the tree end with a slash. */
export const findAnswer: AnswerSchema<FoundFiles> = withDefinitions(
  object(
    {
      root: text,
      tree: nullable(reference<FolderTree>("folder")),
      flat: nullable(
        list(
          object(
            { path: text, ...leafFields, relevance: nullable(number) },
            { unsearched, modified: count },
          ),
        ),
      ),
      stats: object({ total_files: count, returned: count, budget_used: count }),
    },
    { truncated: exactly(true) },
  ),
  { folder },
);

import { errors } from "../../envelope/index.ts";
import { languageAliases, languageCalled, languageNames } from "../../files/index.ts";
import { nearestName } from "../nearest-name.ts";

/** Languages that are one type for people: the second is meant with the first. */
const meantToo: { readonly [language: string]: readonly string[] } = { typescript: ["tsx"] };

/**
 * The languages of `--type`: by name, as in answers, by another name that they have, or by an extension.
 *
 * @throws invalid_argument for what is none of these; it lists the languages.
 */
export function askedLanguages(types: readonly string[]): ReadonlySet<string> {
  return new Set(
    types.flatMap((type) => {
      const language = languageCalled(type);
      if (language === null) throw unknownLanguage(type);
      return [language, ...(meantToo[language] ?? [])];
    }),
  );
}

function unknownLanguage(type: string): Error {
  const near = nearestName(type.toLowerCase(), [...languageNames, ...languageAliases]);
  const hint = near === undefined ? "" : `; did you mean "${languageCalled(near)}"`;
  return new errors.invalid_argument({
    argument: `type ${type.slice(0, 60)}`,
    reason: `there is no such language${hint}; wanted an extension or one of ${languageNames.join(", ")}`,
  });
}

import type { LanguageSyntax, Rule, RuleContext, Visibility } from "../rule.ts";

/** What a script defines is seen by all that source it; a leading underscore asks not to be used. */
function visibilityOf(name: string, context: RuleContext): Visibility {
  return context.scope === "function" || name.startsWith("_") ? "hidden" : "exported";
}

const callable: Rule = (node, context) => {
  const name = node.field("name")?.text().replace(/\\\n/g, "") ?? "";
  const visibility = visibilityOf(name, context);
  const body = node.field("body");
  const { start, end, text } = context;
  const isBraced = body?.kind() === "compound_statement";
  return {
    scope: "function",
    defines: [
      {
        name,
        kind: "function",
        visibility,
        // After the content is cut, only braces can be closed again.
        body: isBraced ? body : null,
        signature: text.slice(start, body?.range().start.index ?? end),
      },
    ],
  };
};

/** A variable set at file level is a constant, once. */
const assignment: Rule = (node, context) => {
  if (context.scope !== "file") return null;
  const target = node.field("name");
  const name = target?.kind() === "variable_name" ? target.text() : "";
  if (name === "" || context.fileNames.has(name)) return { scope: "block" };
  context.fileNames.add(name);
  return {
    scope: "block",
    defines: [
      {
        name,
        kind: "const",
        visibility: visibilityOf(name, context),
        body: null,
        ...(context.parent.kind === "declaration_command"
          ? { signatureStart: context.parent.start }
          : {}),
        signatureEnd: "line",
      },
    ],
  };
};

/** `alias ll='ls -l'` is a function; assignments before any other command hold only for that command. */
const command: Rule = (node, context) => {
  const text = context.text.slice(context.start, context.start + 200);
  const name = /^alias\s+(?:-g\s+|--\s+)?([^\s='"]+)=/.exec(text)?.[1];
  if (name === undefined || context.scope === "function") return { scope: "block" };
  return {
    scope: "block",
    defines: [
      {
        name,
        kind: "function",
        visibility: visibilityOf(name, context),
        body: null,
        node,
        signatureEnd: "line",
      },
    ],
  };
};

/** Variables set in here are gone after it, or are a loop's. */
const block: Rule = (_node, context) => (context.scope === "file" ? { scope: "block" } : {});

/** Bash, and as far as its grammar reads them the shells near it. */
export const bash: LanguageSyntax = {
  language: "bash",
  parserName: "bash",
  grammar: "bash",
  ellipsis: "# ...",
  lineComment: "#",
  commentKinds: ["comment"],
  rules: {
    function_definition: callable,
    variable_assignment: assignment,
    declaration_command: () => ({}),
    command,
    for_statement: block,
    c_style_for_statement: block,
    while_statement: block,
    subshell: block,
    pipeline: block,
    command_substitution: block,
    process_substitution: block,
  },
};

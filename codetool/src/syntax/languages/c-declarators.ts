import type { SyntaxNode } from "../../native/index.ts";

/** What a C or C++ declarator declares: `char *(*f(int))[3]` declares the function `f`. */
export interface Declared {
  /** Without template arguments, qualified as written: `A::f`, `operator==`, `~A`. */
  readonly name: string;
  readonly isFunction: boolean;
  /** The initial value, when the declarator has one. */
  readonly value: SyntaxNode | null;
}

const nameKinds = new Set([
  "identifier",
  "field_identifier",
  "type_identifier",
  "qualified_identifier",
  "destructor_name",
  "operator_name",
  "operator_cast",
  "template_function",
  "template_type",
  "primitive_type",
]);

/**
 * Follows a declarator inwards to its name; what is nearest to the name decides whether it is a function.
 *
 * @param declarator A node of a `declarator` field, or `null`.
 * @returns `null` when no name is there (abstract declarators, broken text).
 */
export function declaredBy(declarator: SyntaxNode | null): Declared | null {
  let current = declarator;
  let value: SyntaxNode | null = null;
  let isFunction = false;
  for (let depth = 0; current !== null && depth < 64; depth++) {
    const kind = current.kind();
    if (nameKinds.has(kind)) {
      const name = nameOf(current);
      const isCast = /(?:^|::)operator\s+\w/.test(name) && current.text().includes("(");
      return name === "" ? null : { name, isFunction: isFunction || isCast, value };
    }
    if (kind === "init_declarator") value = current.field("value");
    if (kind !== "parenthesized_declarator" && kind !== "attributed_declarator") {
      isFunction = kind === "function_declarator";
    }
    current = current.field("declarator") ?? innerDeclarator(current);
  }
  return null;
}

function innerDeclarator(node: SyntaxNode): SyntaxNode | null {
  const isInner = (child: SyntaxNode): boolean =>
    child.kind().endsWith("declarator") || nameKinds.has(child.kind());
  return node.children().find(isInner) ?? null;
}

/** The name as it is searched: no template arguments, no white space, a conversion without its parentheses. */
function nameOf(node: SyntaxNode): string {
  let text = node.text();
  if (text.length > 400) return "";
  const operator = /operator\b[^]*$/.exec(text)?.[0] ?? "";
  text = text.slice(0, text.length - operator.length);
  for (let round = 0; round < 8 && text.includes("<"); round++) {
    const stripped = text.replace(/<[^<>]*>/g, "");
    if (stripped === text) break;
    text = stripped;
  }
  // The symbol, a literal's suffix, or the type converted to; never the parameters.
  const form = /^operator\s*(?:\(\s*\)|""\s*\w+|[^\w\s("]+|[^(<]*)/;
  const conversion = form.exec(operator)?.[0] ?? operator;
  return text.replace(/\s+/g, "") + conversion.trim().replace(/\s+/g, " ");
}

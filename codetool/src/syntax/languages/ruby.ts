import type { SyntaxNode } from "../../native/index.ts";
import type {
  Definition,
  Effect,
  Frame,
  LanguageSyntax,
  Rule,
  RuleContext,
  SymbolKind,
  Visibility,
} from "../rule.ts";

const accessWord = /^(?:private|protected|public|private_class_method|private_constant)$/;

/**
 * Reads `private` and the like in a class body: without names they apply to everything that follows, with names only to
 * these.
 * Both are kept as texts, the form of a frame's marks.
 */
function accessMarks(body: SyntaxNode | null): { sections: string; hidden: string } {
  const sections: string[] = [];
  const hidden: string[] = [];
  for (const child of body?.children() ?? []) {
    const kind = child.kind();
    if (kind === "identifier") {
      const word = child.text();
      if (accessWord.test(word)) sections.push(`${child.range().start.index}:${word}`);
    } else if (kind === "call") {
      const word = child.field("method")?.text() ?? "";
      if (!accessWord.test(word) || word === "public" || word === "protected") continue;
      const names = child.field("arguments")?.text() ?? "";
      for (const match of names.matchAll(/(?<!:):"?([\p{L}_][\p{L}\p{N}_]*[?!=]?)/gu)) {
        hidden.push(match[1] ?? "");
      }
    }
  }
  return { sections: sections.join(" "), hidden: ` ${hidden.join(" ")} ` };
}

function visibilityOf(name: string, context: RuleContext, isOfInstance: boolean): Visibility {
  if (context.scope === "function") return "hidden";
  let frame: Frame = context.parent;
  while (frame.parent !== null && !frame.marks.has("sections")) {
    if (frame.marks.get("access") === "private") return "hidden";
    frame = frame.parent;
  }
  if (frame.marks.get("hidden")?.includes(` ${name} `) === true) return "hidden";
  let access = "public";
  if (isOfInstance) {
    for (const section of (frame.marks.get("sections") ?? "").split(" ")) {
      const [start = "", word = ""] = section.split(":");
      if (word !== "" && Number(start) < context.start) access = word;
    }
  }
  return access === "private" ? "hidden" : "inherited";
}

/** `C` of `A::B::C`, and what is before it. */
function splitName(name: string): { name: string; container?: string } {
  const at = name.lastIndexOf("::");
  if (at < 0) return { name };
  const container = name.slice(0, at);
  return { name: name.slice(at + 2), ...(container === "" ? {} : { container }) };
}

function signatureTo(end: SyntaxNode | null, context: RuleContext): string {
  return context.text.slice(context.start, end?.range().end.index ?? context.end);
}

function opened(kind: "class" | "module"): Rule {
  return (node, context) => {
    const written = node.field("name");
    const body = node.field("body");
    if (written === null) return { scope: "type" };
    const names = splitName(written.text().replace(/\s+/g, ""));
    const visibility = visibilityOf(names.name, context, false);
    return {
      scope: "type",
      marks: accessMarks(body),
      defines: [
        {
          ...names,
          kind,
          visibility,
          body,
          signature: signatureTo(node.field("superclass") ?? written, context),
        },
      ],
    };
  };
}

/** `class << self`: its methods are the class's own. */
const singletonClass: Rule = (node) => ({
  scope: "type",
  marks: accessMarks(node.field("body")),
});

function method(isOfInstance: boolean): Rule {
  return (node, context) => {
    const name = node.field("name");
    if (name === null) return { scope: "function" };
    const parameters = node.field("parameters");
    const object = node.field("object")?.text() ?? "self";
    const isOfType = context.scope === "type" || object !== "self";
    const body = node.field("body");
    const bodyStart = body?.range().start.index ?? 0;
    const before = context.text.slice((parameters ?? name).range().end.index, bodyStart);
    return {
      scope: "function",
      defines: [
        {
          name: name.text(),
          kind: isOfType ? "method" : "function",
          visibility: visibilityOf(name.text(), context, isOfInstance),
          // `def a = 1` has no end to close it.
          body: /^\s*=/.test(before) ? null : body,
          signature: signatureTo(parameters ?? name, context),
          ...(/^[A-Z]/.test(object) && context.scope !== "type" ? { container: object } : {}),
        },
      ],
    };
  };
}

const classMaker = /^(?:::)?(Class|Struct|Module|Data)\s*\.\s*(?:new|define)\b/;

/** A name that begins with an upper-case letter; classes are made by `Struct.new` and its like. */
const assignment: Rule = (node, context) => {
  if (context.scope === "function") return null;
  const left = node.field("left");
  if (left === null) return null;
  const targets =
    left.kind() === "left_assignment_list"
      ? left.children().filter((each) => each.isNamed())
      : [left];
  // Of `A = B = 1` the second is in the value of the first.
  let value = node.field("right");
  for (let depth = 0; value?.kind() === "assignment" && depth < 64; depth++) {
    const inner = value.field("left");
    if (inner !== null) targets.push(inner);
    value = value.field("right");
  }
  const constants = targets.filter((each) => /^[\p{Lu}:][\p{L}\p{N}_:]*$/u.test(each.text()));
  if (constants.length === 0) return null;
  const right = node.field("right");
  const start = right?.range().start.index ?? context.end;
  const maker = classMaker.exec(context.text.slice(start, start + 40))?.[1];
  if (maker !== undefined && constants.length === 1) {
    return made(left, { maker, right, context });
  }
  return {
    scope: "function",
    defines: constants.map((each) => ({
      ...splitName(each.text()),
      kind: "const",
      visibility: visibilityOf(each.text(), context, false),
      body: null,
      ...(targets.length === 1 ? {} : { node: each, signatureStart: context.start }),
      signatureEnd: "line",
    })),
  };
};

function made(
  left: SyntaxNode,
  { maker, right, context }: { maker: string; right: SyntaxNode | null; context: RuleContext },
): Effect {
  const block = right?.field("block") ?? null;
  const names = splitName(left.text());
  return {
    scope: "type",
    marks: accessMarks(block?.field("body") ?? null),
    defines: [
      {
        ...names,
        kind: maker === "Module" ? "module" : "class",
        visibility: visibilityOf(names.name, context, false),
        body: block,
        signatureEnd: "line",
      },
    ],
  };
}

const methodMaker = /^(?:attr_(?:reader|writer|accessor)|attr|define_method|alias_method)\b/;

/** Calls that define methods by their names, and `private def …`. */
const call: Rule = (node, context) => {
  const head = context.text.slice(context.start, context.start + 24);
  if (/^private(?:_class_method)?\s*\(?\s*[a-z]/.test(head))
    return { marks: { access: "private" } };
  if (context.scope !== "type" || !methodMaker.test(head)) return null;
  const list = node.field("arguments");
  const given = list?.children().filter((each) => /^(?:simple_symbol|string)$/.test(each.kind()));
  const isList = head.startsWith("attr");
  const named = isList ? (given ?? []) : (given ?? []).slice(0, 1);
  const block = isList ? null : node.field("block");
  return {
    ...(block === null ? {} : { scope: "function" as const }),
    defines: named.map((each): Definition => {
      const name = each.text().replace(/^:?["']?|["']$/g, "");
      return {
        name,
        kind: "method",
        visibility: visibilityOf(name, context, true),
        body: block,
        ...(named.length === 1 ? {} : { node: each, signatureStart: context.start }),
        signatureEnd: "line",
      };
    }),
  };
};

const alias: Rule = (node, context) => {
  const name = node.field("name")?.text().replace(/^:/, "") ?? "";
  if (context.scope === "function" || name === "" || name.startsWith("$")) return null;
  const kind: SymbolKind = context.scope === "type" ? "method" : "function";
  const visibility = visibilityOf(name, context, true);
  return { defines: [{ name, kind, visibility, body: null }] };
};

/** Ruby. Methods that `attr_…`, `alias` and `define_method` make are methods, what `Struct.new` makes is a class. */
export const ruby: LanguageSyntax = {
  language: "ruby",
  parserName: "ruby",
  grammar: "ruby",
  ellipsis: "# ...",
  lineComment: "#",
  bodyClosing: "end",
  commentKinds: ["comment"],
  rules: {
    class: opened("class"),
    module: opened("module"),
    singleton_class: singletonClass,
    method: method(true),
    singleton_method: method(false),
    assignment,
    operator_assignment: assignment,
    call,
    alias,
  },
};

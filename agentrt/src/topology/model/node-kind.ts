import type { z } from "zod";
import type { JsonValue } from "../../core/index.ts";
import type { KindNode, TopologyNode } from "./topology.ts";
import type { SourcePath } from "../source/index.ts";

/** A key of which this build serves no value, or only some. */
export interface UnservedKey {
  /** Path from the node's settings (or the document), parts joined by dots; `*` stands for every item of a list. */
  readonly path: string;
  /** Values under which the key asks for nothing that is missing. Without it every value is unserved. */
  readonly isServed?: (value: JsonValue) => boolean;
}

/** A fault or remark of a kind about one of its nodes. */
export interface NodeFinding {
  /** The place, from the node's settings. */
  readonly path: SourcePath;
  /** What was found and what was wanted. */
  readonly message: string;
  /** The known name nearest to an unknown one. */
  readonly nearest?: string;
  /** The node the finding is about; what refers to a node that is itself faulty is not reported. */
  readonly refersTo?: string;
  /** True for a remark that refuses nothing. */
  readonly isNote?: boolean;
}

/** What a kind may ask about the rest of the tree. */
export interface TreeView {
  /** The node of that name, of whatever kind. */
  readonly find: (name: string) => TopologyNode | undefined;
  /** Names of all nodes, in file order. */
  readonly names: readonly string[];
  /** True when some agents only come to be while the tree runs. */
  readonly isDynamic: boolean;
  /** Names under which agents reach the model providers of the file. */
  readonly modelNames: readonly string[];
}

/** How `topology show` draws a node. */
export interface NodeDrawing {
  /** Marker in brackets: `dyn`, `topo`, `srv`. */
  readonly marker?: string;
  /** What is after the name, for example the class or the address. */
  readonly label: string;
}

/**
 * One kind of node, as `type:` names it. The parser knows kinds only by a table of these.
 *
 * A kind of form `class` names a user's class (by a dotted `type:`, or by `module:` and `class:`) and keeps `config:` for it; in a kind of
 * form `settings` the keys of `config:` are settings, and may as well be at node level.
 */
export interface NodeKind<Settings extends object = object> {
  readonly name: string;
  readonly form: "class" | "settings";
  /** Schema of the settings: `mapping({...})`, possibly transformed. For form `class` it holds `config` itself. */
  readonly settings: z.ZodType<Settings>;
  /** Taken when the node has no `name:`; without it a name is required. */
  readonly defaultName?: string;
  /** True for nodes that are counted as supervisors: they hold children, and messages do not go to them. */
  readonly isSupervisor?: boolean;
  /** False when this build cannot run the kind at all. */
  readonly isServed: boolean;
  readonly unservedKeys?: readonly UnservedKey[];
  /** Settings whose wrong values are in no message: people put secrets there. */
  readonly unquotedKeys?: readonly string[];
  /** Maps a list's key to the keys that identify its items. `topology diff` uses them to match items. */
  readonly itemKeys?: { readonly [listKey: string]: readonly string[] };
  /** Class paths that this build does not serve, for form `class`. */
  isTypeServed?(type: string): boolean;
  /** Names that the running node uses in addition to its own. */
  impliedNames?(name: string, settings: Settings): readonly string[];
  /** Checks what a schema cannot: references to other nodes, keys that exclude each other. */
  check?(
    node: { readonly name: string; readonly type?: string; readonly settings: Settings },
    tree: TreeView,
  ): Iterable<NodeFinding>;
  draw(node: KindNode<Settings>, settings: Settings): NodeDrawing;
}

/** A built-in plugin, as `type` of an entry under `plugins` names it. */
export interface PluginKind<Settings extends object = object> {
  readonly name: string;
  /** Schema of `config`: `mapping({...})`, possibly transformed. */
  readonly settings: z.ZodType<Settings>;
  /** The setting that is itself a plugin of the same sort, `type` and `config`. */
  readonly wrappedKey?: string;
  /** Settings whose values are in no message: they are secrets, or people put secrets there. */
  readonly secretKeys?: readonly string[];
  /** Settings whose right values are not secrets, but whose wrong ones may be: they are in no message either. */
  readonly unquotedKeys?: readonly string[];
  /** A remark on settings that are right but do less than they seem to. */
  noteOn?(settings: Settings): string | undefined;
}

/** The kinds a build knows, and the unserved keys outside the tree. */
export interface NodeKindTable {
  /** A kind named `agent` of form `class` must be among them. */
  readonly kinds: readonly NodeKind[];
  /** The built-in state stores; the `config` of any other one is its own affair. */
  readonly stateStores: readonly PluginKind[];
  /** The built-in model providers; the `config` of any other one is its own affair. */
  readonly models: readonly PluginKind[];
  /** The built-in exporters; the `config` of any other one is its own affair. */
  readonly exporters: readonly PluginKind[];
  /** Keys of `transport`, `plugins` and the other sections, from the root of the document. */
  readonly unservedKeys: readonly UnservedKey[];
}

/**
 * True for a node of a kind, whose settings are then those that the kind's schema gave.
 *
 * @param kind The kind, from the same table the topology was parsed with.
 * @param node Any node.
 */
export function isOfKind<Settings extends object>(
  kind: NodeKind<Settings>,
  node: TopologyNode,
): node is KindNode<Settings> {
  return node.kind === kind.name;
}

/**
 * Reads the settings of a node by the kind that made them.
 *
 * @param kind The kind, from the same table the topology was parsed with.
 * @param node The node.
 * @returns The settings, typed.
 * @throws TypeError when the node is of another kind: a fault of the program, not of the file.
 */
export function settingsOf<Settings extends object>(
  kind: NodeKind<Settings>,
  node: KindNode,
): Settings {
  if (!isOfKind(kind, node))
    throw new TypeError(
      `Cannot read settings of "${node.name}": it is ${node.kind}, wanted ${kind.name}`,
    );
  return node.settings;
}

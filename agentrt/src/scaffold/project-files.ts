import { scaffoldErrors } from "./errors.ts";

/** What a new project is made from. */
export interface ProjectOptions {
  /** Letters, digits and underscores, no digit first. */
  readonly name: string;
  /** Version of the runtime that the project depends on. */
  readonly version: string;
}

/** One file of a new project. */
export interface ProjectFile {
  /** Relative to the project's folder. */
  readonly path: string;
  readonly content: string;
}

const namePattern = /^[A-Za-z_][A-Za-z0-9_]*$/;
const nameLengthMax = 100;

/**
 * Makes the files of a new project. Touches no disk.
 *
 * @param options Name and version.
 * @returns The files, in the order they are listed to the user.
 * @throws AGENTRT_SCAFFOLD_BAD_NAME.
 */
export function projectFiles({ name, version }: ProjectOptions): readonly ProjectFile[] {
  if (!namePattern.test(name) || name.length > nameLengthMax)
    throw new scaffoldErrors.BAD_NAME({ name });
  if (takenNames.has(name.toLowerCase())) throw new scaffoldErrors.TAKEN_NAME({ name });
  const project = { agent: agentName(name), agentClass: className(name) };
  return [
    { path: "package.json", content: manifest(name, version) },
    { path: "topology.yaml", content: topology(project) },
    { path: "agents.ts", content: agents(project) },
    { path: "run.ts", content: run(project) },
    { path: "tsconfig.json", content: typescriptConfig },
    { path: "README.md", content: readme(name, project) },
  ];
}

/** A project that depends on itself, and words that TypeScript keeps for itself. */
const takenNames: ReadonlySet<string> = new Set(
  "agentrt node_modules break case catch class const continue debugger default delete do else enum export extends false finally for function if import in instanceof new null return super switch this throw true try typeof var void while with yield".split(
    " ",
  ),
);

/** What a new project calls its agent. */
interface AgentNames {
  readonly agent: string;
  readonly agentClass: string;
}

/**
 * Names the agent of a new project: as the project, except where a part of every project has that name.
 *
 * @param project The project's name.
 */
export function agentName(project: string): string {
  return ["web", "root"].includes(project) ? `${project}_agent` : project;
}

/** `my_shop` gives `MyShopAgent`, `greeter` gives `GreeterAgent`. */
function className(project: string): string {
  const words = project.split("_").filter((word) => word !== "");
  const name = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("");
  const first = /^\d/.test(name) || name === "" ? "My" : "";
  return `${first}${name.replace(/Agent$/, "")}Agent`;
}

function manifest(name: string, version: string): string {
  const content = {
    // A package's name has no upper case and no underscore in front.
    name: name.toLowerCase().replace(/^_+/, "") || "agents",
    version: "0.1.0",
    private: true,
    type: "module",
    scripts: {
      start: "agentrt run",
      validate: "agentrt topology validate topology.yaml",
      types: "tsc",
    },
    dependencies: { agentrt: `^${version}` },
    devDependencies: { "@types/node": "^26.0.0", typescript: "^7.0.0" },
    engines: { node: ">=24.12" },
  };
  return `${JSON.stringify(content, null, 2)}\n`;
}

const topology = ({
  agent,
  agentClass,
}: AgentNames): string => `# The supervision tree. Check it: agentrt topology validate topology.yaml
supervision:
  name: root
  strategy: ONE_FOR_ONE
  max_restarts: 3
  children:
    - agent: { name: ${agent}, type: agents.${agentClass} }

    # Answers POST /agents/${agent} with what the agent replies.
    - name: web
      type: http_gateway
      config:
        host: 127.0.0.1
        port: 8080
`;

const agents = ({
  agentClass,
}: AgentNames): string => `import { Agent, type Message } from "agentrt";

/** Greets whom the message names. What it returns is the reply. */
export class ${agentClass} extends Agent {
  override async handle(message: Message) {
    return { greeting: \`Hello, \${message.payload["name"] ?? "world"}!\` };
  }
}
`;

// As lines, so that its imports are not taken for imports of this file.
const run = ({ agent, agentClass }: AgentNames): string =>
  `${[
    'import { fileURLToPath } from "node:url";',
    'import { Runtime } from "agentrt";',
    `import { ${agentClass} } from "./agents.ts";`,
    "",
    'const topology = fileURLToPath(new URL("topology.yaml", import.meta.url));',
    "await using runtime = await Runtime.fromTopology(topology, {",
    `  typeMap: { "agents.${agentClass}": ${agentClass} },`,
    "});",
    "await runtime.start();",
    `console.log(await runtime.call("${agent}", { name: "Ada" }));`,
  ].join("\n")}\n`;

const typescriptConfig = `{
  "compilerOptions": {
    "target": "ES2024",
    "lib": ["ES2024", "ESNext.Disposable"],
    "module": "NodeNext",
    "strict": true,
    "noImplicitOverride": true,
    "erasableSyntaxOnly": true,
    "verbatimModuleSyntax": true,
    "allowImportingTsExtensions": true,
    "noEmit": true,
    "skipLibCheck": true,
    "types": ["node"]
  },
  "include": ["*.ts"]
}
`;

function readme(name: string, { agent }: AgentNames): string {
  return `# ${name}

Supervised agents. \`topology.yaml\` says which, \`agents.ts\` says what they do.

\`\`\`
agentrt run                # start what topology.yaml describes; Ctrl-C stops it
agentrt call ${agent} '{"name": "Ada"}'
curl --json '{"name": "Ada"}' localhost:8080/agents/${agent}
\`\`\`

The TypeScript runs as it is: there is no build step, and \`agentrt run\` needs nothing installed here. For your editor,
and to start the agents from a program of your own:

\`\`\`
npm install
npm run types              # check the types
node run.ts                # start, ask the agent once, stop
\`\`\`

Types are stripped, not compiled: write no \`enum\`, \`namespace\` or parameter property, and import with \`.ts\`.
`;
}

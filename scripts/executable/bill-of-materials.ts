import { createHash } from "node:crypto";
import type { EmbeddedPackage } from "./embedded-packages.ts";

/** The executable that a bill is of. */
export interface BilledExecutable {
  readonly version: string;
  /** Of the platform. */
  readonly name: string;
  readonly content: Buffer;
  readonly packages: readonly EmbeddedPackage[];
  /** Name and content of the tables that are embedded. */
  readonly tables: readonly { readonly name: string; readonly content: Buffer }[];
  /** Seconds since 1970. */
  readonly changedSeconds: number;
}

/** Writes what an executable is made of, as CycloneDX 1.6 in JSON. The same executable has the same bill. */
export function billOfMaterials(executable: BilledExecutable): string {
  const { version, name, packages, tables, changedSeconds } = executable;
  const digest = (content: Buffer): object => ({
    alg: "SHA-256",
    content: createHash("sha256").update(content).digest("hex"),
  });
  const reference = `codetool@${version}-${name}`;
  const components = [
    ...packages.map((each) => ({
      type: "library",
      "bom-ref": purlOf(each),
      ...nameOf(each),
      version: each.version,
      hashes: [{ alg: "SHA-512", content: each.sha512 }],
      licenses: [{ license: { id: each.license } }],
      purl: purlOf(each),
    })),
    ...tables.map((table) => ({
      type: "data",
      "bom-ref": table.name,
      name: table.name,
      version,
      hashes: [digest(table.content)],
      licenses: [{ license: { id: "MIT" } }],
    })),
  ];
  const bill = {
    $schema: "http://cyclonedx.org/schema/bom-1.6.schema.json",
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    serialNumber: `urn:uuid:${uuidOf(executable.content)}`,
    version: 1,
    metadata: {
      timestamp: new Date(changedSeconds * 1000).toISOString(),
      component: {
        type: "application",
        "bom-ref": reference,
        name: "codetool",
        version,
        description: `the one-file executable for ${name}`,
        hashes: [digest(executable.content)],
        licenses: [{ license: { id: "MIT" } }],
      },
    },
    components,
    dependencies: [
      { ref: reference, dependsOn: components.map((component) => component["bom-ref"]) },
    ],
  };
  return `${JSON.stringify(bill, null, 2)}\n`;
}

function nameOf({ name }: EmbeddedPackage): object {
  const [group, rest] = name.split("/");
  return rest === undefined ? { name } : { group, name: rest };
}

function purlOf({ name, version }: EmbeddedPackage): string {
  return `pkg:npm/${name.replace("@", "%40")}@${version}`;
}

/** A UUID of the form that is made from a digest (version 5). */
function uuidOf(content: Buffer): string {
  const bytes = createHash("sha256").update(content).digest().subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x50, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

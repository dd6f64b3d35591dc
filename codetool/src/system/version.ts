/** Version of codetool: the `version` of every envelope. A test holds it equal to the package's. */
export const version = "0.2.0";

/** One file of a deployment. */
export interface DeployedFile {
  /** Relative to the folder of the deployment. */
  readonly path: string;
  readonly content: string;
  /** True for a file that only its owner may read. */
  readonly isSecret?: boolean;
}

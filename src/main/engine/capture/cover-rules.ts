/** What decides about paths never seen before (LG-5); gitignore rules in practice. */
export interface CoverRules {
  ignoresDir(path: string): boolean
  ignoresFile(path: string): boolean
  /** Bytes above which a file is not stored. */
  readonly sizeLimit: number
  /** A person said that its content is not kept. */
  neverStores(path: string): boolean
}

/** Decides the coverage of paths that were never recorded (LG-5). Implemented by the ignore rules. */
export interface CoverRules {
  /** The folder is not entered. */
  ignoresDir(path: string): boolean
  /** The file is stored only up to a small size. */
  ignoresFile(path: string): boolean
  /** Bytes above which a file is not stored. */
  readonly sizeLimit: number
  /** A person excluded the content of this file. */
  neverStores(path: string): boolean
}

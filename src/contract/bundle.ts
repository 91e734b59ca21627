/** A bundle: one run in a file, to be reviewed by others (docs/bundles.md). No I/O. */

/** Of an opened bundle; what its sender wrote is not proven. */
export interface BundleInfo {
  /** Title of the run. */
  readonly title: string
  /** Name of the folder it was recorded in. */
  readonly folder: string
  /** When it was exported, ms UTC. */
  readonly exportedAt: number
  /** The bundle's file, as it was opened: an absolute path, or its name alone when it was dropped on a browser. */
  readonly file: string
  /** How many lines are masked, and how many files have no content, because they may contain a secret. */
  readonly maskedLines: number
  readonly hiddenFiles: number
}

/** A bundle that was made and waits to be fetched: what is in it, for the preview. */
export interface MadeBundle {
  readonly bundle: string
  readonly title: string
  /** Size of the file. */
  readonly bytes: number
  readonly files: number
  readonly edits: number
  readonly messages: number
  readonly comments: number
  /** Lines and files that are left out, because they may contain a secret; of the files the first few. */
  readonly maskedLines: number
  readonly hiddenFiles: number
  readonly hidden: readonly string[]
}

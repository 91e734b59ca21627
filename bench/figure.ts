/** A figure: a comparison of two sides measured in the same run, reported as rows of the table. */

export interface Setting {
  /** A real tree to measure on, or null. */
  readonly tree: string | null
  /** Fewer pairs and smaller trees: for a quick check, not for published figures. */
  readonly quick: boolean
  /** Files of the generated trees to measure on. */
  readonly sizes: readonly number[]
  /** A generated tree with this number of files, written at least 2 s ago. */
  generated(files: number): Promise<string>
  /** A new empty folder; it is removed at the end. */
  folder(name: string): string
  log(sentence: string): void
}

export interface Row {
  readonly figure: string
  /** The measured tree or number of rounds. */
  readonly on: string
  readonly ours: string
  readonly theirs: string
  /** Ours / theirs, or ours alone, as compared with `target`. */
  readonly result: string
  readonly target: string
  /** Null for a row without a target. */
  readonly reached: boolean | null
  readonly note: string
  /** The raw numbers: seconds, bytes, ratios. */
  readonly numbers: Readonly<Record<string, number | readonly number[]>>
}

export interface Figure {
  /** For `--only`. */
  readonly name: string
  measure(setting: Setting): Promise<Row[]>
}

/** What a figure is: one question with both sides measured in the same run, answered as rows of the table. */

export interface Setting {
  /** A real tree to measure on, or null. */
  readonly tree: string | null
  /** Fewer pairs and smaller trees: to see that it works, not to quote. */
  readonly quick: boolean
  /** Files of the generated trees to measure on. */
  readonly sizes: readonly number[]
  /** A generated tree of so many files, written at least 2 s ago. */
  generated(files: number): Promise<string>
  /** A fresh empty folder that is removed at the end. */
  folder(name: string): string
  say(sentence: string): void
}

export interface Row {
  readonly figure: string
  /** What it was measured on. */
  readonly on: string
  readonly ours: string
  readonly theirs: string
  /** Ours / theirs, or ours alone, as compared with `wanted`. */
  readonly result: string
  readonly wanted: string
  /** null = only reported. */
  readonly reached: boolean | null
  readonly note: string
  /** The figures behind the words: seconds, bytes, ratios. */
  readonly numbers: Readonly<Record<string, number | readonly number[]>>
}

export interface Figure {
  /** For `--only`. */
  readonly name: string
  measure(setting: Setting): Promise<Row[]>
}

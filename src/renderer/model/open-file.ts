/** Which file's history is open, and how it is shown. */

/**
 * `lines`: who wrote each line now; `change`: what a version changed; `since`: what changed after it; `text`: the
 * version.
 */
export const HISTORY_VIEWS = ['lines', 'change', 'since', 'text'] as const
export type HistoryView = (typeof HISTORY_VIEWS)[number]

export interface OpenFile {
  readonly path: string
  /** null until the versions are loaded; then the newest one is selected. */
  readonly seq: number | null
  readonly view: HistoryView
}

/** The remembered layout of diffs: inline, split, or by the width of the pane. */

export type LayoutPreference = 'auto' | 'inline' | 'split'

const KEY = 'driftline.diff.view'
/** Minimum pane width for the split view in `auto`, px. */
const SPLIT_FROM_PX = 900

export function loadLayoutPreference(): LayoutPreference {
  const value = localStorage.getItem(KEY)
  return value === 'inline' || value === 'split' ? value : 'auto'
}

export function saveLayoutPreference(choice: LayoutPreference): void {
  localStorage.setItem(KEY, choice)
}

/** Whether two columns are shown, by choice or because there is room. */
export function usesSplitView(choice: LayoutPreference, width: number): boolean {
  return choice === 'auto' ? width >= SPLIT_FROM_PX : choice === 'split'
}

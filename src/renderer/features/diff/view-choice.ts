/** How a person likes to read diffs; remembered. */

export type ViewChoice = 'auto' | 'inline' | 'split'

const KEY = 'driftline.diff.view'
/** Below this width of the pane, Split is not the default (UI.md, mock note 4). */
const SPLIT_FROM_PX = 900

export function rememberedView(): ViewChoice {
  const value = localStorage.getItem(KEY)
  return value === 'inline' || value === 'split' ? value : 'auto'
}

export function rememberView(choice: ViewChoice): void {
  localStorage.setItem(KEY, choice)
}

/** True when two columns are shown: by choice, or because there is room for them. */
export function isSplit(choice: ViewChoice, width: number): boolean {
  return choice === 'auto' ? width >= SPLIT_FROM_PX : choice === 'split'
}

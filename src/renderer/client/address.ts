/**
 * The address of what is shown, in the page's fragment: `#open=<workspace>&entry=<timeline entry>&file=<path>`, and
 * `&history=<view>` while the history of the file is open, `&settings=<page>` while the settings are, `&filter=<choices>`
 * while the timeline is filtered, `&review=<session>` while a review is open, `&compare=<timeline entry>` while the entry is
 * compared with another, `&replay=<range>@<position>` while a replay is open. Back and Forward move between entries, comparisons,
 * workspaces, histories, replays, reviews and settings; a reload shows the same again.
 */

/** Empty strings where nothing is chosen. */
export interface Address {
  readonly open: string
  readonly entry: string
  readonly file: string
  /** How the history of the file is shown; "" while it is closed. */
  readonly history: string
  /** The page of the settings; "" while they are closed. */
  readonly settings: string
  /** What the timeline shows, as `filterToText` writes it; "" for everything. */
  readonly filter: string
  /** The session whose review is open; "" while none is. */
  readonly review: string
  /** The entry that the chosen one is compared with; "" for none. */
  readonly compare: string
  /** The open replay with its position, as `replayToText` writes it; "" while none is. */
  readonly replay: string
}

export const NO_ADDRESS: Address = {
  open: '',
  entry: '',
  file: '',
  history: '',
  settings: '',
  filter: '',
  review: '',
  compare: '',
  replay: ''
}

export function readAddress(hash = location.hash): Address {
  const params = new URLSearchParams(hash.replace(/^#/, ''))
  const value = (key: keyof Address) => params.get(key) ?? ''
  return {
    open: value('open'),
    entry: value('entry'),
    file: value('file'),
    history: value('history'),
    settings: value('settings'),
    filter: value('filter'),
    review: value('review'),
    compare: value('compare'),
    replay: value('replay')
  }
}

/** The fragment of an address, with `#`; "" without a choice. */
export function fragmentOf(address: Address): string {
  const isShown = (key: string): boolean => key === 'open' || key === 'settings' || address.open !== ''
  const chosen = Object.entries(address).filter(([key, value]) => value !== '' && isShown(key))
  return chosen.length > 0 ? `#${new URLSearchParams(chosen)}` : ''
}

/**
 * Shows an address. Another workspace, entry or comparison, and a history or settings that open or close, are steps for
 * Back, unless `replace`; the first entry of a workspace, another file and another page of the settings are none.
 */
export function showAddress(next: Address, { replace = false } = {}): void {
  const now = readAddress()
  if (Object.entries(next).every(([key, value]) => now[key as keyof Address] === value)) return
  const isStep =
    now.open !== next.open ||
    (now.entry !== '' && now.entry !== next.entry) ||
    (now.history === '') !== (next.history === '') ||
    (now.settings === '') !== (next.settings === '') ||
    (now.replay === '') !== (next.replay === '') ||
    (now.review === '') !== (next.review === '') ||
    now.compare !== next.compare
  const change = isStep && !replace ? history.pushState : history.replaceState
  change.call(history, null, '', location.pathname + location.search + fragmentOf(next))
}

/** Calls `show` with the address after Back, Forward or a typed fragment. Returns the function that ends this. */
export function onAddress(show: (address: Address) => void): () => void {
  const changed = (): void => show(readAddress())
  window.addEventListener('popstate', changed)
  return () => window.removeEventListener('popstate', changed)
}

/**
 * The keys of the panes. Each key names the pane's own action; null: the list, the field or the dialog in it handles
 * the key (ui/list-keys.ts). The command table lists the commands that have a title.
 */
import { type KeyPress, matchesKeys } from '../ui/keys.ts'

export interface PaneCommand {
  readonly id: string
  /** null: an alternative that the help sheet does not list. */
  readonly title: string | null
  readonly keys: Readonly<Record<string, string | null>>
  /** The other host does not have it. */
  readonly onlyIn?: 'electron' | 'browser'
  /** Of the diff on screen: its keys work from every pane, and the palette offers it. */
  readonly isView?: true
}

const ROW_MENU = { id: 'row-menu', title: null, keys: { ContextMenu: 'menu' } } as const

export const PANE_COMMANDS = {
  timeline: [
    {
      id: 'move',
      title: 'Move selection; hold Shift to compare two entries',
      keys: { ArrowUp: null, ArrowDown: null, J: null, K: null }
    },
    { id: 'fold', title: 'Collapse or expand a run', keys: { ArrowLeft: null, ArrowRight: null } },
    { id: 'ends', title: 'First or last row; type to jump', keys: { Home: null, End: 'end' } },
    { id: 'enter-files', title: 'Go to changed files', keys: { Enter: 'enter' } },
    { id: 'search-filter', title: 'Search messages and changes for the filter text', keys: { 'Mod+Enter': null } },
    { id: 'row-actions', title: 'Open row menu', keys: { 'Shift+F10': 'menu' } },
    { id: 'select', title: null, keys: { Space: 'select', Escape: 'clear' } },
    ROW_MENU
  ],
  files: [
    { id: 'viewed', title: 'Keep file and go to next', keys: { Space: 'toggle-reviewed', 'Shift+Alt+Y': 'keep' } },
    {
      id: 'select-files',
      title: 'Select all files; Shift and Ctrl select several',
      keys: { 'Mod+A': 'select-all' }
    },
    { id: 'restore-file', title: 'Undo this file…', keys: { R: 'restore', 'Shift+Alt+Z': 'restore' } },
    { id: 'open-editor', title: 'Open in editor', keys: { O: 'editor' } },
    { id: 'reveal', title: 'Show in folder', keys: { 'Shift+O': 'reveal' }, onlyIn: 'electron' },
    { id: 'file-versions', title: 'History of this file', keys: { H: 'versions' } },
    { id: 'step-file', title: 'Previous or next file', keys: { '[': 'prev-file', ']': 'next-file' } },
    { id: 'tree-list', title: 'Toggle tree or list', keys: { T: 'mode' } },
    { id: 'files-filter', title: 'Filter files', keys: { '/': 'filter' } },
    { id: 'enter-diff', title: 'Go to diff', keys: { Enter: 'open-diff' } },
    { id: 'files-back', title: 'Back to timeline', keys: { Escape: null } },
    { id: 'copy-path', title: 'Copy path; full path', keys: { 'Mod+C': 'copy', 'Shift+Alt+C': 'copy-full' } },
    { id: 'file-menu', title: null, keys: { 'Shift+F10': 'menu' } },
    ROW_MENU
  ],
  conversation: [
    { id: 'message-move', title: 'Move selection', keys: { ArrowUp: null, ArrowDown: null, J: null, K: null } },
    { id: 'message-prompts', title: 'Previous or next prompt', keys: { '[': 'previous-prompt', ']': 'next-prompt' } },
    { id: 'message-details', title: 'Show or hide tool call details', keys: { ArrowRight: 'show', ArrowLeft: 'hide' } },
    { id: 'message-turn', title: 'Go to the turn’s changes', keys: { Enter: 'open-turn' } },
    { id: 'message-find', title: 'Find in conversation', keys: { '/': 'find' } },
    { id: 'message-comment', title: 'Comment on this message', keys: { C: 'comment' } },
    { id: 'message-restore', title: 'Restore to here…', keys: { R: 'restore' } },
    { id: 'message-back', title: 'Back to timeline', keys: { Escape: null } },
    { id: 'message-toggle', title: null, keys: { Space: 'toggle' } },
    { id: 'message-copy', title: null, keys: { 'Mod+C': 'copy' } },
    { id: 'message-menu', title: null, keys: { 'Shift+F10': 'menu' } },
    ROW_MENU
  ],
  diff: [
    {
      id: 'next-change',
      title: 'Next change, across files',
      keys: { 'Alt+ArrowDown': 'next-change', 'Alt+F5': 'next-change' },
      isView: true
    },
    {
      id: 'previous-change',
      title: 'Previous change',
      keys: { 'Alt+ArrowUp': 'previous-change', 'Shift+Alt+F5': 'previous-change' },
      isView: true
    },
    {
      id: 'accessible-next',
      title: 'Accessible diff viewer',
      keys: { F7: 'viewer-next', 'Shift+F7': 'viewer-previous' }
    },
    { id: 'split', title: 'Split or inline', keys: { 'Alt+S': 'split' }, isView: true },
    {
      id: 'whitespace',
      title: 'Ignore indentation and trailing whitespace, or show it',
      keys: { 'Alt+W': 'whitespace' },
      isView: true
    },
    {
      id: 'all-whitespace',
      title: 'Ignore all whitespace, or show it',
      keys: { 'Shift+Alt+W': 'all-whitespace' },
      isView: true
    },
    { id: 'unchanged', title: 'Show or hide unchanged lines', keys: { 'Alt+U': 'unchanged' }, isView: true },
    {
      id: 'more-lines',
      title: 'Show more unchanged lines around a change',
      keys: { 'Alt+E': 'more-lines' },
      isView: true
    },
    { id: 'wrap', title: 'Wrap long lines or not', keys: { 'Alt+L': 'wrap' }, isView: true },
    { id: 'step-file-diff', title: 'Previous or next file', keys: { '[': 'previous-file', ']': 'next-file' } },
    { id: 'diff-back', title: 'Back to changed files', keys: { Escape: null } }
  ],
  replay: [
    { id: 'replay-toggle', title: 'Play or pause', keys: { Space: 'toggle' } },
    {
      id: 'replay-step',
      title: 'Previous or next edit; hold Shift for ten',
      keys: {
        ArrowLeft: 'previous',
        ArrowRight: 'next',
        'Shift+ArrowLeft': 'many-previous',
        'Shift+ArrowRight': 'many-next'
      }
    },
    {
      id: 'replay-play',
      title: 'Play backwards, pause, play; again: faster',
      keys: { J: 'backwards', K: 'pause', L: 'forwards' }
    },
    {
      id: 'replay-marks',
      title: 'Previous or next prompt, test or outside change',
      keys: { '[': 'previous-mark', ']': 'next-mark' }
    },
    { id: 'replay-ends', title: 'Start or end', keys: { Home: 'first', End: 'last' } },
    { id: 'replay-leave', title: 'Leave the replay', keys: { Escape: null } }
  ],
  dialogs: [
    { id: 'preview-side', title: 'Show another side of a conflict', keys: { V: 'next-side' } },
    { id: 'confirm', title: 'Confirm; the only key that starts a restore', keys: { 'Mod+Enter': 'confirm' } },
    { id: 'undo-outcome', title: 'Undo the restore whose result is shown', keys: { 'Mod+Z': 'undo' } },
    { id: 'close', title: 'Close a dialog; clear a filter', keys: { Escape: null } }
  ]
} as const satisfies Readonly<Record<string, readonly PaneCommand[]>>

export type KeyedPane = keyof typeof PANE_COMMANDS
/** What changes how the diff is shown. */
export type DiffView = Extract<(typeof PANE_COMMANDS)['diff'][number], { isView: true }>['id']
type ValueOf<T> = T extends unknown ? T[keyof T] : never
export type PaneAction<P extends KeyedPane> = Exclude<ValueOf<(typeof PANE_COMMANDS)[P][number]['keys']>, null>

/** What a key does in a pane, null if the pane has no action for it. `letters`: whether single letters are on. */
export function paneAction<P extends KeyedPane>(
  pane: P,
  press: KeyPress,
  letters: boolean,
  mac?: boolean
): PaneAction<P> | null {
  for (const { keys } of PANE_COMMANDS[pane]) {
    for (const [key, action] of Object.entries(keys)) {
      if (action !== null && (letters || !isLetterKey(key)) && matchesKeys(key, press, mac))
        return action as PaneAction<P>
    }
  }
  return null
}

/**
 * Whether the key is a single character, with or without Shift: speech input may type it by accident, so WCAG 2.1.4
 * requires a switch.
 */
export function isLetterKey(keys: string): boolean {
  return /^(Shift\+)?.$/u.test(keys)
}

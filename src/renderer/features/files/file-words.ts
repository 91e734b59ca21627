/** The words of a changed file: its letter, flags, note, and its row as one sentence for screen readers. Pure. */
import type { ChangeKind, FileChange } from '../../../contract/diff.ts'
import type { IconName } from '../../ui/icon.tsx'
import { NOT_STORED_WORDS } from './not-stored.ts'
import { visibleName } from './visible-name.ts'

export type Letter = 'A' | 'M' | 'D' | 'R' | '?'

const CHANGE_LETTERS: Readonly<Record<ChangeKind, Letter>> = {
  added: 'A',
  deleted: 'D',
  modified: 'M',
  renamed: 'R',
  mode: 'M',
  type: '?'
}
const CHANGE_WORDS: Readonly<Record<ChangeKind, string>> = {
  added: 'added',
  deleted: 'deleted',
  modified: 'modified',
  renamed: 'renamed',
  mode: 'permissions changed',
  type: 'kind changed'
}

export interface Flag {
  readonly icon: IconName
  readonly label: string
}

export function letterOf(change: ChangeKind): Letter {
  return CHANGE_LETTERS[change]
}

/** CSS class of a letter: `.st.A`; `.st.q` for the question mark. */
export function letterClass(letter: Letter): string {
  return letter === '?' ? 'st q' : `st ${letter}`
}

/** Folder (with its slash, "" at the root) and name of a path, with invisible characters spelled out. */
export function splitPath(path: string): { readonly folder: string; readonly name: string } {
  const cut = path.lastIndexOf('/') + 1
  return { folder: visibleName(path.slice(0, cut)), name: visibleName(path.slice(cut)) }
}

/** A count with its noun: "1 file", "1,204 files". */
export function count(n: number, noun: string): string {
  return `${n.toLocaleString('en-US')} ${noun}${n === 1 ? '' : 's'}`
}

/** Flags of a file, most important first. `allInferred`: a command changed every file of the list, so none is flagged for it. */
export function flagsOf(file: FileChange, allInferred = false): readonly Flag[] {
  const flags: Flag[] = []
  if (file.notStored) flags.push({ icon: 'none', label: NOT_STORED_WORDS[file.notStored].title })
  if (file.secret) flags.push({ icon: 'lock', label: 'Looks like secrets; masked' })
  if (file.interleaved) flags.push({ icon: 'drift', label: 'Also edited outside during this run' })
  if (file.attribution === 'inferred' && !allInferred) flags.push({ icon: 'inferred', label: 'Changed by a command' })
  if (file.attribution === 'shared') flags.push({ icon: 'shared', label: 'Changed while two runs were open' })
  return flags
}

/** A short note shown instead of line counts, "" to show the counts. */
export function fileNote(file: FileChange): string {
  if (file.takenBack) return 'undone'
  if (file.notStored) return 'not stored'
  if (file.kind === 'text') return file.change === 'mode' ? 'mode' : ''
  return file.kind === 'symlink' ? 'link' : file.kind === 'dir' ? 'folder' : file.kind
}

/** A row as a sentence, e.g. "total.ts, modified, 23 lines added, 8 deleted, reviewed." */
export function fileSentence(file: FileChange, reviewed: boolean, writing = false): string {
  const parts = [splitPath(file.path).name, CHANGE_WORDS[file.change]]
  if (file.oldPath) parts.push(`from ${visibleName(file.oldPath)}`)
  if (writing) parts.push('being written')
  const note = fileNote(file)
  if (note && note !== 'mode' && !file.notStored) parts.push(note)
  if (file.kind === 'text' && file.counted && !file.notStored && !file.takenBack) {
    if (file.added) parts.push(`${count(file.added, 'line')} added`)
    if (file.deleted)
      parts.push(`${file.added ? file.deleted.toLocaleString('en-US') : count(file.deleted, 'line')} deleted`)
  }
  for (const flag of flagsOf(file)) parts.push(flag.label.charAt(0).toLowerCase() + flag.label.slice(1))
  if (reviewed) parts.push('reviewed')
  return `${parts.join(', ')}.`
}

/** What a changed file is called: its letter, its flags and the sentence a screen reader speaks. */
import type { ChangeKind, FileChange } from '../../../contract/diff.ts'
import type { NotStoredReason } from '../../../contract/log.ts'
import type { IconName } from '../../ui/icon.tsx'
import { visibleName } from './visible-name.ts'

export type Letter = 'A' | 'M' | 'D' | 'R' | '?'

const LETTER: Readonly<Record<ChangeKind, Letter>> = {
  added: 'A',
  deleted: 'D',
  modified: 'M',
  renamed: 'R',
  mode: 'M',
  type: '?'
}
const WORD: Readonly<Record<ChangeKind, string>> = {
  added: 'added',
  deleted: 'deleted',
  modified: 'modified',
  renamed: 'renamed',
  mode: 'permissions changed',
  type: 'kind changed'
}

export const NOT_KEPT: Readonly<Record<NotStoredReason, string>> = {
  'too-large': 'it is over the size limit',
  unreadable: 'it could not be read',
  changing: 'it kept changing while it was read',
  ignored: 'git ignores it',
  never: 'on your never-keep list',
  special: 'it is a device, pipe or socket',
  name: 'its name cannot be written as text',
  workspace: 'it belongs to a folder of its own: recorded separately, or a git worktree',
  pending: 'the first copy had not reached it',
  pruned: 'it was let go of: past the limits set for the history, or on the never-keep list'
}

export interface Flag {
  readonly icon: IconName
  readonly label: string
}

export function letterOf(change: ChangeKind): Letter {
  return LETTER[change]
}

/** CSS class of a letter: `.st.A`, `.st.q` for the question mark. */
export function letterClass(letter: Letter): string {
  return letter === '?' ? 'st q' : `st ${letter}`
}

/** Folder with its slash ("" at the root) and name of a path, both as they can be shown. */
export function splitPath(path: string): { readonly folder: string; readonly name: string } {
  const cut = path.lastIndexOf('/') + 1
  return { folder: visibleName(path.slice(0, cut)), name: visibleName(path.slice(cut)) }
}

/** A count with its noun: "1 file", "1,204 files". */
export function count(n: number, noun: string): string {
  return `${n.toLocaleString('en-US')} ${noun}${n === 1 ? '' : 's'}`
}

/** Everything special about a file, most telling first. `quiet`: every file here is by a command, so none is special. */
export function flagsOf(file: FileChange, quiet = false): readonly Flag[] {
  const flags: Flag[] = []
  if (file.notStored) flags.push({ icon: 'none', label: `Not kept: ${NOT_KEPT[file.notStored]}` })
  if (file.secret) flags.push({ icon: 'lock', label: 'Looks like secrets: masked' })
  if (file.interleaved) flags.push({ icon: 'drift', label: 'Also edited outside during this run' })
  if (file.attribution === 'inferred' && !quiet) flags.push({ icon: 'inferred', label: 'Changed by a command' })
  if (file.attribution === 'shared') flags.push({ icon: 'shared', label: 'Two runs were open: shared' })
  return flags
}

/** The short word that stands where counts would, "" when there are counts. */
export function noteOf(file: FileChange): string {
  if (file.takenBack) return 'taken back'
  if (file.notStored) return 'not kept'
  if (file.kind === 'text') return file.change === 'mode' ? 'mode' : ''
  return file.kind === 'symlink' ? 'link' : file.kind === 'dir' ? 'folder' : file.kind
}

/** A row as a sentence, e.g. "total.ts, modified, 23 lines added, 8 deleted, viewed." */
export function sentenceOf(file: FileChange, viewed: boolean, writing = false): string {
  const parts = [splitPath(file.path).name, WORD[file.change]]
  if (file.oldPath) parts.push(`from ${visibleName(file.oldPath)}`)
  if (writing) parts.push('being written')
  const note = noteOf(file)
  if (note && note !== 'mode' && !file.notStored) parts.push(note)
  if (file.kind === 'text' && file.counted && !file.notStored && !file.takenBack) {
    if (file.added) parts.push(`${count(file.added, 'line')} added`)
    if (file.deleted)
      parts.push(`${file.added ? file.deleted.toLocaleString('en-US') : count(file.deleted, 'line')} deleted`)
  }
  for (const flag of flagsOf(file)) parts.push(flag.label.charAt(0).toLowerCase() + flag.label.slice(1))
  if (viewed) parts.push('viewed')
  return `${parts.join(', ')}.`
}

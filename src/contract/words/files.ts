/** The words of a changed file: its letter, flags, note, and its row as one sentence for screen readers. Pure. */
import type { ChangeKind, FileChange } from '../diff.ts'
import { notStoredTitle } from './excluded.ts'
import { formatNumber, plural } from './numbers.ts'
import { splitPath, visibleName } from './paths.ts'

export type Letter = 'A' | 'M' | 'D' | 'R' | '?'

const CHANGES: Readonly<Record<ChangeKind, { readonly letter: Letter; readonly words: string }>> = {
  added: { letter: 'A', words: 'added' },
  deleted: { letter: 'D', words: 'deleted' },
  modified: { letter: 'M', words: 'modified' },
  renamed: { letter: 'R', words: 'renamed' },
  mode: { letter: 'M', words: 'permissions changed' },
  type: { letter: '?', words: 'kind changed' }
}

export interface Flag {
  readonly code: 'not-stored' | 'secret' | 'interleaved' | 'inferred' | 'shared'
  readonly label: string
}

export function letterOf(change: ChangeKind): Letter {
  return CHANGES[change].letter
}

/**
 * Flags of a file, most important first. `allInferred`: a command changed every file of the list, so none is flagged
 * for it.
 */
export function flagsOf(file: FileChange, allInferred = false): readonly Flag[] {
  const flags: Flag[] = []
  if (file.notStored) flags.push({ code: 'not-stored', label: notStoredTitle(file.notStored) })
  if (file.secret) flags.push({ code: 'secret', label: 'Looks like secrets; masked' })
  if (file.interleaved) flags.push({ code: 'interleaved', label: 'Also edited outside during this run' })
  if (file.attribution === 'inferred' && !allInferred) flags.push({ code: 'inferred', label: 'Changed by a command' })
  if (file.attribution === 'shared') flags.push({ code: 'shared', label: 'Changed while two runs were open' })
  return flags
}

/** A short note shown instead of line counts, "" to show the counts. */
export function fileNote(file: FileChange): string {
  if (file.undoneBy) return 'undone'
  if (file.notStored) return 'not stored'
  if (file.kind === 'text') return file.change === 'mode' ? 'mode' : ''
  return file.kind === 'symlink' ? 'link' : file.kind === 'dir' ? 'folder' : file.kind
}

/** "All 6 files reviewed", "1 of 1 reviewed": without a full stop. */
export function allReviewed(files: number): string {
  return files === 1 ? '1 of 1 reviewed' : `All ${plural(files, 'file')} reviewed`
}

/** A row as a sentence, e.g. "total.ts, modified, 23 lines added, 8 deleted, reviewed." */
export function fileSentence(file: FileChange, reviewed: boolean, writing = false, comments = 0): string {
  const parts = [splitPath(file.path).name, CHANGES[file.change].words]
  if (file.oldPath) parts.push(`from ${visibleName(file.oldPath)}`)
  if (writing) parts.push('being written')
  const note = fileNote(file)
  if (note && note !== 'mode' && !file.notStored) parts.push(note)
  if (file.kind === 'text' && file.counted && !file.notStored && !file.undoneBy) {
    if (file.added) parts.push(`${plural(file.added, 'line')} added`)
    if (file.deleted) parts.push(`${file.added ? formatNumber(file.deleted) : plural(file.deleted, 'line')} deleted`)
  }
  for (const flag of flagsOf(file)) parts.push(flag.label.charAt(0).toLowerCase() + flag.label.slice(1))
  if (comments > 0) parts.push(plural(comments, 'unresolved comment'))
  if (reviewed) parts.push('reviewed')
  return `${parts.join(', ')}.`
}

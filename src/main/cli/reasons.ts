/** Why something is not protected, in words for a list. */
import type { NotStoredReason } from '../../contract/log.ts'

const WORDS: Readonly<Record<NotStoredReason, string>> = {
  'too-large': 'too large',
  unreadable: 'could not be read',
  changing: 'kept changing while it was read',
  ignored: 'ignored',
  never: 'on the never-keep list',
  special: 'not a file, folder or link',
  name: 'its name is not valid UTF-8',
  workspace: 'a folder of its own: recorded separately, or a git worktree',
  pending: 'not copied yet',
  pruned: 'given back to save space'
}

export function reasonWords(reason: NotStoredReason): string {
  return WORDS[reason] ?? reason
}

/** Why content is not stored: a title and an explanation for each reason. */
import type { NotStoredReason } from '../../contract/log.ts'

export const EXCLUDED_REASONS: Readonly<
  Record<NotStoredReason, { readonly title: string; readonly explanation: string }>
> = {
  'too-large': {
    title: 'Over the size limit',
    explanation: 'Their contents are not copied, so they cannot be restored. The files on disk are untouched.'
  },
  unreadable: {
    title: 'Not readable',
    explanation: 'Driftline has no permission to read them. Allow reading, then check again.'
  },
  changing: {
    title: 'Changing while read',
    explanation: 'They changed three times while being read. The next check tries again.'
  },
  ignored: {
    title: 'Ignored',
    explanation: 'Folders that git ignores, and folders such as node_modules, are not copied.'
  },
  never: {
    title: 'On your exclude list',
    explanation: 'Their contents are not copied, as you chose. Changes are still listed.'
  },
  special: { title: 'Not files', explanation: 'Sockets, pipes and devices are never opened.' },
  name: { title: 'Names that are not text', explanation: 'Names that are not valid UTF-8 are not covered.' },
  workspace: {
    title: 'Separate folders',
    explanation: 'Each has its own history once it is recorded. A git worktree that is not recorded yet can be added.'
  },
  pending: {
    title: 'Not copied yet',
    explanation: 'The initial snapshot has not reached them. Files are copied before they change.'
  },
  pruned: {
    title: 'Removed to save space',
    explanation: 'Their contents were removed because of the history limits or the exclude list.'
  }
}

/** Why a file's content is not kept, as people read it. */
import type { NotStoredReason } from '../../contract/log.ts'

export const NOT_KEPT: Readonly<Record<NotStoredReason, { readonly title: string; readonly what: string }>> = {
  'too-large': {
    title: 'Over the size limit',
    what: 'Their contents are not copied, so they cannot be restored. The files on disk are untouched.'
  },
  unreadable: {
    title: 'Not readable',
    what: 'Driftline has no permission to read them. Allow reading, then check again.'
  },
  changing: {
    title: 'Changing while read',
    what: 'They changed three times while being read. They are tried again at the next check.'
  },
  ignored: {
    title: 'Ignored',
    what: 'Folders that git ignores, and ones such as node_modules, are not copied.'
  },
  never: {
    title: 'On your never-keep list',
    what: 'You said that their contents are not copied. That they change is noted all the same.'
  },
  special: { title: 'Not files', what: 'Sockets, pipes and devices are never opened.' },
  name: { title: 'Names that are not text', what: 'Names that are not valid UTF-8 are not covered.' },
  workspace: {
    title: 'Folders of their own',
    what: 'Each has a history of its own once it is recorded. A git worktree that is not yet can be added.'
  },
  pending: {
    title: 'Not copied yet',
    what: 'The first copy has not reached them. A file about to be changed goes first.'
  },
  pruned: {
    title: 'Cleared',
    what: 'Contents that were let go of: past the limits set for the history, or on the never-keep list.'
  }
}

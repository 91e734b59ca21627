/** Why the content of a file is not there, what that means, and what would help (UI-1). */
import type { NotStoredReason } from '../../../contract/log.ts'

interface Words {
  readonly title: string
  readonly remedy: string
}

export const NOT_KEPT_WORDS: Readonly<Record<NotStoredReason, Words>> = {
  'too-large': {
    title: 'Not kept: the file is over the size limit',
    remedy: 'Larger files are listed and not kept. Settings, Capture raises the limit; a smaller version is kept again.'
  },
  unreadable: {
    title: 'Not kept: the file could not be read',
    remedy: 'Give your user the right to read it; the next change is then kept.'
  },
  changing: {
    title: 'Not kept: the file kept changing while it was read',
    remedy: 'It is read again after the next change, when whatever writes it pauses.'
  },
  ignored: {
    title: 'Not kept: git ignores the file',
    remedy: 'Ignored folders and ignored files over 5 MB are not kept. Stop ignoring it to keep the next version.'
  },
  never: {
    title: 'Not kept: on your never-keep list',
    remedy: 'Settings, Capture holds the list. Take it off there to keep the next version.'
  },
  special: {
    title: 'Not kept: this is a device, pipe or socket',
    remedy: 'Such files hold no content that could be kept.'
  },
  name: {
    title: 'Not kept: the name cannot be written as text',
    remedy: 'Rename the file to have it kept.'
  },
  workspace: {
    title: 'Not kept here: it belongs to another recorded folder',
    remedy: 'Open that folder to see its history.'
  },
  pending: {
    title: 'Not kept: the first copy had not reached this file yet',
    remedy: 'Versions after the first copy are kept.'
  },
  pruned: {
    title: 'No longer kept: let go of',
    remedy: 'Either the history was past the limits set for it, or the file is on the never-keep list.'
  }
}

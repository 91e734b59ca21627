/** Restores that wait for the end of a turn, as sentences. Pure. */
import type { QueuedRestore } from '../restore.ts'
import { plural } from './numbers.ts'
import { dialogTitle } from './restores.ts'
import { listSome } from './text.ts'

/** "Undo “add tax”". */
export function queuedTitle({ request, title, targetAt }: QueuedRestore): string {
  return dialogTitle(request, { title, targetAt })
}

/** Why it was not applied; "" while it waits for the turn. */
export function heldText({ held }: QueuedRestore): string {
  switch (held?.code) {
    case undefined:
      return ''
    case 'conflicts':
      return `${plural(held.count, 'file')} changed meanwhile and ${held.count === 1 ? 'needs' : 'need'} a decision: ${listSome(held.paths, 3, held.count)}.`
    case 'other-target':
      return 'Another restore was made meanwhile, so this would revert that one.'
    case 'refused':
      return held.message
  }
}

/** After it was applied. */
export function queuedDoneText(queued: QueuedRestore, isWhole: boolean, files: number): string {
  const count = files === 0 ? 'nothing to change' : plural(files, 'file')
  return `The turn ended. ${queuedTitle(queued)}: ${isWhole ? 'done' : 'partly done'}, ${count}.`
}

/** What a restore came to, as one sentence for the message that follows it. Pure. */
import type { Act, RestoreResult } from '../../../contract/restore.ts'
import { baseName, plural } from '../../ui/format.ts'
import { restoredWords } from '../restore/talk-words.ts'

/** `act` is null where it is not known any more. */
export function outcomeWords(result: RestoreResult, act: Act | null): string {
  const done = result.items.filter((item) => item.result === 'done' && item.action !== 'keep').length
  const files = restoredWords(done, result)
  switch (result.state) {
    case 'done':
      return doneWords(act, files)
    case 'partial':
      return `Restored ${done} of ${plural(result.items.length, 'file')}. Everything that was on disk is kept.`
    case 'nothing-to-do':
      return 'Nothing to restore: the files already are that way.'
    case 'refused':
      return result.refusal || 'Refused. Nothing was written.'
    case 'failed':
      return 'The restore failed. Everything that was on disk is kept.'
    case 'interrupted':
      return 'The restore stopped half way. Finish it or undo it.'
  }
}

function doneWords(act: Act | null, files: string): string {
  switch (act?.kind) {
    case 'undo':
      return `Undid the restore of ${files}`
    case 'redo':
      return `Redid the restore of ${files}`
    case 'drift':
      return `Put back ${changes(act) ?? files}`
    case 'undo-run':
      return `Took back ${changes(act) ?? files}`
    default:
      return `Restored ${files}`
  }
}

/** "1 change in total.ts", where single changes of one file were asked for. */
function changes({ hunks }: Extract<Act, { kind: 'undo-run' | 'drift' }>): string | null {
  const [only, ...more] = Object.entries(hunks ?? {})
  return only && more.length === 0 ? `${plural(only[1].length, 'change')} in ${baseName(only[0])}` : null
}

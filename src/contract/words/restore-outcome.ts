/** The result of a restore as one sentence for its toast. Pure. */

import type { RestoreRequest, RestoreResult } from '../restore.ts'
import { restoredText } from './conversation.ts'
import { plural } from './numbers.ts'
import { baseName } from './paths.ts'
import { NOTHING_TO_RESTORE } from './restore-dialog.ts'

/** `request` is null if it is no longer known. */
export function outcomeText(result: RestoreResult, request: RestoreRequest | null): string {
  const done = result.items.filter((item) => item.result === 'done' && item.action !== 'keep').length
  switch (result.state) {
    case 'done':
      return successText(request, restoredText(done, result))
    case 'partial':
      return `Restored ${done} of ${plural(result.items.length, 'file')}. The previous versions are saved.`
    case 'nothing-to-do':
      return NOTHING_TO_RESTORE
    case 'refused':
      return result.refusal || 'The restore was refused. Nothing was written.'
    case 'failed':
      return 'The restore failed. The previous versions are saved.'
    case 'interrupted':
      return 'The restore was interrupted. Finish it or undo it.'
  }
}

function successText(request: RestoreRequest | null, files: string): string {
  switch (request?.kind) {
    case 'undo':
      return `Undid the restore of ${files}`
    case 'redo':
      return `Redid the restore of ${files}`
    case 'drift':
      return `Undid ${hunksText(request) ?? `outside changes in ${files}`}`
    case 'undo-run':
      return `Undid ${hunksText(request) ?? `changes in ${files}`}`
    default:
      return `Restored ${files}`
  }
}

/** "1 change in total.ts" if the request names hunks of a single file. */
function hunksText({ hunks }: Extract<RestoreRequest, { kind: 'undo-run' | 'drift' }>): string | null {
  const [file, ...more] = Object.entries(hunks ?? {})
  return file && more.length === 0 ? `${plural(file[1].length, 'change')} in ${baseName(file[0])}` : null
}

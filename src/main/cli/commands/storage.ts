/** `driftline doctor` verifies the recorded history; `driftline gc` deletes what nothing needs any more. */
import { checkpointLabel } from '../../../contract/words/checkpoints.ts'
import { doctorCode, doctorText } from '../../../contract/words/doctor.ts'
import { plural } from '../../../contract/words/numbers.ts'
import { formatBytes } from '../../../contract/words/sizes.ts'
import { prunedText, sweepNoteText } from '../../../contract/words/storage.ts'
import { formatTime } from '../../../contract/words/times.ts'
import { logFileOf } from '../../host/data-dir.ts'
import { columns } from '../columns.ts'
import { command, YES } from '../command.ts'
import { confirmDeletion } from '../confirm.ts'
import { doctorDocument } from '../documents.ts'
import { escapeLine } from '../escape.ts'
import { readRecorderStatus, recorderLines } from './recorder.ts'
import { backupCells } from './status.ts'

export const doctor = command({
  name: 'doctor',
  usage: ['[--quick]'],
  summary: 'verify the recorded history and the hooks of connected agents',
  options: { quick: { type: 'boolean', help: 'check the rows only, without reading the stored contents' } },
  run: async ({ call, output, dataDir, host }, { values }) => {
    const { ok, problems } = await call('doctor.run', { deep: values.quick !== true })
    const lines = problems.map((problem) => {
      const [code, message] = [doctorCode(problem), escapeLine(doctorText(problem))]
      const parts = [output.paint('red', code), escapeLine(problem.workspace), message]
      return `  ${parts.filter(Boolean).join(' ')}`
    })
    const { backup } = await call('host.state', {})
    output.print({ ok, problems: problems.map(doctorDocument), ...(backup && { backup }) }, [
      ...(ok
        ? ['No problems: the recorded history is complete and readable.']
        : [`${plural(problems.length, 'problem')}:`, ...lines]),
      ...columns([...backupCells(backup, output.paint, Date.now())]),
      ...(host === null ? await recorderFacts(dataDir) : [])
    ])
    return ok ? 0 : 1
  }
})

async function recorderFacts(dataDir: string): Promise<readonly string[]> {
  const status = await readRecorderStatus(dataDir)
  return [...recorderLines(status, Date.now()), `The recorder’s log: ${escapeLine(logFileOf(dataDir))}`]
}

const SHOWN = 20

/** Only --never needs confirmation: without it, only history that no checkpoint needs is deleted. */
const QUESTION =
  'Delete all stored copies of the files that `capture.never` names, permanently and from every checkpoint? `driftline gc --never --dry-run` lists them.'

export const gc = command({
  name: 'gc',
  usage: ['[--dry-run]', '--never [--dry-run] [--yes]'],
  summary: 'delete unneeded history and reclaim disk space',
  options: {
    never: {
      type: 'boolean',
      help: 'instead, delete the copies of files that `capture.never` names, from every checkpoint'
    },
    'dry-run': { type: 'boolean', help: 'list what would be deleted; delete nothing' },
    yes: YES
  },
  run: async ({ workspace, ask, output }, { values: { never = false, 'dry-run': dryRun = false, yes } }) => {
    await workspace()
    if (never && !dryRun && !yes && !(await confirmDeletion(output, QUESTION))) return 3
    const answer = await ask('gc.run', { dryRun, never })
    const checkpoints = answer.checkpoints.map((row) => ({ ...row, label: checkpointLabel(row) }))
    const pruned = answer.pruned.map(prunedText)
    const note = sweepNoteText(answer.note)
    const moreLine = (list: readonly unknown[]): string[] =>
      list.length > SHOWN ? [`  and ${list.length - SHOWN} more`] : []
    const deleted =
      answer.versions === 0 ? 'nothing' : plural(answer.versions, never ? 'stored version' : 'older version')
    const rows = checkpoints
      .slice(0, SHOWN)
      .map(({ id, reason, at, label }) => [`  ${id}`, reason, formatTime(at), escapeLine(label)])
    return output.print({ ...answer, pruned, checkpoints, note }, [
      `${dryRun ? 'Would free' : 'Freed'} ${formatBytes(answer.freedBytes)}: ${deleted} ${dryRun ? 'would be deleted' : 'deleted'}. History ${dryRun ? 'would use' : 'uses'} ${formatBytes(answer.historyBytes)} of ${formatBytes(answer.budget)}.`,
      ...(note === '' ? [] : [output.paint('yellow', escapeLine(note))]),
      ...pruned.slice(0, SHOWN).map((line) => `  ${escapeLine(line)}`),
      ...moreLine(pruned),
      ...(checkpoints.length === 0
        ? []
        : [
            `${plural(checkpoints.length, 'checkpoint')} ${dryRun ? 'could' : 'can'} no longer be restored completely:`
          ]),
      ...columns(rows),
      ...moreLine(checkpoints)
    ])
  }
})

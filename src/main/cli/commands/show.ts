/** `driftline show`: all details of one timeline entry. */

import type { EntryDetail } from '../../../contract/timeline.ts'
import { plural } from '../../../contract/words/numbers.ts'
import { clip } from '../../../contract/words/text.ts'
import { formatTime } from '../../../contract/words/times.ts'
import { columns } from '../columns.ts'
import { command } from '../command.ts'
import { escapeLine } from '../escape.ts'
import type { Paint } from '../paint.ts'
import { logLines } from './log.ts'

export const show = command({
  name: 'show',
  usage: ['TARGET'],
  summary: 'show one entry with its checkpoints and turns',
  options: {},
  positionals: [1, 1],
  run: async (context, { positionals }) => {
    const workspace = (await context.workspace()).id
    const detail = await context.call('entry.show', { workspace, target: positionals[0]! })
    const { output } = context
    output.document({
      ...detail.entry,
      checkpoints: detail.checkpoints,
      ...(detail.entry.kind === 'run'
        ? { turns: detail.turns, calls: detail.calls ?? [], warnings: detail.warnings ?? [] }
        : {})
    })
    output.lines(detailLines(detail, output.paint, context.now(), output.width))
    return 0
  }
})

function detailLines(detail: EntryDetail, paint: Paint, now: number, width: number): readonly string[] {
  const { entry, checkpoints, turns } = detail
  return [
    ...logLines([entry], paint, now, width),
    ...(entry.kind === 'drift' ? entry.paths.map((path) => `  ${escapeLine(path)}`) : []),
    ...(checkpoints.length > 0 ? ['', 'Checkpoints'] : []),
    ...columns(
      checkpoints.map((checkpoint) => [
        formatTime(checkpoint.at, now),
        checkpoint.reason.replaceAll('_', ' '),
        paint('dim', escapeLine(checkpoint.id)),
        `seq:${checkpoint.seq}`,
        checkpoint.status,
        plural(checkpoint.files, 'path'),
        escapeLine(checkpoint.label)
      ]),
      [],
      '  '
    ),
    ...(detail.warnings ?? []).map((warning) => paint('yellow', escapeLine(warning))),
    ...(turns.length > 0 ? ['', 'Turns'] : []),
    ...columns(
      turns.map((turn) => [
        paint('dim', escapeLine(turn.id)),
        plural(turn.files, 'file'),
        clip(escapeLine(turn.prompt), 200)
      ]),
      [],
      '  '
    )
  ]
}

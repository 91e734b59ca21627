/** `driftline log`: the timeline, newest first. */

import { DriftlineError } from '../../../contract/errors.ts'
import type { RestoreKind } from '../../../contract/restore.ts'
import type { RestoreEntry, TimelineEntry } from '../../../contract/timeline.ts'
import { plural } from '../../../contract/words/numbers.ts'
import { clip } from '../../../contract/words/text.ts'
import { formatTime } from '../../../contract/words/times.ts'
import { limitOf } from '../arguments.ts'
import { columns } from '../columns.ts'
import { command } from '../command.ts'
import { escapeLine } from '../escape.ts'
import type { Paint } from '../paint.ts'

const KINDS = ['run', 'checkpoint', 'restore', 'drift'] as const
type Kind = (typeof KINDS)[number]

export const log = command({
  name: 'log',
  usage: ['[--limit N] [--kind run|checkpoint|restore|drift]'],
  summary: 'show the timeline, newest first',
  options: {
    limit: { type: 'string', short: 'n', value: 'N', help: 'maximum number of entries (default 50)' },
    kind: {
      type: 'string',
      multiple: true,
      value: 'KIND',
      help: 'run, checkpoint, restore or drift; may be repeated'
    }
  },
  positionals: [0, 0],
  run: async (context, { values }) => {
    const limit = limitOf(values.limit)
    const kinds = (values.kind ?? []).map(kindOf)
    const workspace = (await context.workspace()).id
    const { entries, more } = await context.call('timeline.list', {
      workspace,
      limit,
      ...(kinds.length > 0 ? { kinds } : {})
    })
    const { output } = context
    output.document({ entries, more })
    output.lines(logLines(entries, output.paint, context.now(), output.width))
    if (more && output.isTerminal) output.note(`More: driftline log --limit ${limit * 2}`)
    return 0
  }
})

function kindOf(text: string): Kind {
  const kind = KINDS.find((known) => known === text)
  if (!kind) throw new DriftlineError('Usage', `--kind takes run, checkpoint, restore or drift, not "${text}".`)
  return kind
}

export function logLines(
  entries: readonly TimelineEntry[],
  paint: Paint,
  now: number,
  width: number
): readonly string[] {
  if (entries.length === 0) return ['No entries yet. `driftline run -- CMD` records a command.']
  return columns(
    entries.map((entry) => [
      formatTime(entry.at, now),
      mark(entry, paint),
      paint('dim', escapeLine(entry.id)),
      clip(escapeLine(entry.title), Math.max(24, width - 75)),
      details(entry, paint)
    ])
  )
}

/** The effect of a restore on its conversation. */
function messageCount({ superseded, broughtBack }: NonNullable<RestoreEntry['conversation']>): string {
  return superseded + broughtBack > 0 ? plural(superseded + broughtBack, 'message') : 'conversation'
}

function mark(entry: TimelineEntry, paint: Paint): string {
  switch (entry.kind) {
    case 'run':
      return paint(entry.state === 'live' ? 'cyan' : entry.state === 'interrupted' ? 'yellow' : 'bold', 'run')
    case 'checkpoint':
      return 'pin'
    case 'restore':
      return paint('magenta', ACTS[entry.act])
    case 'drift':
      return paint('yellow', 'outside')
  }
}

const ACTS: Readonly<Record<RestoreKind, string>> = {
  restore: 'restore',
  'undo-run': 'undo run',
  undo: 'undo',
  redo: 'redo',
  drift: 'drift restore',
  recover: 'recover'
}

function details(entry: TimelineEntry, paint: Paint): string {
  switch (entry.kind) {
    case 'run':
      return [
        plural(entry.files, 'file'),
        `${paint('green', `+${entry.added}`)} ${paint('red', `-${entry.deleted}`)}`,
        ...(entry.state === 'ended' ? [] : [entry.state === 'live' ? 'still running' : 'interrupted']),
        ...(entry.takenBack ? ['undone'] : []),
        ...(entry.incomplete ? ['some earlier versions missing'] : []),
        ...(entry.exitCode ? [`exit ${entry.exitCode}`] : []),
        ...(entry.note ? [escapeLine(entry.note)] : [])
      ].join(', ')
    case 'checkpoint':
      return entry.reason === 'manual' ? 'pinned' : entry.reason.replaceAll('_', ' ')
    case 'restore':
      return [
        plural(entry.files, 'file'),
        ...(entry.conversation ? [messageCount(entry.conversation)] : []),
        entry.state,
        ...(entry.undone ? ['undone'] : [])
      ].join(', ')
    case 'drift':
      return [plural(entry.count, 'file'), entry.state, ...(entry.note ? [escapeLine(entry.note)] : [])].join(', ')
  }
}

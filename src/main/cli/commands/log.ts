/** `driftline log`: the timeline, newest first. */

import { DriftlineError } from '../../../contract/errors.ts'
import type { ActKind } from '../../../contract/restore.ts'
import type { RestoreEntry, TimelineEntry } from '../../../contract/timeline.ts'
import { limitOf } from '../arguments.ts'
import { columns } from '../columns.ts'
import { command } from '../command.ts'
import { escapeLine } from '../escape.ts'
import type { Paint } from '../paint.ts'
import { clip, count, when } from '../words.ts'

const KINDS = ['run', 'checkpoint', 'restore', 'drift'] as const
type Kind = (typeof KINDS)[number]

export const log = command({
  name: 'log',
  usage: ['[--limit N] [--kind run|checkpoint|restore|drift]'],
  summary: 'show the timeline, newest first',
  options: {
    limit: { type: 'string', short: 'n', value: 'N', help: 'at most this many entries (default 50)' },
    kind: {
      type: 'string',
      multiple: true,
      value: 'KIND',
      help: 'only run, checkpoint, restore or drift; may be repeated'
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
  const kind = KINDS.find((one) => one === text)
  if (!kind) throw new DriftlineError('Usage', `--kind takes run, checkpoint, restore or drift, not "${text}".`)
  return kind
}

export function logLines(
  entries: readonly TimelineEntry[],
  paint: Paint,
  now: number,
  width: number
): readonly string[] {
  if (entries.length === 0) return ['Nothing recorded yet. `driftline run -- CMD` records a command.']
  return columns(
    entries.map((entry) => [
      when(entry.at, now),
      mark(entry, paint),
      paint('dim', escapeLine(entry.id)),
      clip(escapeLine(entry.title), Math.max(24, width - 75)),
      facts(entry, paint)
    ])
  )
}

/** What of a conversation a restore moved. */
function talkFacts({ superseded, broughtBack }: NonNullable<RestoreEntry['conversation']>): string {
  return superseded + broughtBack > 0 ? count(superseded + broughtBack, 'message') : 'conversation'
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

const ACTS: Readonly<Record<ActKind, string>> = {
  restore: 'restore',
  'undo-run': 'undo run',
  undo: 'undo',
  redo: 'redo',
  drift: 'put back',
  recover: 'recover'
}

function facts(entry: TimelineEntry, paint: Paint): string {
  switch (entry.kind) {
    case 'run':
      return [
        count(entry.files, 'file'),
        `${paint('green', `+${entry.added}`)} ${paint('red', `-${entry.deleted}`)}`,
        ...(entry.state === 'ended' ? [] : [entry.state === 'live' ? 'still running' : 'interrupted']),
        ...(entry.takenBack ? ['taken back'] : []),
        ...(entry.incomplete ? ['before-images incomplete'] : []),
        ...(entry.exitCode ? [`exit ${entry.exitCode}`] : []),
        ...(entry.note ? [escapeLine(entry.note)] : [])
      ].join(', ')
    case 'checkpoint':
      return entry.reason === 'manual' ? 'pinned' : entry.reason.replaceAll('_', ' ')
    case 'restore':
      return [
        count(entry.files, 'file'),
        ...(entry.conversation ? [talkFacts(entry.conversation)] : []),
        entry.state,
        ...(entry.undone ? ['undone'] : [])
      ].join(', ')
    case 'drift':
      return [count(entry.count, 'file'), entry.state, ...(entry.note ? [escapeLine(entry.note)] : [])].join(', ')
  }
}

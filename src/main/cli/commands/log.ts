/** `driftline log`, `show`, `checkpoint`, `checkpoints`: the timeline. */
import type { Checkpoint } from '../../../contract/checkpoint.ts'
import type { RestoreKind } from '../../../contract/restore.ts'
import type { DriftEntry, EntryDetail, RestoreEntry, TimelineEntry } from '../../../contract/timeline.ts'
import { CHECKPOINT_REASONS, checkpointCauseText, checkpointLabel } from '../../../contract/words/checkpoints.ts'
import { driftCauseText } from '../../../contract/words/drift.ts'
import { runGitText } from '../../../contract/words/git.ts'
import { formatNumber, plural } from '../../../contract/words/numbers.ts'
import { runNoteText } from '../../../contract/words/run-notices.ts'
import { runWarningText } from '../../../contract/words/run-warnings.ts'
import { newestOfKinds, testText } from '../../../contract/words/tests.ts'
import { clip } from '../../../contract/words/text.ts'
import { DRIFT_STATES } from '../../../contract/words/timeline.ts'
import { formatTime } from '../../../contract/words/times.ts'
import { limitOf } from '../arguments.ts'
import { columns } from '../columns.ts'
import { command } from '../command.ts'
import { checkpointDocument, detailDocument, entryDocument } from '../documents.ts'
import { escapeLine } from '../escape.ts'
import type { Output } from '../output.ts'
import type { Paint } from '../paint.ts'

export const log = command({
  name: 'log',
  usage: ['[--limit N] [--kind run|checkpoint|restore|drift] [--agent A] [--path PATH] [--conflicts] [--undecided]'],
  summary: 'show the timeline, newest first',
  options: {
    limit: { type: 'string', short: 'n', value: 'N', help: 'maximum number of entries (default 50)' },
    kind: {
      type: 'string',
      multiple: true,
      value: 'KIND',
      choices: ['run', 'checkpoint', 'restore', 'drift'],
      help: 'run, checkpoint, restore or drift; may be repeated'
    },
    agent: { type: 'string', value: 'A', help: 'only runs of this agent, such as claude-code' },
    path: { type: 'string', value: 'PATH', help: 'only runs and outside changes of this file or folder' },
    conflicts: { type: 'boolean', help: 'only runs with files that others changed later' },
    undecided: { type: 'boolean', help: 'only outside changes that nobody accepted or undid' }
  },
  run: async (context, { values }) => {
    const { ask, output } = context
    const { limit: typed, kind: kinds, path: within, ...filter } = values
    const limit = limitOf(typed)
    const path = within === undefined ? undefined : await context.path(within)
    const { entries, more } = await ask('timeline.list', { limit, kinds, path, ...filter, countLive: true })
    output.print(
      { entries: entries.map(entryDocument), more },
      logLines(entries, output.paint, Date.now(), output.width)
    )
    if (more && output.isTerminal) output.note(`More: driftline log --limit ${limit * 2}`)
    return 0
  }
})

export const show = command({
  name: 'show',
  usage: ['TARGET'],
  summary: 'show one entry with its checkpoints and turns',
  positionals: [1, 1],
  run: async ({ ask, output }, { positionals }) => {
    const detail = await ask('entry.show', { target: positionals[0]!, countLive: true })
    const { entry } = detail
    const { changes } = entry.kind === 'run' ? await ask('git.changes', { run: entry.id }) : { changes: [] }
    const gitLine = changes.length === 0 ? [] : [escapeLine(runGitText(changes))]
    const document = { ...detailDocument(detail), ...(changes.length === 0 ? {} : { git: changes }) }
    return output.print(document, [...detailLines(detail, output), ...gitLine])
  }
})

function detailLines(detail: EntryDetail, { paint, width }: Output): readonly string[] {
  const { entry, checkpoints, turns, warnings = [] } = detail
  const checkpointRows = checkpoints.map(({ at, reason, id, seq, status, files, label }) => [
    formatTime(at),
    CHECKPOINT_REASONS[reason],
    paint('dim', escapeLine(id)),
    `seq:${seq}`,
    status,
    plural(files, 'path'),
    escapeLine(checkpointLabel({ label, reason }))
  ])
  const turnRows = turns.map(({ id, files, prompt }) => [
    paint('dim', escapeLine(id)),
    plural(files, 'file'),
    clip(escapeLine(prompt), Math.max(24, width - 40))
  ])
  return [
    ...logLines([entry], paint, Date.now(), width),
    ...(entry.kind === 'run' && entry.userNote !== ''
      ? entry.userNote.split('\n').map((line) => `  ${escapeLine(line)}`)
      : []),
    ...(entry.kind === 'drift' ? driftPathLines(entry) : []),
    ...(checkpoints.length > 0 ? ['', 'Checkpoints'] : []),
    ...columns(checkpointRows, '  '),
    ...warnings.map((warning) => paint('yellow', escapeLine(runWarningText(warning)))),
    ...(turns.length > 0 ? ['', 'Turns'] : []),
    ...columns(turnRows, '  ')
  ]
}

/** The first paths of outside changes, and how many more there are. */
function driftPathLines({ id, paths, count }: DriftEntry): readonly string[] {
  const more = count - paths.length
  return [
    ...paths.map((path) => `  ${escapeLine(path)}`),
    ...(more > 0 ? [`  and ${formatNumber(more)} more: \`driftline diff ${id}\` shows all changes`] : [])
  ]
}

export const checkpoint = command({
  name: 'checkpoint',
  usage: ['[-m LABEL]'],
  summary: 'pin the current versions of all files',
  options: { message: { type: 'string', short: 'm', value: 'LABEL', mayBeEmpty: true, help: 'label of the pin' } },
  run: async ({ ask, output }, { values }) => {
    const made = await ask('checkpoint.create', { label: values.message ?? '' })
    return output.print(made, [`Pinned ${made.checkpoint}. \`driftline restore ${made.checkpoint}\` restores it.`])
  }
})

export const checkpoints = command({
  name: 'checkpoints',
  usage: ['[--run RUN] [--session S] [--all]'],
  summary: 'list the checkpoints that can be restored',
  options: {
    run: { type: 'string', value: 'RUN', help: 'only checkpoints of this run' },
    session: { type: 'string', value: 'S', help: 'only checkpoints of this session' },
    all: { type: 'boolean', help: 'include checkpoints that cannot be restored, with the reason' }
  },
  run: async ({ ask, output }, { values }) => {
    const answer = await ask('checkpoint.list', values)
    const document = { checkpoints: answer.checkpoints.map(checkpointDocument) }
    const lines = checkpointLines(answer.checkpoints, output.paint, Date.now())
    return output.print(document, lines.length === 0 ? ['No checkpoints.'] : lines)
  }
})

/** A heading for each reason, in the order of their newest checkpoint, and the checkpoints below it, newest first. */
export function checkpointLines(checkpoints: readonly Checkpoint[], paint: Paint, now: number): readonly string[] {
  const rows = columns(
    checkpoints.map(({ at, id, seq, status, files, label, reason, cause }) => [
      formatTime(at, now),
      paint('dim', escapeLine(id)),
      `seq:${seq}`,
      plural(files, 'path'),
      [
        status === 'available' ? '' : status,
        escapeLine(checkpointLabel({ label, reason })),
        escapeLine(checkpointCauseText(cause))
      ]
        .filter(Boolean)
        .join(' · ')
    ]),
    '  '
  )
  const byReason = Map.groupBy(checkpoints.keys(), (i) => (checkpoints[i] as Checkpoint).reason)
  return [...byReason].flatMap(([reason, indices]) => [
    `${paint('bold', CHECKPOINT_REASONS[reason])} (${indices.length})`,
    ...indices.map((i) => rows[i] as string)
  ])
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
  recover: 'recover',
  apply: 'apply',
  worktree: 'worktree restore'
}

function details(entry: TimelineEntry, paint: Paint): string {
  switch (entry.kind) {
    case 'run':
      return [
        plural(entry.files, 'file'),
        `${paint('green', `+${entry.added}`)} ${paint('red', `-${entry.deleted}`)}`,
        ...newestOfKinds(entry.tests).map((test) => paint(test.result === 'passed' ? 'green' : 'red', testText(test))),
        ...(entry.state === 'ended' ? [] : [entry.state === 'live' ? 'still running' : 'interrupted']),
        ...(entry.undone ? ['undone'] : []),
        ...(entry.label === '' ? [] : ['named']),
        ...(entry.userNote === '' ? [] : ['note']),
        ...(entry.incomplete ? ['some earlier versions missing'] : []),
        ...(entry.exitCode ? [`exit ${entry.exitCode}`] : []),
        ...entry.notes.map((note) => escapeLine(runNoteText(note)))
      ].join(', ')
    case 'checkpoint':
      return [
        entry.reason === 'manual' ? 'pinned' : entry.reason.replaceAll('_', ' '),
        ...newestOfKinds(entry.tests).map(testText)
      ].join(', ')
    case 'restore':
      return [
        plural(entry.files, 'file'),
        ...(entry.conversation ? [messageCount(entry.conversation)] : []),
        entry.state,
        ...(entry.undone ? ['undone'] : [])
      ].join(', ')
    case 'drift':
      return [plural(entry.count, 'file'), DRIFT_STATES[entry.state], escapeLine(driftCauseText(entry))]
        .filter(Boolean)
        .join(', ')
  }
}

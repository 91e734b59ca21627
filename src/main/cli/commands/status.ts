/** `driftline status`: coverage, outside changes, live runs, and the commands for anything unfinished. */

import type { WorkspaceStatus } from '../../../contract/status.ts'
import type { Drift } from '../../../contract/timeline.ts'
import { formatNumber, plural } from '../../../contract/words/numbers.ts'
import { formatBytes } from '../../../contract/words/sizes.ts'
import { clip, listSome } from '../../../contract/words/text.ts'
import { formatTime } from '../../../contract/words/times.ts'
import { columns } from '../columns.ts'
import { command } from '../command.ts'
import { escapeLine } from '../escape.ts'
import type { Paint } from '../paint.ts'
import { describeQuietRun } from '../quiet-run.ts'
import { worktreeLines } from './add.ts'
import { notCoveredLines } from './coverage-lines.ts'

export const status = command({
  name: 'status',
  usage: [''],
  summary: 'show coverage, outside changes, live runs and interrupted work',
  options: {},
  positionals: [0, 0],
  run: async (context) => {
    const workspace = await context.workspace()
    const answer = await context.call('workspace.status', { workspace: workspace.id, check: true })
    context.output.document(answer)
    context.output.lines(statusLines(answer, context.output.paint, context.now()))
    return 0
  }
})

export function statusLines(status: WorkspaceStatus, paint: Paint, now: number): readonly string[] {
  const { workspace } = status
  return [
    `${paint('bold', escapeLine(workspace.name))}  ${escapeLine(workspace.root)}${status.branch ? `  ${paint('dim', escapeLine(status.branch))}` : ''}`,
    ...(status.folder === 'missing'
      ? [
          paint('red', 'The folder is missing. Its history is safe. Move the folder back, or set its new location:'),
          `  driftline locate ${escapeLine(workspace.root)} NEW`
        ]
      : []),
    ...interruptedRestoreLines(status, paint),
    ...columns([
      ['Protected', describeCoverage(status)],
      [
        'History',
        `${formatBytes(status.store.historyBytes)} of ${formatBytes(status.store.budget)}; ${formatBytes(status.store.bytes)} on disk in total`
      ],
      ['Recording', describeRecording(status)]
    ]),
    ...notCoveredLines(status.notCovered, paint),
    ...worktreeLines(status.worktrees),
    ...driftLines(status.drift, paint, now),
    ...status.activeRuns.flatMap((run) => [
      `${paint('cyan', 'Running')} "${escapeLine(run.title)}" (${escapeLine(run.agent)}) since ${formatTime(run.startedAt, now)}  ${paint('dim', escapeLine(run.run))}`,
      ...[describeQuietRun(run, now)].filter(Boolean).map((line) => `  ${line}`)
    ]),
    ...status.interruptedRuns.flatMap((run) => interruptedRunLines(run, paint, now))
  ]
}

function interruptedRunLines(run: WorkspaceStatus['interruptedRuns'][number], paint: Paint, now: number): string[] {
  const openCall = run.doing === '' ? '' : ` during ${escapeLine(clip(run.doing, 80))}`
  // `verify` is only inferred from the command's name, which the line shows anyway; `execute` is certain.
  const phase = { plan: ' planning', execute: ' working', verify: ' working' }[run.phase] ?? ''
  return [
    `${paint('yellow', 'Interrupted')} "${escapeLine(clip(run.title, 60))}" (${escapeLine(run.agent)}) stopped${phase && ` while${phase}`}${openCall}, ${formatTime(run.at, now)}.`,
    `  ${plural(run.files, 'changed file')}, all recorded.`,
    ...columns([
      ...(run.resume ? [[`  ${escapeLine(run.resume.command)}`, `resumes it, in ${escapeLine(run.resume.cwd)}`]] : []),
      [`  driftline diff ${run.run}`, 'shows its changes'],
      [`  driftline undo-run ${run.run}`, 'undoes them']
    ])
  ]
}

function describeCoverage(status: WorkspaceStatus): string {
  const covered = `${plural(status.covered.files, 'file')}, ${formatBytes(status.covered.bytes)}`
  if (status.coverage === 'complete') return covered
  if (status.coverage === 'partial') return `${covered}; initial snapshot incomplete, \`driftline add\` continues it`
  const copy = status.copy
  return copy
    ? `${covered}; copying ${formatNumber(copy.files)} of ${formatNumber(copy.filesTotal)}`
    : `${covered}; still copying`
}

function describeRecording(status: WorkspaceStatus): string {
  const why = escapeLine(status.watcher.why)
  if (!status.recording) return `runs and commands only. ${why}`.trimEnd()
  if (status.watcher.state === 'live') return 'watching the folder'
  return `${status.watcher.state === 'scanning' ? 'checking periodically' : 'starting to watch'}. ${why}`.trimEnd()
}

function interruptedRestoreLines(status: WorkspaceStatus, paint: Paint): readonly string[] {
  const restore = status.interruptedRestore
  if (!restore) return []
  return [
    paint(
      'yellow',
      `A restore was interrupted after ${formatNumber(restore.written)} of ${plural(restore.total, 'file')}. Nothing is lost.`
    ),
    '  driftline recover finish   completes it',
    '  driftline recover undo     undoes it'
  ]
}

export function driftLines(drift: readonly Drift[], paint: Paint, now: number): readonly string[] {
  return drift
    .filter((entry) => entry.state === 'open')
    .flatMap((entry) => [
      `${paint('yellow', 'Outside')} ${plural(entry.count, 'file')} changed, found ${formatTime(entry.foundAt, now)}${entry.note ? ` (${escapeLine(entry.note)})` : ''}: ${listSome(entry.paths.map(escapeLine), 3, entry.count)}`,
      `  driftline diff ${entry.id}            shows the changes`,
      `  driftline drift accept ${entry.id}    keeps them`,
      `  driftline drift restore ${entry.id}   restores the recorded versions`
    ])
}

/** `driftline status`: what is protected, what changed outside, what runs, and what to do about anything unfinished. */

import { bytes } from '../../../contract/sizes.ts'
import type { WorkspaceStatus } from '../../../contract/status.ts'
import type { Drift } from '../../../contract/timeline.ts'
import { columns } from '../columns.ts'
import { command } from '../command.ts'
import { escapeLine } from '../escape.ts'
import type { Paint } from '../paint.ts'
import { silentWords } from '../silent.ts'
import { clip, count, grouped, some, when } from '../words.ts'
import { worktreeLines } from './add.ts'
import { notCoveredLines } from './coverage-lines.ts'

export const status = command({
  name: 'status',
  usage: [''],
  summary: 'show what is protected, changed outside, running or unfinished',
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
          paint('red', 'The folder is missing. Its history is safe; put the folder back, or say where it went:'),
          `  driftline locate ${escapeLine(workspace.root)} NEW`
        ]
      : []),
    ...interruptedRestoreLines(status, paint),
    ...columns([
      ['Protected', protectedWords(status)],
      [
        'History',
        `${bytes(status.store.historyBytes)} of ${bytes(status.store.budget)}; ${bytes(status.store.bytes)} on disk in all`
      ],
      ['Recording', recordingWords(status)]
    ]),
    ...notCoveredLines(status.notCovered, paint),
    ...worktreeLines(status.worktrees),
    ...driftLines(status.drift, paint, now),
    ...status.activeRuns.flatMap((run) => [
      `${paint('cyan', 'Running')} "${escapeLine(run.title)}" (${escapeLine(run.agent)}) since ${when(run.startedAt, now)}  ${paint('dim', escapeLine(run.run))}`,
      ...[silentWords(run, now)].filter(Boolean).map((words) => `  ${words}`)
    ]),
    ...status.interruptedRuns.flatMap((run) => interruptedRunLines(run, paint, now))
  ]
}

function interruptedRunLines(run: WorkspaceStatus['interruptedRuns'][number], paint: Paint, now: number): string[] {
  const stood = run.doing === '' ? '' : ` while ${escapeLine(clip(run.doing, 80))} was open`
  // That it was checking is only read from a command's name, which is told below; that it worked is known.
  const phase = { plan: ' planning', execute: ' working', verify: ' working' }[run.phase] ?? ''
  return [
    `${paint('yellow', 'Interrupted')} "${escapeLine(clip(run.title, 60))}" (${escapeLine(run.agent)}) stopped${phase && ` in the middle of${phase}`}${stood}, ${when(run.at, now)}.`,
    `  It had written ${count(run.files, 'file')}; all of it is recorded.`,
    ...columns([
      ...(run.resume ? [[`  ${escapeLine(run.resume.command)}`, `goes on, in ${escapeLine(run.resume.cwd)}`]] : []),
      [`  driftline diff ${run.run}`, 'shows what it wrote'],
      [`  driftline undo-run ${run.run}`, 'takes it back']
    ])
  ]
}

function protectedWords(status: WorkspaceStatus): string {
  const covered = `${count(status.covered.files, 'file')}, ${bytes(status.covered.bytes)}`
  if (status.coverage === 'complete') return covered
  if (status.coverage === 'partial')
    return `${covered}; the first copy was not finished, \`driftline add\` goes on with it`
  const copy = status.copy
  return copy
    ? `${covered}; copying ${grouped(copy.files)} of ${grouped(copy.filesTotal)}`
    : `${covered}; still copying`
}

function recordingWords(status: WorkspaceStatus): string {
  const why = escapeLine(status.watcher.why)
  if (!status.recording) return `runs and commands. ${why}`.trimEnd()
  if (status.watcher.state === 'live') return 'watching the folder'
  return `${status.watcher.state === 'scanning' ? 'by checks' : 'watching soon'}. ${why}`.trimEnd()
}

function interruptedRestoreLines(status: WorkspaceStatus, paint: Paint): readonly string[] {
  const restore = status.interruptedRestore
  if (!restore) return []
  return [
    paint(
      'yellow',
      `A restore was interrupted after ${grouped(restore.written)} of ${count(restore.total, 'file')}. Nothing is lost.`
    ),
    '  driftline recover finish   writes the rest',
    '  driftline recover undo     takes back what was written'
  ]
}

export function driftLines(drift: readonly Drift[], paint: Paint, now: number): readonly string[] {
  return drift
    .filter((one) => one.state === 'open')
    .flatMap((one) => [
      `${paint('yellow', 'Outside')} ${count(one.count, 'file')} changed outside, found ${when(one.foundAt, now)}${one.note ? ` (${escapeLine(one.note)})` : ''}: ${some(one.paths.map(escapeLine), 3, one.count)}`,
      `  driftline diff ${one.id}            shows it`,
      `  driftline drift accept ${one.id}    keeps it`,
      `  driftline drift restore ${one.id}   puts the recorded state back`
    ])
}

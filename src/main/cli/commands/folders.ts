/** `driftline folders`: all recorded folders with their location and status; works from any folder. */

import { formatBytes } from '../../../contract/words/sizes.ts'
import { listSome } from '../../../contract/words/text.ts'
import { formatTime } from '../../../contract/words/times.ts'
import type { Workspace, WorkspaceSummary } from '../../../contract/workspace.ts'
import { columns } from '../columns.ts'
import { command } from '../command.ts'
import { escapeLine } from '../escape.ts'
import type { Paint } from '../paint.ts'

export const folders = command({
  name: 'folders',
  usage: [''],
  summary: 'list the recorded folders with their status and history size',
  options: {},
  positionals: [0, 0],
  run: async (context) => {
    const { workspaces, left } = await context.call('workspaces.list', {})
    const { output } = context
    output.document({ folders: workspaces, left })
    output.lines([...foldersLines(workspaces, output.paint, context.now()), ...removedLines(left)])
    return 0
  }
})

function foldersLines(all: readonly WorkspaceSummary[], paint: Paint, now: number): readonly string[] {
  if (all.length === 0) return ['No recorded folders. Add one with `driftline add FOLDER`.']
  const reasons = Map.groupBy(
    all.filter((summary) => summary.watcher.why !== ''),
    (summary) => summary.watcher.why
  )
  return [
    ...columns(
      all.map((summary) => [
        paint('bold', escapeLine(summary.name)),
        escapeLine(summary.root),
        describeState(summary, paint),
        summary.store ? `${formatBytes(summary.store.bytes)} of history` : '',
        summary.lastEditAt === null ? 'no changes yet' : `changed ${formatTime(summary.lastEditAt, now)}`
      ])
    ),
    ...[...reasons].map(
      ([why, summaries]) =>
        `${listSome(
          summaries.map((summary) => escapeLine(summary.name)),
          3
        )}: ${escapeLine(why)}`
    ),
    ...all
      .filter((summary) => summary.folder === 'missing')
      .map((summary) => `  driftline locate ${escapeLine(summary.root)} NEW   if the folder was moved`)
  ]
}

function describeState(summary: WorkspaceSummary, paint: Paint): string {
  if (summary.folder === 'missing') return paint('red', 'missing')
  if (summary.store === null) return paint('red', 'history unreadable')
  if (summary.coverage !== 'complete') return summary.copy ? 'copying' : paint('yellow', 'initial snapshot incomplete')
  if (!summary.recording) return 'not watching'
  return summary.watcher.state === 'live'
    ? 'watching'
    : summary.watcher.state === 'scanning'
      ? 'checking periodically'
      : 'starting to watch'
}

function removedLines(left: readonly Workspace[]): readonly string[] {
  if (left.length === 0) return []
  return [
    'Removed folders. Adding one again continues its history:',
    ...left.map((workspace) => `  ${escapeLine(workspace.root)}`)
  ]
}

/** `driftline folders`: every recorded folder, where it is and how it stands, from anywhere. */

import { bytes } from '../../../contract/sizes.ts'
import type { Workspace, WorkspaceSummary } from '../../../contract/workspace.ts'
import { columns } from '../columns.ts'
import { command } from '../command.ts'
import { escapeLine } from '../escape.ts'
import type { Paint } from '../paint.ts'
import { some, when } from '../words.ts'

export const folders = command({
  name: 'folders',
  usage: [''],
  summary: 'list the recorded folders, how each stands and what its history takes',
  options: {},
  positionals: [0, 0],
  run: async (context) => {
    const { workspaces, left } = await context.call('workspaces.list', {})
    const { output } = context
    output.document({ folders: workspaces, left })
    output.lines([...foldersLines(workspaces, output.paint, context.now()), ...leftLines(left)])
    return 0
  }
})

function foldersLines(all: readonly WorkspaceSummary[], paint: Paint, now: number): readonly string[] {
  if (all.length === 0) return ['No folder is recorded. `driftline add FOLDER` begins.']
  const reasons = Map.groupBy(
    all.filter((summary) => summary.watcher.why !== ''),
    (summary) => summary.watcher.why
  )
  return [
    ...columns(
      all.map((summary) => [
        paint('bold', escapeLine(summary.name)),
        escapeLine(summary.root),
        stateWords(summary, paint),
        summary.store ? `${bytes(summary.store.bytes)} of history` : '',
        summary.lastEditAt === null ? 'no change yet' : `changed ${when(summary.lastEditAt, now)}`
      ])
    ),
    ...[...reasons].map(
      ([why, of]) =>
        `${some(
          of.map((summary) => escapeLine(summary.name)),
          3
        )}: ${escapeLine(why)}`
    ),
    ...all
      .filter((summary) => summary.folder === 'missing')
      .map((summary) => `  driftline locate ${escapeLine(summary.root)} NEW   if it moved`)
  ]
}

function stateWords(summary: WorkspaceSummary, paint: Paint): string {
  if (summary.folder === 'missing') return paint('red', 'missing')
  if (summary.store === null) return paint('red', 'cannot be read')
  if (summary.coverage !== 'complete') return summary.copy ? 'copying' : paint('yellow', 'first copy not finished')
  if (!summary.recording) return 'not watching'
  return summary.watcher.state === 'live'
    ? 'watching'
    : summary.watcher.state === 'scanning'
      ? 'by checks'
      : 'watching soon'
}

function leftLines(left: readonly Workspace[]): readonly string[] {
  if (left.length === 0) return []
  return [
    'Not recorded any more; their history waits for them to be added again:',
    ...left.map((workspace) => `  ${escapeLine(workspace.root)}`)
  ]
}

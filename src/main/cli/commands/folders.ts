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
    all.filter((one) => one.watcher.why !== ''),
    (one) => one.watcher.why
  )
  return [
    ...columns(
      all.map((one) => [
        paint('bold', escapeLine(one.name)),
        escapeLine(one.root),
        stateWords(one, paint),
        one.store ? `${bytes(one.store.bytes)} of history` : '',
        one.lastEditAt === null ? 'no change yet' : `changed ${when(one.lastEditAt, now)}`
      ])
    ),
    ...[...reasons].map(
      ([why, of]) =>
        `${some(
          of.map((one) => escapeLine(one.name)),
          3
        )}: ${escapeLine(why)}`
    ),
    ...all
      .filter((one) => one.folder === 'missing')
      .map((one) => `  driftline locate ${escapeLine(one.root)} NEW   if it moved`)
  ]
}

function stateWords(one: WorkspaceSummary, paint: Paint): string {
  if (one.folder === 'missing') return paint('red', 'missing')
  if (one.store === null) return paint('red', 'cannot be read')
  if (one.coverage !== 'complete') return one.copy ? 'copying' : paint('yellow', 'first copy not finished')
  if (!one.recording) return 'not watching'
  return one.watcher.state === 'live' ? 'watching' : one.watcher.state === 'scanning' ? 'by checks' : 'watching soon'
}

function leftLines(left: readonly Workspace[]): readonly string[] {
  if (left.length === 0) return []
  return [
    'Not recorded any more; their history waits for them to be added again:',
    ...left.map((one) => `  ${escapeLine(one.root)}`)
  ]
}

/**
 * `driftline status`: coverage, outside changes, live runs, and the commands for anything unfinished. `driftline
 * drift`.
 */
import type { InterruptedRun, LostRepository, WorkspaceStatus } from '../../../contract/status.ts'
import type { BackupState } from '../../../contract/storage.ts'
import type { Drift } from '../../../contract/timeline.ts'
import { backupText, isBackupFailing } from '../../../contract/words/backup.ts'
import { driftCauseText } from '../../../contract/words/drift.ts'
import { excludedPhrase } from '../../../contract/words/excluded.ts'
import { CONFIRM_LIST_TEXT, rebuiltListText, rebuiltSettingsText } from '../../../contract/words/folder-list.ts'
import { lostRepositoryText } from '../../../contract/words/git.ts'
import { formatNumber, plural } from '../../../contract/words/numbers.ts'
import { formatBytes } from '../../../contract/words/sizes.ts'
import { clip, listSome } from '../../../contract/words/text.ts'
import { formatTime } from '../../../contract/words/times.ts'
import { isOutOfReach, unwatchedText, watchHandlesText } from '../../../contract/words/watching.ts'
import { removedWorktreeText } from '../../../contract/words/worktrees.ts'
import type { AddResult, ExcludedPath, RebuiltList, WorktreeMode } from '../../../contract/workspace.ts'
import { choose, usage } from '../arguments.ts'
import { columns } from '../columns.ts'
import { command } from '../command.ts'
import type { Context } from '../context.ts'
import { driftDocument, statusDocument } from '../documents.ts'
import { escapeLine, shownPath } from '../escape.ts'
import type { Paint } from '../paint.ts'
import { planAndApply, RESOLUTION_OPTIONS, RESOLUTION_USAGE } from '../plan-and-apply.ts'
import { moreLines } from '../plan-text.ts'
import { describeQuietRun } from '../quiet-run.ts'
import { stoppedLines } from './brake.ts'
import { queuedLines } from './restore.ts'

export const status = command({
  name: 'status',
  usage: [''],
  summary: 'show coverage, outside changes, live runs and interrupted work',
  run: async ({ ask, output }) => {
    const answer = await ask('workspace.status', { check: true })
    return output.print(statusDocument(answer), statusLines(answer, output.paint, Date.now(), output.width))
  }
})

/** What a line about a run has besides its title, in characters. */
const BESIDE_TITLE = 70

/** `width`: of the terminal, in characters. */
export function statusLines(status: WorkspaceStatus, paint: Paint, now: number, width = 200): readonly string[] {
  const { workspace } = status
  const shownTitle = (title: string): string => escapeLine(clip(title, Math.max(24, width - BESIDE_TITLE)))
  return [
    `${paint('bold', escapeLine(workspace.name))}  ${escapeLine(workspace.root)}${status.branch ? `  ${paint('dim', escapeLine(status.branch))}` : ''}`,
    ...(status.deletedBy
      ? [
          paint('red', `The folder was deleted during "${shownTitle(status.deletedBy.title)}". Its history is safe:`),
          `  driftline undo-run ${status.deletedBy.run} --folder ${shownPath(workspace.root)}   creates it again`
        ]
      : []),
    ...(status.folder === 'missing' && !status.deletedBy ? missingLines(status, paint) : []),
    ...repositoryLines(status, paint),
    ...rebuiltListLines(status.host.rebuiltList, paint),
    ...stoppedLines(status.stopped, paint, now),
    ...interruptedRestoreLines(status, paint),
    ...columns([
      ['Protected', describeCoverage(status)],
      [
        'History',
        `${formatBytes(status.store.historyBytes)} of ${formatBytes(status.store.budget)}, ${formatBytes(status.store.conversationBytes)} in conversations; ${formatBytes(status.store.bytes)} on disk in total`
      ],
      ['Recording', describeRecording(status)],
      ...backupCells(status.host.backup, paint, now)
    ]),
    ...notCoveredLines(status.notCovered, paint),
    ...worktreeLines(status.worktrees, status.worktreeMode),
    ...removedWorktreeLines(status.removedWorktrees, paint),
    ...driftLines(status.drift, paint, now),
    ...status.activeRuns.flatMap((run) => [
      `${paint('cyan', 'Running')} "${shownTitle(run.title)}" (${escapeLine(run.agent)}) since ${formatTime(run.startedAt, now)}  ${paint('dim', escapeLine(run.run))}`,
      ...[describeQuietRun(run, now)].filter(Boolean).map((line) => `  ${line}`)
    ]),
    ...status.queuedRestores.flatMap(queuedLines),
    ...status.interruptedRuns.flatMap((run) => interruptedRunLines(run, paint, now))
  ]
}

/** [BK-3] Nothing without automatic backups. */
export function backupCells(backup: BackupState | undefined, paint: Paint, now: number): readonly string[][] {
  if (!backup) return []
  const text = escapeLine(backupText(backup, now).replaceAll(/\s*\n\s*/g, ' '))
  return [['Backup', isBackupFailing(backup) ? paint('red', text) : text]]
}

/** [RS-19] A deletion that is not recorded yet is recorded by the restore, so that the newest position is before it. */
function missingLines({ workspace, covered, head, watcher }: WorkspaceStatus, paint: Paint): readonly string[] {
  const root = shownPath(workspace.root)
  const locate = `driftline locate ${root} NEW`
  // The reason is that of recording, below.
  if (isOutOfReach(watcher.why))
    return [
      paint('red', 'The folder is out of reach. Its history is safe, and recording resumes when it is back.'),
      ...columns([[locate, 'if it is elsewhere now']], '  ')
    ]
  const again = `driftline restore seq:${head} --outside replace --folder ${root}`
  return [
    paint('red', 'The folder is missing. Its history is safe. Move the folder back, or set its new location:'),
    ...columns([[locate, ''], ...(covered.files > 0 ? [[again, 'creates it again, if it was deleted']] : [])], '  ')
  ]
}

/** [GT-10] */
function repositoryLines({ repository, lostBelow, workspace }: WorkspaceStatus, paint: Paint): readonly string[] {
  const lines = (state: LostRepository, folder?: string): string[] => {
    const { lead, rest } = lostRepositoryText(state, folder)
    const name = shownPath(folder === undefined ? '.git' : `${folder}/.git`)
    return [
      paint('red', `${escapeLine(lead)} ${rest}:`),
      `  driftline git restore ${name} --folder ${shownPath(workspace.root)}   restores it`
    ]
  }
  return [
    ...(repository ? lines(repository) : []),
    ...(lostBelow ?? []).slice(0, LISTED).flatMap(({ state, folder }) => lines(state, folder)),
    ...moreLines(lostBelow ?? [], LISTED, 'more such folder')
  ]
}

/** [ST-6] */
export function rebuiltListLines(list: RebuiltList | undefined, paint: Paint): readonly string[] {
  if (!list) return []
  const { lead, rest } = rebuiltListText(list)
  return [`${paint('yellow', lead)}${rest}`, `  ${rebuiltSettingsText(list)}`, `  ${CONFIRM_LIST_TEXT}`]
}

function interruptedRunLines(run: InterruptedRun, paint: Paint, now: number): string[] {
  const openCall = run.doing === '' ? '' : ` during ${escapeLine(clip(run.doing, 80))}`
  // `verify` is only inferred from the command's name, which the line shows anyway; `execute` is certain.
  const phase = { plan: ' planning', execute: ' working', verify: ' working', stopped: '' }[run.phase]
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
  const why = escapeLine(unwatchedText(status.watcher.why))
  if (status.watcher.why?.code === 'disk-full') return `paused. ${why}`
  if (!status.recording) return `runs and commands only. ${why}`.trimEnd()
  const handles = watchHandlesText(status.watcher)
  if (status.watcher.state === 'live') return `watching the folder${handles && ` (${handles})`}`
  return `${WATCHING[status.watcher.state]}. ${why}`.trimEnd()
}

/** How changes are detected where the folder is not watched yet. */
export const WATCHING = {
  scanning: 'checking periodically',
  starting: 'starting to watch',
  off: 'starting to watch'
} as const

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

function driftLines(drift: readonly Drift[], paint: Paint, now: number): readonly string[] {
  return drift
    .filter((entry) => entry.state === 'open')
    .map((entry) => ({ ...entry, why: escapeLine(driftCauseText(entry)) }))
    .flatMap((entry) => [
      `${paint('yellow', 'Outside')} ${plural(entry.count, 'file')} changed, found ${formatTime(entry.foundAt, now)}${entry.why && ` (${entry.why})`}: ${listSome(entry.paths.map(escapeLine), 3, entry.count)}`,
      `  driftline diff ${entry.id}            shows the changes`,
      `  driftline drift accept ${entry.id}    keeps them`,
      `  driftline drift restore ${entry.id}   restores the recorded versions`
    ])
}

/** Most paths listed before the rest is only counted. */
const LISTED = 8

export function notCoveredLines(list: readonly ExcludedPath[], paint: Paint): readonly string[] {
  if (list.length === 0) return []
  const rows = list
    .slice(0, LISTED)
    .map(({ path, reason, size }) => [
      escapeLine(path),
      paint('dim', excludedPhrase(reason)),
      size ? paint('dim', formatBytes(size)) : ''
    ])
  return [
    `${plural(list.length, 'path')} not protected:`,
    ...columns(rows, '  '),
    ...moreLines(list, LISTED, 'more path')
  ]
}

/** Git worktrees that are not recorded, although an agent may be working in one. */
export function worktreeLines(worktrees: AddResult['worktrees'], mode: WorktreeMode = 'on'): readonly string[] {
  if (worktrees.length === 0) return []
  const [first, ...rest] = worktrees
  return [
    `${plural(worktrees.length, 'worktree')} of this repository ${rest.length === 0 ? 'is' : 'are'} not recorded:`,
    ...columns(worktrees.slice(0, 10).map(({ folder, branch }) => [`  ${escapeLine(folder)}`, escapeLine(branch)])),
    `  driftline add ${shownPath(first?.folder ?? '')}   records it with its own history`,
    ...(mode === 'ask'
      ? ['  driftline worktrees on   records all of them, and new ones automatically; `off`: never']
      : [])
  ]
}

/** [WT-3] */
function removedWorktreeLines(removed: WorkspaceStatus['removedWorktrees'], paint: Paint): readonly string[] {
  return removed
    .slice(0, 10)
    .flatMap((worktree) => [
      paint('yellow', escapeLine(removedWorktreeText(worktree))),
      `  driftline worktrees restore ${shownPath(worktree.worktree)}   restores it where it was; --into main: those files here`
    ])
}

export const drift = command({
  name: 'drift',
  usage: ['', 'accept ID [PATH…]', `restore ID [PATH…] ${RESOLUTION_USAGE}`],
  summary: 'list outside changes, accept them, or restore the recorded versions',
  options: RESOLUTION_OPTIONS,
  positionals: [0, Number.POSITIVE_INFINITY],
  run: async (context, { values, positionals }) => {
    const [typed, id, ...within] = positionals
    if (typed === undefined) return listDrift(context)
    const verb = choose('`driftline drift`', ['accept', 'restore'], typed)
    if (id === undefined) throw usage(drift, `\`driftline drift ${verb}\` needs the ID of an outside change.`)
    const paths = await context.paths(within)
    if (verb === 'restore')
      return planAndApply(context, { kind: 'drift', drift: id, paths }, values, values['on-conflict'])
    const accepted = (await context.ask('drift.accept', { drift: id, paths })).drift
    const count = plural(accepted.count, 'outside change')
    return context.output.print({ drift: [driftDocument(accepted)] }, [
      accepted.state === 'accepted' ? `Accepted ${count}.` : `Accepted. ${count} still to decide.`
    ])
  }
})

async function listDrift({ ask, output }: Context): Promise<number> {
  const answer = await ask('drift.list', { check: true })
  const lines = driftLines(answer.drift, output.paint, Date.now())
  return output.print({ drift: answer.drift.map(driftDocument) }, lines.length > 0 ? lines : ['No outside changes.'])
}

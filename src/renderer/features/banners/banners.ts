/**
 * The banners of a workspace, most serious first. A dismissed banner stays in the timeline. Pure.
 * A banner's key contains what it says: once that changes, the banner is new and shown again, though it was dismissed.
 */
import type { BisectSearch } from '../../../contract/bisect.ts'
import type { HostPlace } from '../../../contract/hosts.ts'
import type { QueuedRestore } from '../../../contract/restore.ts'
import type { InterruptedRun, LostRepository, WorkspaceStatus } from '../../../contract/status.ts'
import type { Drift } from '../../../contract/timeline.ts'
import { driftCauseText } from '../../../contract/words/drift.ts'
import { rebuiltListText, rebuiltSettingsText } from '../../../contract/words/folder-list.ts'
import { lostRepositoryText } from '../../../contract/words/git.ts'
import { hostAwayText } from '../../../contract/words/hosts.ts'
import { interruptedText } from '../../../contract/words/interrupted-run.ts'
import { formatNumber, plural } from '../../../contract/words/numbers.ts'
import { baseName } from '../../../contract/words/paths.ts'
import { heldText, queuedTitle } from '../../../contract/words/queued-restores.ts'
import { formatBytes } from '../../../contract/words/sizes.ts'
import { clock, elapsed } from '../../../contract/words/times.ts'
import { isOutOfReach, missingText } from '../../../contract/words/watching.ts'
import type { ExcludedPath, RebuiltList } from '../../../contract/workspace.ts'
import { type Banner, type BannerAction, banner } from './banner-parts.ts'
import { stoppedRun } from './brake-banner.ts'
import { searchBanner } from './search-banner.ts'
import { missingWorktree, removedWorktree, unrecordedWorktrees } from './worktree-banners.ts'

export interface BannerInput {
  readonly status: WorkspaceStatus | null
  /** Displayed path of the workspace. */
  readonly folder: string
  /** When the connection was lost, null while connected. */
  readonly downSince: number | null
  readonly lastContact: number | null
  readonly now: number
  /** A restarted recorder has another address, which a browser page cannot know. */
  readonly inBrowser: boolean
  /** The recorder was restarted and refuses this page's key. */
  readonly refused?: boolean
  /** The host that does not answer, while the recorder here does. */
  readonly away?: HostPlace | undefined
  /** The search for the edit that broke a command. */
  readonly search?: BisectSearch | null
}

/** Shorter interruptions show only in the header. */
const DISCONNECTED_MS = 10_000

export function bannersOf(input: BannerInput): Banner[] {
  const { status } = input
  const banners: Banner[] = []
  if (input.downSince !== null && input.refused) banners.push(refusedKey())
  else if (input.downSince !== null && input.now - input.downSince >= DISCONNECTED_MS)
    banners.push(input.away ? hostAway(input.away, input.now) : disconnected(input))
  if (!status) return banners
  if (status.folder === 'missing') banners.push(missingFolder(status, input.folder))
  for (const stopped of status.stopped) banners.push(stoppedRun(stopped))
  if (input.search) banners.push(banner(searchBanner(input.search)))
  if (status.disk.low) banners.push(diskLow(status.disk))
  if (status.repository) banners.push(lostRepository(status.repository))
  for (const { state, folder } of status.lostBelow ?? []) banners.push(lostRepository(state, folder))
  if (status.host.rebuiltList) banners.push(rebuiltList(status.host.rebuiltList))
  if (status.interruptedRestore) banners.push(halfRestored(status.interruptedRestore))
  for (const queued of status.queuedRestores) banners.push(queuedRestore(queued))
  for (const run of status.interruptedRuns) banners.push(interruptedRun(run))
  for (const drift of status.drift) if (drift.state === 'open') banners.push(drifted(drift))
  if (status.host.watching === 'safe-mode' || status.host.watching === 'paused')
    banners.push(notWatching(status.host.watching))
  if (status.coverage === 'partial') banners.push(partialCopy())
  const skipped = status.notCovered.filter(({ reason }) => reason === 'too-large' || reason === 'unreadable')
  if (skipped.length > 0) banners.push(uncovered(skipped))
  for (const removed of status.removedWorktrees)
    if (removed.id !== status.workspace.id) banners.push(removedWorktree(removed))
  if (status.worktrees.length > 0) banners.push(unrecordedWorktrees(status.worktrees, status.worktreeMode))
  if (status.host.lastEnd !== 'clean' && status.host.watching === 'on') banners.push(recorderEnded(status.host.lastEnd))
  return banners
}

/** [RS-22] */
function queuedRestore(queued: QueuedRestore): Banner {
  const { id, held } = queued
  const title = queuedTitle(queued)
  const cancel = { label: held ? 'Discard' : 'Cancel', action: { do: 'unqueue', queued: id } } as const
  if (!held)
    return banner({
      key: `queued-${id}`,
      tone: 'info',
      icon: 'clock',
      lead: title,
      rest: ' will be applied when the run stops.',
      actions: [cancel],
      canDismiss: false
    })
  return banner({
    key: `held-${id}`,
    tone: 'warn',
    icon: 'warn',
    lead: title,
    rest: ' was not applied when the turn ended.',
    detail: `${heldText(queued)} Nothing was written.`,
    actions: [{ label: 'Review…', action: { do: 'preview', request: queued.request } }, cancel],
    canDismiss: false
  })
}

/** [GT-10] */
function lostRepository(state: LostRepository, folder?: string): Banner {
  const { lead, rest } = lostRepositoryText(state, folder)
  const name = folder === undefined ? '.git' : `${folder}/.git`
  return banner({
    key: `repository-${state}${folder === undefined ? '' : `-${folder}`}`,
    tone: 'warn',
    icon: 'warn',
    lead,
    rest: ` ${rest}.`,
    detail: 'The files in the folder stay as they are. The restore can be undone.',
    actions: [{ label: 'Restore the repository', action: { do: 'restore-repository', name } }]
  })
}

/** [ST-6] */
function rebuiltList(list: RebuiltList): Banner {
  return banner({
    key: `list-${list.at}`,
    tone: 'warn',
    icon: 'warn',
    ...rebuiltListText(list),
    detail: rebuiltSettingsText(list),
    actions: [{ label: 'OK', action: { do: 'confirm-list' } }],
    canDismiss: false
  })
}

function recorderEnded(how: 'unexpected' | 'restarted'): Banner {
  return banner({
    key: `ended-${how}`,
    tone: 'info',
    icon: 'info',
    lead: how === 'unexpected' ? 'Driftline ended unexpectedly last time.' : 'The recorder crashed and restarted.',
    rest: ' Nothing recorded was lost.',
    detail: 'Changes made in between were picked up.'
  })
}

function notWatching(why: 'safe-mode' | 'paused'): Banner {
  const paused = why === 'paused'
  return banner({
    key: why,
    tone: 'warn',
    icon: 'warn',
    lead: paused ? 'Recording is paused.' : 'Safe mode:',
    rest: paused ? '' : ' Driftline crashed several times, so folders are not watched.',
    detail:
      'Changes are found at the next check instead of as they happen. Runs of connected agents are still recorded.',
    actions: [{ label: paused ? 'Resume recording' : 'Start recording', action: { do: 'watch' } }],
    canDismiss: false
  })
}

function hostAway(place: HostPlace, now: number): Banner {
  return banner({
    key: `host-${place.phase}`,
    tone: 'danger',
    icon: 'off',
    ...hostAwayText(place, now),
    actions: [
      { label: 'Retry', action: { do: 'retry' } },
      { label: 'Hosts…', action: { do: 'hosts' } }
    ]
  })
}

function disconnected({ now, downSince, lastContact, inBrowser }: BannerInput): Banner {
  const contact = lastContact === null ? '' : ` Last contact ${clock(lastContact)}.`
  const address = inBrowser ? ' If it ended, run `driftline serve` in a terminal: this tab then continues.' : ''
  return banner({
    key: 'disconnected',
    tone: 'danger',
    icon: 'off',
    lead: 'Not connected to the recorder',
    rest: ` for ${elapsed(now - (downSince ?? now))}. Restore and undo are unavailable.`,
    detail: `Recording continues if the recorder is still running.${address}${contact}`,
    actions: [
      { label: 'Retry', action: { do: 'retry' } },
      { label: 'Copy details', action: { do: 'copy-details' } }
    ]
  })
}

function refusedKey(): Banner {
  return banner({
    key: 'refused',
    tone: 'danger',
    icon: 'off',
    lead: 'This tab has an old address:',
    rest: ' Driftline was restarted. Restore and undo are unavailable here.',
    detail:
      'Recording continues, and nothing is lost. Run `driftline open` in a terminal, or open the address it printed.',
    actions: [{ label: 'Retry', action: { do: 'retry' } }]
  })
}

/** Any other folder than a removed worktree may have been moved. */
function missingFolder(status: WorkspaceStatus, folder: string): Banner {
  const own = status.removedWorktrees.find(({ id }) => id === status.workspace.id)
  return own && !status.deletedBy ? missingWorktree(own, folder) : missing(status, folder)
}

function missing({ deletedBy, watcher }: WorkspaceStatus, folder: string): Banner {
  if (deletedBy)
    return banner({
      key: 'missing',
      tone: 'danger',
      icon: 'stop',
      lead: `Folder ${folder} was deleted`,
      rest: ` during “${deletedBy.title}”.`,
      detail: 'The recorded history is safe. Undoing the run creates the folder again.',
      actions: [
        { label: 'Undo run…', action: { do: 'preview', request: { kind: 'undo-run', run: deletedBy.run } } },
        { label: 'Locate…', action: { do: 'open', dialog: 'locate' } }
      ]
    })
  const why = isOutOfReach(watcher.why) ? missingText(watcher.why) : ''
  return banner({
    key: 'missing',
    tone: 'danger',
    icon: 'stop',
    lead: why === '' ? `Folder ${folder} not found.` : `Folder ${folder} is out of reach.`,
    detail: `${why} The recorded history is safe. Recording resumes when the folder is back.`.trim(),
    actions: [
      { label: 'Locate…', action: { do: 'open', dialog: 'locate' } },
      { label: 'Stop recording…', action: { do: 'open', dialog: 'remove' } }
    ]
  })
}

function diskLow({ free }: WorkspaceStatus['disk']): Banner {
  return banner({
    key: 'disk-low',
    tone: 'danger',
    icon: 'stop',
    lead: 'Not recording: the disk that stores the history is nearly full',
    rest: free > 0 ? ` (${formatBytes(free)} free).` : '.',
    detail:
      'The recorded history is safe. Free some space: recording then resumes by itself and finds changes made in between. Restores are unavailable until then.'
  })
}

function halfRestored(restore: NonNullable<WorkspaceStatus['interruptedRestore']>): Banner {
  return banner({
    key: `restore-${restore.id}`,
    tone: 'danger',
    icon: 'stop',
    lead: 'A restore was interrupted:',
    rest: ` ${formatNumber(restore.written)} of ${plural(restore.total, 'file')} written.`,
    detail: 'The previous versions are saved. Nothing is written until you choose.',
    actions: [
      { label: 'Review', action: { do: 'review', entry: restore.id } },
      { label: 'Finish…', action: { do: 'preview', request: { kind: 'recover', how: 'finish' } } },
      { label: 'Undo…', action: { do: 'preview', request: { kind: 'recover', how: 'undo' } } }
    ]
  })
}

function drifted({ id, count, paths, cause, branches, since, foundAt }: Drift): Banner {
  const files = plural(count, 'file')
  const few = paths.slice(0, 4)
  const more = count > few.length ? ` and ${formatNumber(count - few.length)} more` : ''
  const names = `${few.map(baseName).join(', ')}${more}`
  const bulk = cause === 'branch' || cause === 'bulk' || cause === 'settings'
  const why = driftCauseText({ cause, branches })
  const undo = { label: 'Undo…', action: { do: 'preview', request: { kind: 'drift', drift: id } } } as const
  const texts = {
    offline: {
      lead: `${files} changed while recording was off,`,
      rest: ` found at ${clock(foundAt)}.`,
      detail: `${names}. Earlier versions are saved.`
    },
    bulk: {
      lead: `${files} changed outside:`,
      rest: why ? ` ${why}.` : ` probably an install or checkout, found at ${clock(foundAt)}.`
    },
    edits: {
      lead: `${files} changed outside`,
      rest: since ? ` since “${since}” ended.` : '.',
      detail: `${names}, found at ${clock(foundAt)}`
    }
  }
  return banner({
    key: `drift-${id}-${count}`,
    tone: 'warn',
    icon: 'drift',
    ...texts[bulk ? 'bulk' : cause],
    actions: [
      { label: 'Review', action: { do: 'review', entry: id } },
      { label: 'Accept', action: { do: 'accept', drift: id } },
      ...(bulk ? [] : [undo])
    ]
  })
}

function interruptedRun(run: InterruptedRun): Banner {
  const actions: { label: string; action: BannerAction }[] = [
    { label: 'Review', action: { do: 'review', entry: run.run } }
  ]
  if (run.resume)
    actions.unshift({ label: 'Copy resume command', action: { do: 'copy-text', text: run.resume.command } })
  if (run.files > 0)
    actions.push({ label: 'Undo this run…', action: { do: 'preview', request: { kind: 'undo-run', run: run.run } } })
  return banner({
    key: `run-${run.run}`,
    tone: 'warn',
    icon: 'half',
    ...interruptedText(run),
    run: run.run,
    detail: `Everything it wrote is recorded. You can ${run.resume ? 'resume, ' : ''}review or undo it.`,
    actions
  })
}

function partialCopy(): Banner {
  return banner({
    key: 'partial',
    tone: 'warn',
    icon: 'shield',
    lead: 'The initial snapshot was stopped.',
    detail: 'Files that were not copied yet are not covered. Copied files are safe.',
    actions: [
      { label: 'Finish snapshot', action: { do: 'finish-copy' } },
      { label: 'Show', action: { do: 'open', dialog: 'coverage' } }
    ]
  })
}

function uncovered(lost: readonly ExcludedPath[]): Banner {
  const large = lost.filter(({ reason }) => reason === 'too-large').length
  const why =
    large === lost.length ? 'over the size limit' : large === 0 ? 'not readable' : 'over the size limit or not readable'
  const names = lost
    .slice(0, 3)
    .map(({ path, size }) => (size === undefined ? path : `${path} ${formatBytes(size)}`))
    .join(', ')
  return banner({
    key: `uncovered-${lost.length}`,
    tone: 'warn',
    icon: 'none',
    lead: `${plural(lost.length, 'file')} ${lost.length === 1 ? 'is' : 'are'} ${why}`,
    rest: ` and ${lost.length === 1 ? 'has' : 'have'} no stored copy.`,
    detail: lost.length > 3 ? `${names} and ${formatNumber(lost.length - 3)} more` : names,
    actions: [{ label: 'Show', action: { do: 'open', dialog: 'coverage' } }]
  })
}

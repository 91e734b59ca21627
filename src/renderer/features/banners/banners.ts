/** Which banner is due: pure, most serious first. Dismissing hides it; the timeline keeps what it is about. */

import { bytes } from '../../../contract/sizes.ts'
import type { WorkspaceStatus } from '../../../contract/status.ts'
import type { Drift } from '../../../contract/timeline.ts'
import type { NotCovered } from '../../../contract/workspace.ts'
import { baseName, clock, count, elapsed, plural } from '../../ui/format.ts'
import type { IconName } from '../../ui/icon-sprite.tsx'
import { type InterruptedRun, interruptedWords } from './interrupted-run.ts'

export type BannerAct =
  | { readonly do: 'retry' | 'copy-details' | 'locate' | 'forget' | 'recover-finish' | 'recover-undo' }
  | { readonly do: 'record'; readonly folders: readonly string[] }
  | { readonly do: 'show-coverage' | 'finish-copy' | 'watch' }
  | { readonly do: 'review-drift' | 'accept-drift' | 'put-back'; readonly drift: string }
  | { readonly do: 'review-restore'; readonly restore: string }
  | { readonly do: 'review-run' | 'undo-run'; readonly run: string }
  | { readonly do: 'copy-text'; readonly text: string }

export interface Banner {
  /** Changes when there is something new to say, so that a dismissed one comes back. */
  readonly key: string
  readonly tone: 'warn' | 'danger' | 'info'
  readonly icon: IconName
  /** Said first, bold. */
  readonly lead: string
  readonly rest: string
  readonly detail: string
  readonly acts: readonly { readonly label: string; readonly act: BannerAct }[]
  readonly canDismiss: boolean
}

export interface BannerFacts {
  readonly status: WorkspaceStatus | null
  /** How the folder is written on screen. */
  readonly folder: string
  /** When the connection was lost, null while there is one. */
  readonly downSince: number | null
  readonly lastContact: number | null
  readonly now: number
  /** A page cannot follow a recorder that was started anew: it has another address then. */
  readonly inBrowser: boolean
}

/** Disconnected for less than this is only a pill in the header. */
const DISCONNECTED_MS = 10_000

export function bannersOf(facts: BannerFacts): Banner[] {
  const { status } = facts
  const banners: Banner[] = []
  if (facts.downSince !== null && facts.now - facts.downSince >= DISCONNECTED_MS) banners.push(disconnected(facts))
  if (!status) return banners
  if (status.folder === 'missing') banners.push(missing(facts.folder))
  if (status.disk.low) banners.push(diskLow(status.disk))
  if (status.interruptedRestore) banners.push(halfRestored(status.interruptedRestore))
  for (const run of status.interruptedRuns) banners.push(interruptedRun(run))
  for (const drift of status.drift) if (drift.state === 'open') banners.push(drifted(drift))
  if (status.host.watching === 'safe-mode' || status.host.watching === 'paused')
    banners.push(notWatching(status.host.watching))
  if (status.coverage === 'partial') banners.push(partialCopy())
  const lost = status.notCovered.filter(({ reason }) => reason === 'too-large' || reason === 'unreadable')
  if (lost.length > 0) banners.push(uncovered(lost))
  if (status.worktrees.length > 0) banners.push(worktrees(status.worktrees))
  if (status.host.lastEnd !== 'clean' && status.host.watching === 'on') banners.push(endedBadly(status.host.lastEnd))
  return banners
}

function endedBadly(how: 'unexpected' | 'restarted'): Banner {
  return {
    key: `ended-${how}`,
    tone: 'info',
    icon: 'info',
    lead:
      how === 'unexpected' ? 'Driftline ended unexpectedly last time.' : 'The recorder failed and was started again.',
    rest: ' Nothing recorded was lost.',
    detail: 'What changed meanwhile was found afterwards.',
    acts: [],
    canDismiss: true
  }
}

function notWatching(why: 'safe-mode' | 'paused'): Banner {
  const paused = why === 'paused'
  return {
    key: why,
    tone: 'warn',
    icon: 'warn',
    lead: paused ? 'Recording is paused.' : 'Safe mode:',
    rest: paused ? '' : ' Driftline ended unexpectedly several times, so folders are not watched.',
    detail: 'Changes are found at the next check, not as they happen. Runs of connected agents are still recorded.',
    acts: [{ label: paused ? 'Go on recording' : 'Start recording', act: { do: 'watch' } }],
    canDismiss: false
  }
}

function disconnected({ now, downSince, lastContact, inBrowser }: BannerFacts): Banner {
  const contact = lastContact === null ? '' : ` Last contact ${clock(lastContact)}.`
  return {
    key: 'disconnected',
    tone: 'danger',
    icon: 'off',
    lead: 'Not connected to the recorder',
    rest: ` for ${elapsed(now - (downSince ?? now))}. You can read; restore and undo wait.`,
    detail: `Recording goes on if the recorder is still running.${inBrowser ? ' If it was started anew, open the address it printed.' : ''}${contact}`,
    acts: [
      { label: 'Try now', act: { do: 'retry' } },
      { label: 'Copy details', act: { do: 'copy-details' } }
    ],
    canDismiss: false
  }
}

function missing(folder: string): Banner {
  return {
    key: 'missing',
    tone: 'danger',
    icon: 'stop',
    lead: `The folder ${folder} is not there any more.`,
    rest: '',
    detail: 'Everything recorded so far is safe. Recording waits.',
    acts: [
      { label: 'Locate…', act: { do: 'locate' } },
      { label: 'Stop recording…', act: { do: 'forget' } }
    ],
    canDismiss: false
  }
}

function diskLow({ free }: WorkspaceStatus['disk']): Banner {
  return {
    key: 'disk-low',
    tone: 'danger',
    icon: 'stop',
    lead: 'Nothing is being recorded: the disk that holds the history is nearly full',
    rest: free > 0 ? ` (${bytes(free)} free).` : '.',
    detail:
      'What was recorded is safe. Free some space; recording goes on by itself and finds what changed meanwhile. Restores wait too.',
    acts: [],
    canDismiss: false
  }
}

function halfRestored(restore: NonNullable<WorkspaceStatus['interruptedRestore']>): Banner {
  return {
    key: `restore-${restore.id}`,
    tone: 'danger',
    icon: 'stop',
    lead: 'A restore stopped half way:',
    rest: ` ${count(restore.written)} of ${plural(restore.total, 'file')} written.`,
    detail: 'What was on disk before it began is kept. Nothing is written until you choose.',
    acts: [
      { label: 'Review', act: { do: 'review-restore', restore: restore.id } },
      { label: 'Finish…', act: { do: 'recover-finish' } },
      { label: 'Undo…', act: { do: 'recover-undo' } }
    ],
    canDismiss: false
  }
}

function drifted(drift: Drift): Banner {
  const files = plural(drift.count, 'file')
  const review = { label: 'Review', act: { do: 'review-drift', drift: drift.id } } as const
  const accept = { label: 'Accept', act: { do: 'accept-drift', drift: drift.id } } as const
  const putBack = { label: 'Put back…', act: { do: 'put-back', drift: drift.id } } as const
  const base = { key: `drift-${drift.id}-${drift.count}`, tone: 'warn', icon: 'drift', canDismiss: true } as const
  const few = drift.paths.slice(0, 4).map(baseName).join(', ')
  const names = drift.count > 4 ? `${few} and ${count(drift.count - 4)} more` : few
  switch (drift.cause) {
    case 'offline':
      return {
        ...base,
        lead: `${files} changed while recording was off,`,
        rest: drift.note ? ` ${drift.note}.` : ` noticed at ${clock(drift.foundAt)}.`,
        detail: `${names}. What was there before is kept.`,
        acts: [review, accept, putBack]
      }
    case 'branch':
    case 'bulk':
      return {
        ...base,
        lead: `${files} changed outside:`,
        rest: drift.note ? ` ${drift.note}.` : ` more than a person edits, noticed at ${clock(drift.foundAt)}.`,
        detail: '',
        acts: [review, accept]
      }
    case 'edits':
      return {
        ...base,
        lead: `${files} changed outside`,
        rest: drift.since ? ` since “${drift.since}” ended.` : '.',
        detail: `${names}, noticed at ${clock(drift.foundAt)}`,
        acts: [review, accept, putBack]
      }
  }
}

function interruptedRun(run: InterruptedRun): Banner {
  const { lead, rest } = interruptedWords(run)
  return {
    key: `run-${run.run}`,
    tone: 'warn',
    icon: 'half',
    lead,
    rest,
    detail: run.resume
      ? 'Everything it wrote is recorded. You can continue it, look at it, or take it back.'
      : 'Everything it wrote is recorded. You can look at it, or take it back.',
    acts: [
      ...(run.resume
        ? [{ label: 'Copy command to continue', act: { do: 'copy-text', text: run.resume.command } } as const]
        : []),
      { label: 'Review', act: { do: 'review-run', run: run.run } },
      ...(run.files > 0 ? [{ label: 'Undo this run…', act: { do: 'undo-run', run: run.run } } as const] : [])
    ],
    canDismiss: true
  }
}

function partialCopy(): Banner {
  return {
    key: 'partial',
    tone: 'warn',
    icon: 'shield',
    lead: 'The first copy was stopped before its end.',
    rest: '',
    detail: 'Files that were not copied yet are only covered once they are. What was copied is safe.',
    acts: [
      { label: 'Finish the copy', act: { do: 'finish-copy' } },
      { label: 'Show', act: { do: 'show-coverage' } }
    ],
    canDismiss: true
  }
}

function worktrees(list: WorkspaceStatus['worktrees']): Banner {
  const names = list
    .slice(0, 3)
    .map(({ folder, branch }) => (branch ? `${baseName(folder)} (${branch})` : baseName(folder)))
  return {
    key: `worktrees-${list.map(({ folder }) => folder).join(':')}`,
    tone: 'info',
    icon: 'folder',
    lead: `${plural(list.length, 'worktree')} of this repository ${list.length === 1 ? 'is' : 'are'} not recorded.`,
    rest: '',
    detail: `${names.join(', ')}${list.length > 3 ? ` and ${count(list.length - 3)} more` : ''}. Each gets a history of its own; nothing of git’s is touched.`,
    acts: [
      {
        label: list.length === 1 ? 'Record it' : 'Record them',
        act: { do: 'record', folders: list.map(({ folder }) => folder) }
      }
    ],
    canDismiss: true
  }
}

function uncovered(lost: readonly NotCovered[]): Banner {
  const large = lost.filter(({ reason }) => reason === 'too-large').length
  const why =
    large === lost.length ? 'over the size limit' : large === 0 ? 'not readable' : 'over the size limit or not readable'
  const names = lost
    .slice(0, 3)
    .map(({ path, size }) => (size === undefined ? path : `${path} ${bytes(size)}`))
    .join(', ')
  return {
    key: `uncovered-${lost.length}`,
    tone: 'warn',
    icon: 'none',
    lead: `${plural(lost.length, 'file')} ${lost.length === 1 ? 'is' : 'are'} ${why}`,
    rest: ` and ${lost.length === 1 ? 'has' : 'have'} no kept copy.`,
    detail: lost.length > 3 ? `${names} and ${count(lost.length - 3)} more` : names,
    acts: [{ label: 'Show', act: { do: 'show-coverage' } }],
    canDismiss: true
  }
}

/** The folder as it was at a position, and the search for the edit after which a command fails. */
import type { NotStoredReason, Origin, Seq } from './log.ts'

/** A path that could not be given the version that it had: its content is not stored, or was never known. */
export interface UnavailablePath {
  readonly path: string
  readonly reason: NotStoredReason | 'unknown'
}

/** The paths that differ between the folder on disk and a position, written to a folder elsewhere. */
export interface WrittenPosition {
  /**
   * Absolute path of a folder inside the data folder, for whatever the caller needs. The caller deletes it, and the folder
   * around `tree`; the next recorder does where the caller was killed.
   */
  readonly folder: string
  /**
   * Absolute path of the folder that holds every path that differs and existed, below its folders: in `folder`, or in memory and
   * reached through a link of that name there. Not to be changed: positions can share its files.
   */
  readonly tree: string
  readonly seq: Seq
  /** The newest position when the folder was compared: later edits are not part of `tree`. */
  readonly head: Seq
  /** Files and links in `tree`. What happens to these on disk does not reach the position. */
  readonly paths: readonly string[]
  /** Paths to hide: they did not exist. A folder hides all below it. */
  readonly absent: readonly string[]
  /** Paths that stay as they are on disk. */
  readonly unavailable: readonly UnavailablePath[]
}

/** A hunk of one file, or with number 0 the change of that file as a whole. */
export interface ChangePart {
  readonly path: string
  /** From 1, as `driftline diff` numbers them. */
  readonly n: number
}

/** The positions among which the search runs. */
export interface Candidates {
  /** The position where the command passes. */
  readonly good: Seq
  /** The position where it fails. */
  readonly bad: Seq
  /** Whether they were named by the caller, or the command is known to have passed there. */
  readonly named: { readonly good: boolean; readonly bad: boolean }
  /**
   * Edits in force, in log order: those of one tool call together, each of them with the other half of a rename. The
   * number of an edit names the position after it.
   */
  readonly groups: readonly (readonly Seq[])[]
}

/** An edit, or the edits of one tool call, as an answer to "who did this". */
export interface BlamedChange {
  /** Its last edit. */
  readonly seq: Seq
  /** Its first edit. */
  readonly from: Seq
  readonly run: string | null
  readonly turn: string | null
  readonly toolCall: { readonly id: string; readonly name: string; readonly summary: string } | null
  readonly prompt: string | null
  readonly origin: Origin
  readonly agent: string | null
  /** The drift or the restore that it belongs to. */
  readonly drift: string | null
  readonly restore: string | null
  readonly paths: readonly string[]
  /** ms UTC. */
  readonly at: number
}

export type ProbeResult = 'good' | 'bad' | 'skip'

export interface Probe {
  readonly seq: Seq
  readonly result: ProbeResult
  /** How long the command ran. */
  readonly ms: number
  /** A position that was tried before: the answer is made sure. */
  readonly repeat?: true
}

type BisectState = 'found' | 'unclear' | 'never-failed' | 'always-failed'

/** Why a position was not tried: content of it is gone, or the command answered 125. */
export interface SkippedPosition {
  readonly seq: Seq
  readonly why: 'not-stored' | 'command' | 'folder-missing' | 'folder-changing'
  /** Of `not-stored`: the first path. */
  readonly path?: string
}

/** The answer of `driftline bisect --json`. */
export interface BisectResult {
  readonly state: BisectState
  readonly culprit:
    | (BlamedChange & {
        readonly hunks?: readonly ChangePart[]
      })
    | null
  readonly probes: readonly Probe[]
  readonly skipped: readonly SkippedPosition[]
  /** That the culprit is the right one, from 0 to 1. */
  readonly confidence: number
  /** Between these positions; the culprit is at `bad` when it was found. */
  readonly good: Seq
  readonly bad: Seq
  /** How each probe got the folder. */
  readonly method: 'overlay' | 'copy'
  /** The last lines that the command printed where it failed. */
  readonly output: string
}

/** A step of a running search, as `--progress json` prints it. */
export interface BisectProgress {
  readonly phase: 'ends' | 'search' | 'confirm' | 'hunks'
  /** Probes that ended. */
  readonly done: number
  /** Probes in all, as far as known; it shrinks and grows. */
  readonly total: number
  /** Estimate of the time left, ms; null before the first probe ended. */
  readonly leftMs: number | null
  /** The culprit is after `good` and at or before `bad`. */
  readonly good: Seq
  readonly bad: Seq
  /** The newest probe; null at the start. */
  readonly probe: Probe | null
}

/** A search that the window started: while it runs, and its answer until the next one. */
export interface BisectSearch {
  /** As typed. */
  readonly command: string
  /** Targets as given; null without. */
  readonly good: string | null
  readonly bad: string | null
  /** ms UTC. */
  readonly startedAt: number
  readonly state: 'running' | 'done' | 'cancelled' | 'failed'
  readonly progress: BisectProgress | null
  /** So far, oldest first. */
  readonly probes: readonly Probe[]
  readonly result: BisectResult | null
  /** Why it failed. */
  readonly problem: string | null
}

/** What the methods about positions and searches answer with (api.ts). */
export interface BisectResults {
  /** Checks the disk first where the target is one of the log; a search did. Fails with UnknownTarget and DiskFull. */
  'position.write': WrittenPosition
  /** Checks the disk, and names the paths edited after a position; 10,000 at most. */
  'position.changes': { head: Seq; paths: readonly string[] }
  /** Checks the disk first. */
  'bisect.candidates': Candidates
  /** Who made the edits of one candidate, or some of them. */
  'bisect.change': { change: BlamedChange }
  /** What changes between two positions of a search, as parts that can be applied alone. */
  'bisect.parts': { parts: readonly ChangePart[] }
  /** Starts a search as a child of the recorder. Refused while one runs in the folder, and without a recorder. */
  'bisect.start': { search: BisectSearch }
  'bisect.cancel': Record<string, never>
  /** The search that runs, or ended last; null without one, and after it was dismissed. */
  'bisect.state': { search: BisectSearch | null }
  'bisect.dismiss': Record<string, never>
}

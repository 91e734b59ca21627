/**
 * restic, which keeps backups: encrypted, deduplicated, on a disk, by SFTP, in object stores and wherever rclone reaches
 * (restic.net). The person's own program with the person's environment; its questions and errors are shown as they are.
 * What it prints as JSON: restic.readthedocs.io, "Scripting".
 */
import { spawn } from 'node:child_process'
import { DriftlineError } from '../../contract/errors.ts'
import { findProgram, programStart } from '../engine/ports/programs.ts'

/** Marks the snapshots that are Driftline's, in a repository that may have others. */
const TAG = 'driftline'

export interface ResticSnapshot {
  readonly id: string
  /** ms UTC */
  readonly at: number
  /** Name of the computer that it is of. */
  readonly computer: string
}

/** What we read of restic's JSON. */
interface SnapshotRow {
  readonly short_id: string
  readonly time: string
  readonly hostname: string
}
interface Summary {
  readonly data_added: number
  readonly snapshot_id: string
}

interface Place {
  readonly cwd: string
  readonly env: NodeJS.ProcessEnv
}

/** Throws Refused where restic is not installed. */
export function openRestic(repository: string, place: Place) {
  if (findProgram('restic', place) === null) throw new DriftlineError('Refused', MISSING)
  /** Returns what it prints. Throws Refused if it fails. */
  const restic = async (args: readonly string[], what: string, cwd = place.cwd): Promise<string> => {
    const all = ['-r', repository, ...args]
    const { file, args: quoted, verbatim } = programStart('restic', all, { ...place, cwd })
    const child = spawn(file, quoted, {
      cwd,
      env: place.env,
      stdio: ['inherit', 'pipe', 'inherit'],
      windowsVerbatimArguments: verbatim
    })
    let out = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      out += text
    })
    const code = await new Promise<number | null>((done, fail) => child.once('error', fail).once('close', done))
    if (code === 0) return out
    throw new DriftlineError('Refused', `restic could not ${what} (exit code ${code}); its message is above.`, { code })
  }
  return {
    /** Makes the repository. */
    init: async (): Promise<void> => void (await restic(['init', '--quiet'], 'make the repository')),
    /** Stores a folder. Returns the bytes that the repository grew by. */
    backUp: async (folder: string): Promise<{ readonly snapshot: string; readonly added: number }> => {
      // A relative path: the folder has another name each time, and is to be restored under any.
      const out = await restic(['backup', '--tag', TAG, '--json', '.'], 'store the copy', folder)
      const last = out.trimEnd().split('\n').at(-1) ?? ''
      const { snapshot_id: snapshot, data_added: added } = JSON.parse(last) as Summary
      return { snapshot, added }
    },
    /** Oldest first. */
    snapshots: async (): Promise<readonly ResticSnapshot[]> => {
      const text = await restic(['snapshots', '--tag', TAG, '--json'], 'list the backups')
      const rows = (JSON.parse(text) ?? []) as SnapshotRow[]
      return rows
        .map(({ short_id: id, time, hostname: computer }) => ({ id, at: Date.parse(time), computer }))
        .toSorted((a, b) => a.at - b.at)
    },
    restore: async (snapshot: string, into: string): Promise<void> =>
      void (await restic(['restore', snapshot, '--target', into], 'fetch the backup'))
  }
}

const MISSING =
  'Backups are made by restic, which is not installed: `apt install restic`, `brew install restic` or `winget install restic.restic`. Nothing was changed.'

/** What keeps backups, and how the program that carries them is run. */
import { spawn } from 'node:child_process'
import { DriftlineError } from '../../contract/errors.ts'
import { findProgram, programStart } from '../engine/ports/programs.ts'

export interface StoredBackup {
  readonly id: string
  /** ms UTC */
  readonly at: number
  /** Name of the computer that it is of. */
  readonly computer: string
}

export interface BackupStore {
  /** Makes the repository. */
  init(): Promise<void>
  /** Stores a folder. `added`: the bytes that the repository grew by. */
  backUp(folder: string): Promise<{ readonly snapshot: string; readonly added: number }>
  /** Oldest first. */
  snapshots(): Promise<readonly StoredBackup[]>
  restore(snapshot: string, into: string): Promise<void>
}

export interface Place {
  readonly cwd: string
  readonly env: NodeJS.ProcessEnv
}

/** Throws Refused, with `missing`, where the program is not installed. */
export function programOf(name: string, place: Place, missing: string) {
  if (findProgram(name, place) === null) throw new DriftlineError('Refused', missing)
  /** Returns what it prints; its questions and errors are shown as they are. Throws Refused if it fails. */
  return async (args: readonly string[], what: string, cwd = place.cwd): Promise<string> => {
    const { file, args: quoted, verbatim } = programStart(name, [...args], { ...place, cwd })
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
    throw new DriftlineError('Refused', `${name} could not ${what} (exit code ${code}); its message is above.`, {
      code
    })
  }
}

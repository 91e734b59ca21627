/** A backup as a process of its own: the command `driftline backup`, at low priority, with nobody to answer questions. */
import { type ChildProcess, spawn } from 'node:child_process'
import type { Socket } from 'node:net'
import { constants, setPriority } from 'node:os'
import type { BackupEnd } from './automatic-backup.ts'

/** Most characters that are kept of what it prints: an error is at the end. */
const KEPT = 1000

interface BackupCommand {
  /** Program of the command line. */
  readonly cli: string
  readonly dataDir: string
  /** That of the settings, of which the command takes the password file, too. */
  readonly repository: string
}

/** Never rejects. The process outlives this one. */
export function runBackup({ cli, dataDir, repository }: BackupCommand): Promise<BackupEnd> {
  // A recorder that this command started would have its low priority as long as it lives.
  const env: NodeJS.ProcessEnv = { ...process.env, DRIFTLINE_RECORDER: 'off' }
  delete env.DRIFTLINE_RUN
  if (process.versions.electron !== undefined) env.ELECTRON_RUN_AS_NODE = '1'
  const child = spawn(process.execPath, [cli, 'backup', `--data=${dataDir}`, '--', repository], {
    cwd: dataDir,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    // Without a terminal, so that ssh fails instead of asking there.
    detached: process.platform !== 'win32',
    windowsHide: true
  })
  lowerPriority(child)
  // A recorder that ends does not wait for it.
  child.unref()
  for (const stream of [child.stdout, child.stderr]) (stream as Socket).unref()
  const [printed, failed] = [tailOf(child.stdout), tailOf(child.stderr)]
  return new Promise((resolve) => {
    child.once('error', (error) => resolve({ ok: false, message: error.message }))
    child.once('close', (code, signal) => {
      const ok = code === 0
      const message = (ok ? printed() : failed()).trim()
      resolve({ ok, message: message || `It ended with ${signal ?? `exit code ${code}`} and said nothing.` })
    })
  })
}

/**
 * Before it starts restic, which inherits it. As that of an initial snapshot: with the lowest one no backup would end while
 * the computer is busy.
 */
function lowerPriority({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL)
  } catch {
    // Only a courtesy to other programs: where the system refuses it, the backup runs with normal priority.
  }
}

function tailOf(stream: NodeJS.ReadableStream): () => string {
  let text = ''
  stream.setEncoding('utf8')
  stream.on('data', (chunk: string) => {
    text = (text + chunk).slice(-KEPT)
  })
  return () => text
}

/** `driftline backup` and `restore-history`: all histories in a repository of restic or a folder of rclone, and back. */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { DriftlineError } from '../../../contract/errors.ts'
import { plural } from '../../../contract/words/numbers.ts'
import { formatBytes } from '../../../contract/words/sizes.ts'
import { formatTime } from '../../../contract/words/times.ts'
import { whenFreeSync } from '../../engine/files/in-use.ts'
import { ensureDataDir } from '../../host/data-dir.ts'
import { usage } from '../arguments.ts'
import type { BackupStore, Place, StoredBackup } from '../backup-store.ts'
import { columns } from '../columns.ts'
import { command } from '../command.ts'
import { type Context, createContext, currentFolder } from '../context.ts'
import { escapeLine } from '../escape.ts'
import { openBackupStore } from '../open-backup-store.ts'
import { loadEngine } from '../open-client.ts'
import { stopRecorder } from './recorder.ts'

export const backup = command({
  name: 'backup',
  usage: ['[REPOSITORY] [--init] [--now]'],
  summary:
    'store all histories in a restic repository (a folder, sftp:…, s3:…, restic:…) or an rclone folder (rclone:REMOTE:PATH)',
  options: {
    init: { type: 'boolean', help: 'create the repository first' },
    now: { type: 'boolean', help: 'back up at once, which is the default; only the recorder waits after a run' }
  },
  positionals: [0, 1],
  onlyHere: true,
  run: async (context, { positionals: [named], values: { init = false } }) => {
    const { call, output } = context
    const since = performance.now()
    // Without its program nothing is to be changed, and a first call may start a recorder.
    if (named !== undefined) openBackupStore(named, placeOf(context))
    const { repository, place } = await chooseRepository(context, named)
    const store = openBackupStore(repository, place)
    if (init) await store.init()
    output.progress('Copying the histories')
    const { folder, histories, bytes } = await call('history.copy', {})
    try {
      output.progress('Verifying the copies')
      await requireWhole(context, folder)
      output.progress('')
      const { snapshot, added } = await store.backUp(folder).catch((error) => nameInit(error, init))
      const took = Math.round(performance.now() - since)
      return output.print({ repository, snapshot, histories, bytes, added, took }, [
        `Backed up ${plural(histories, 'history', 'histories')} (${formatBytes(bytes)}): the repository grew by ${formatBytes(added)}, snapshot ${escapeLine(snapshot)}.`
      ])
    } finally {
      output.progress('')
      rmSync(folder, { recursive: true, force: true })
    }
  }
})

/** A first backup fails most often because its repository is not there yet. */
function nameInit(error: unknown, isMade: boolean): never {
  if (isMade || !(error instanceof DriftlineError)) throw error
  throw new DriftlineError(error.code, `${error.message} If there is no repository yet, --init makes it.`, error.data)
}

export const restoreHistory = command({
  name: 'restore-history',
  usage: ['REPOSITORY [--as-of TIME] [--computer NAME] [--into DIR]', 'REPOSITORY --list'],
  summary: 'restore the histories of a backup into an empty data folder',
  options: {
    'as-of': { type: 'string', value: 'TIME', help: 'the newest backup made by TIME, such as 2026-01-31T18:00' },
    computer: {
      type: 'string',
      value: 'NAME',
      help: 'only backups of this computer, if the repository has those of several'
    },
    into: { type: 'string', value: 'DIR', help: 'the data folder to restore into (default: that of --data)' },
    list: { type: 'boolean', help: 'list the backups; restore nothing' }
  },
  positionals: [1, 1],
  onlyHere: true,
  run: async (context, { positionals: [repository = ''], values: { into, list = false, computer, ...values } }) => {
    const until = timeOf(values['as-of'])
    const store = openBackupStore(repository, placeOf(context))
    const target = into === undefined ? context : createContext({ ...context, dataDir: folderToCome(context, into) })
    if (!list) requireEmpty(target.dataDir)
    const all = await store.snapshots()
    const wanted = all.filter((each) => each.at <= until && each.computer === (computer ?? each.computer))
    if (list) return context.output.print({ backups: wanted }, columns(wanted.map(cells)))
    const snapshot = newest(wanted, computer)
    try {
      await restoreInto(target, store, snapshot)
      return await report(target, repository, snapshot)
    } finally {
      await target.close()
    }
  }
})

function folderToCome(context: Context, typed: string): string {
  if (typed === '') throw usage(restoreHistory, '--into needs the name of a folder.')
  return resolve(currentFolder(context.invocation), typed)
}

async function restoreInto(context: Context, store: BackupStore, snapshot: StoredBackup): Promise<void> {
  const { dataDir } = context
  await stopRecorder(context)
  ensureDataDir(dataDir)
  mkdirSync(join(dataDir, 'backup'), { recursive: true, mode: 0o700 })
  const folder = mkdtempSync(join(dataDir, 'backup', 'fetched-'))
  try {
    await store.restore(snapshot.id, folder)
    await requireWhole(context, folder)
    moveIntoPlace(folder, dataDir)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The named repository, else that of the settings, which has the password file beside it however it was chosen. */
async function chooseRepository(
  context: Context,
  named: string | undefined
): Promise<{ readonly repository: string; readonly place: Place }> {
  const { values } = await context.call('settings.get', {})
  const [preset = '', file = ''] = [values['backup.repository'], values['backup.password-file']]
  const repository = named ?? preset
  if (repository === '')
    throw usage(
      backup,
      'Name a repository, or set one for all backups: `driftline settings backup.repository REPOSITORY`.'
    )
  const { cwd, env } = placeOf(context)
  const hasFile = repository === preset && file !== ''
  return { repository, place: { cwd, env: hasFile ? { ...env, RESTIC_PASSWORD_FILE: file } : env } }
}

const placeOf = ({ invocation: { cwd, env } }: Context) => ({ cwd: cwd(), env })

function timeOf(text: string | undefined): number {
  const time = text === undefined ? Number.POSITIVE_INFINITY : Date.parse(text)
  if (Number.isNaN(time)) throw usage(restoreHistory, `"${text}" is no time. Write it as 2026-01-31T18:00.`)
  return time
}

function cells({ id, at, computer }: StoredBackup): string[] {
  return [escapeLine(id), formatTime(at), escapeLine(computer)]
}

function newest(snapshots: readonly StoredBackup[], computer: string | undefined): StoredBackup {
  const last = snapshots.at(-1)
  if (!last) throw new DriftlineError('UnknownTarget', 'There is no such backup of Driftline in the repository.')
  const names = [...new Set(snapshots.map((snapshot) => snapshot.computer))]
  if (computer !== undefined || names.length === 1) return last
  const list = names.map((name) => `\`--computer ${name}\``).join(', ')
  throw new DriftlineError('Refused', `The repository has backups of several computers: choose one with ${list}.`)
}

/** [BK-2] What is here is never overwritten, and two lists of folders cannot become one. */
function requireEmpty(dataDir: string): void {
  const count = historiesIn(dataDir).length
  if (count === 0) return
  throw new DriftlineError(
    'Refused',
    `${dataDir} already holds ${plural(count, 'history', 'histories')}, and nothing there was changed. Restore into another data folder with --into DIR, or move this one away first.`,
    { histories: count }
  )
}

function historiesIn(folder: string): readonly string[] {
  const histories = join(folder, 'w')
  return existsSync(histories)
    ? readdirSync(histories).filter((name) => existsSync(join(histories, name, 'store.db')))
    : []
}

/** [BK-1] Throws StoreDamaged if SQLite finds anything wrong in one of the databases. */
async function requireWhole({ dataDir, invocation }: Context, folder: string): Promise<void> {
  const { program } = await loadEngine(dataDir, invocation.programs)
  const files = [join(folder, 'app.db'), ...historiesIn(folder).map((name) => join(folder, 'w', name, 'store.db'))]
  for (const file of files) {
    const [problem] = program.problemsOfDatabase(file)
    if (problem === undefined) continue
    throw new DriftlineError(
      'StoreDamaged',
      `The copy of ${relative(folder, file)} is damaged: ${problem}. Nothing was stored or replaced. \`driftline doctor\` says what is wrong here.`,
      { file: relative(folder, file), problem }
    )
  }
}

/** The list of folders last: a recorder that starts before finds no half of them. */
function moveIntoPlace(from: string, dataDir: string): void {
  mkdirSync(join(dataDir, 'w'), { recursive: true, mode: 0o700 })
  const move = (path: string): void => whenFreeSync(() => renameSync(join(from, path), join(dataDir, path)))
  for (const name of historiesIn(from)) move(join('w', name))
  for (const log of ['app.db-wal', 'app.db-shm']) rmSync(join(dataDir, log), { force: true })
  move('app.db')
}

async function report({ call, output }: Context, repository: string, snapshot: StoredBackup): Promise<number> {
  const { workspaces } = await call('workspaces.list', {})
  const folders = workspaces.map(({ id, root }) => ({ id, root, here: existsSync(root) }))
  const missing = folders.some(({ here }) => !here)
  return output.print({ repository, snapshot: snapshot.id, at: snapshot.at, workspaces: folders, verified: true }, [
    `Restored ${plural(folders.length, 'history', 'histories')} of ${escapeLine(snapshot.computer)}, ${formatTime(snapshot.at)}. No file of a folder was changed.`,
    ...columns(folders.map(({ root, here }) => [`  ${escapeLine(root)}`, here ? '' : 'not on this computer'])),
    ...(missing ? ['`driftline locate` names the new place of a folder; `driftline export --all` needs none.'] : [])
  ])
}

/**
 * [BI-1] The folder as it was at a position, for one command. On Linux an overlay mount in a mount namespace of its own: the
 * command finds the position at the folder's own path, everything that is not recorded is there, and whatever it writes
 * goes to a folder of ours. The mount ends with the last process in the namespace. Elsewhere a copy at another path.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, lchownSync, linkSync, lstatSync, mkdirSync, symlinkSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { WrittenPosition } from '../../../contract/bisect.ts'
import { errorCode, ifExists } from '../../engine/files/fs-errors.ts'
import { absoluteOf } from '../../engine/files/workspace-fs.ts'
import { copyAtPosition } from './position-copy.ts'

/** How a command gets the folder. `root`: the mount belongs to the machine's root, who keeps every permission. */
export type ViewMethod = 'root-overlay' | 'overlay' | 'copy'

/** How to start a command in the view. */
export interface View {
  readonly method: ViewMethod
  /** Where the command starts; absolute. */
  readonly cwd: string
  /**
   * Program and arguments around a command. With `overlay` file descriptor 2 is a pipe to us until the command begins, and 3 its
   * stderr: READY on the pipe says that the mount is made, anything else why it is not.
   */
  wrap(command: readonly [string, ...string[]]): {
    readonly file: string
    readonly args: readonly string[]
    readonly piped: boolean
  }
}

export const READY = 'ready\n'

/**
 * Prepared in the position's folder: `tree` is the position, `lower` leads to the folder on disk, and what the command writes goes
 * to `upper`: the files of `tree` can be those of other positions. `volatile`: the disk is not synced when the mount ends,
 * because nothing in it is kept.
 */
const LAYERS = 'volatile,lowerdir=tree:lower,upperdir=upper,workdir=work'
/** The same without an upper layer: nothing can be written. */
const READ_ONLY = 'ro,lowerdir=tree:lower'
/** Arguments: the position's folder, mount options, the folder, where to start; then the rest of the command line. */
const MOUNT = 'cd -- "$1" && mount -n -t overlay -o "$2" overlay "$3" && cd -- "$4" && shift 4 && exec "$@"'
/** The mount is made: from here on stderr is that of the command. */
const BEGIN = 'echo ready >&2; exec 2>&3 3>&-; exec "$@"'

interface ViewOptions {
  readonly root: string
  readonly inside: string
  readonly method: ViewMethod
  /** Not of a copy. */
  readonly readOnly?: boolean
}

/** `inside`: the folder in it where the command starts, "" for itself. Throws what the system says about copying. */
export async function openView(
  position: WrittenPosition,
  { root, inside, method, readOnly = false }: ViewOptions
): Promise<View> {
  if (method === 'copy') {
    const copy = join(position.folder, 'copy', basename(root) || 'root')
    await copyAtPosition(position, root, copy)
    return { method, cwd: absoluteOf(copy, inside), wrap: ([file, ...args]) => ({ file, args, piped: false }) }
  }
  layOut(position, root)
  const layers = readOnly ? READ_ONLY : LAYERS
  const options = method === 'overlay' ? `userxattr,${layers}` : layers
  const cwd = absoluteOf(root, inside)
  return {
    method,
    cwd,
    wrap: (command) => ({
      file: 'unshare',
      args: [
        ...(method === 'overlay' ? ['--user', '--map-root-user'] : []),
        ...['--mount', '--', 'sh', '-c', MOUNT, 'sh', position.folder, options, root, cwd],
        ...(method === 'overlay' ? asUser() : []),
        ...['sh', '-c', BEGIN, 'sh', ...command]
      ],
      piped: true
    })
  }
}

/** The command is no root of the namespace: it has its own number, and no power over the mount. */
function asUser(): string[] {
  const [uid, gid] = [process.geteuid?.() ?? 0, process.getegid?.() ?? 0]
  return ['unshare', '--user', `--map-user=${uid}`, `--map-group=${gid}`, '--']
}

/** What the mount needs beside `tree`, and in it a whiteout for each path that did not exist. */
function layOut({ folder, tree, absent }: WrittenPosition, root: string): void {
  symlinkSync(root, join(folder, 'lower'))
  mkdirSync(join(folder, 'work'))
  makeUpper(join(folder, 'upper'), tree)
  if (absent.length === 0) return
  // A whiteout is a device with the numbers 0 and 0, which anybody may make; all of them are names of one.
  const beside = dirname(tree)
  let whiteout = makeWhiteout(beside, 0)
  for (const [n, path] of absent.entries()) {
    const absolute = absoluteOf(tree, path)
    try {
      linkSync(whiteout, absolute)
    } catch (error) {
      if (errorCode(error) !== 'EMLINK') throw error
      whiteout = makeWhiteout(beside, n)
      linkSync(whiteout, absolute)
    }
  }
}

/** The root of the mount has the permissions and the owner of the topmost layer. */
function makeUpper(upper: string, tree: string): void {
  const { mode, uid, gid } = lstatSync(tree)
  mkdirSync(upper)
  if (process.geteuid?.() === 0) lchownSync(upper, uid, gid)
  chmodSync(upper, mode & 0o7777)
}

function makeWhiteout(folder: string, n: number): string {
  const whiteout = join(folder, `whiteout-${n}`)
  execFileSync('mknod', [whiteout, 'c', '0', '0'], { stdio: 'ignore' })
  return whiteout
}

/** Tries the methods in turn on an empty position in `folder`, which is of the data folder. Takes about 20 ms. */
export async function chooseMethod(folder: string, root: string): Promise<ViewMethod> {
  if (process.platform !== 'linux') return 'copy'
  const methods: readonly ViewMethod[] = process.geteuid?.() === 0 ? ['root-overlay', 'overlay'] : ['overlay']
  for (const method of methods) {
    const trial = join(folder, method)
    mkdirSync(join(trial, 'tree'), { recursive: true })
    if (await canOpen(trial, root, method)) return method
  }
  return 'copy'
}

async function canOpen(folder: string, root: string, method: ViewMethod): Promise<boolean> {
  const empty: WrittenPosition = {
    folder,
    tree: join(folder, 'tree'),
    seq: 0,
    head: 0,
    paths: [],
    absent: [],
    unavailable: []
  }
  try {
    makeWhiteout(folder, 0)
    const { file, args } = (await openView(empty, { root, inside: '', method })).wrap(['true'])
    const { status, stderr } = spawnSync(file, [...args], { stdio: ['ignore', 'ignore', 'pipe', 'pipe'] })
    return status === 0 && stderr.toString() === READY
  } catch (error) {
    // No such program, or the system refuses the device.
    if (error instanceof Error && ('code' in error || 'status' in error)) return false
    throw error
  }
}

/** Whether a folder exists at the position. */
export function hasFolder({ tree, absent, paths }: WrittenPosition, root: string, inside: string): boolean {
  if (inside === '') return true
  if (ifExists(() => lstatSync(absoluteOf(tree, inside)))?.isDirectory()) return true
  const isHidden = [...absent, ...paths].some((path) => inside === path || inside.startsWith(`${path}/`))
  return !isHidden && ifExists(() => lstatSync(absoluteOf(root, inside)))?.isDirectory() === true
}

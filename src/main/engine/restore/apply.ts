/**
 * [RS-4] Writes a plan to disk. Dull on purpose: it decides nothing, it walks the list in phases.
 *
 *   stage    every new file beside its target, fsynced        nothing visible has changed: failing here is `refused`
 *   look     every touched path still is what the plan saw    else PlanStale, nothing written (RS-2)
 *   --- from here on the restore is carried through; each path ends as done or failed with a reason ---
 *   aside    move away what has the wrong kind
 *   place    make folders, shallow first; rename staged files into place
 *   remove   what must be absent, deepest first; never an entry this plan wrote
 *   modes    folders deepest first
 *   sync     fsync every folder that changed
 *   verify   read everything back (RS-5)
 */

import { createHash } from 'node:crypto'
import { constants } from 'node:fs'
import { chmod, lchown, lstat, mkdir, open, readdir, rename, rmdir, symlink, unlink } from 'node:fs/promises'
import type { FileVersion, ItemAction } from '../../../contract/domain.ts'
import { DriftlineError } from '../../../contract/errors.ts'
import { errorCode, isAbsence } from '../files/fs-errors.ts'
import { absoluteOf, childOf, createInside, isWithin, OWN_PREFIX, parentOf } from '../files/inside.ts'
import { type Signature, sameSignature, signatureOf } from '../files/signature.ts'
import { readStable } from '../files/stable-read.ts'
import { inParallel } from '../ports/parallel.ts'
import { sha256 } from '../store/hash.ts'

export interface ApplyItem {
  readonly n: number
  readonly path: string
  readonly action: Exclude<ItemAction, 'keep'>
  readonly before: FileVersion
  readonly after: FileVersion
  /** Stat recorded with `before`; null = absent. */
  readonly expected: Signature | null
}

export interface Applied {
  readonly n: number
  readonly path: string
  readonly result: 'done' | 'failed' | 'kept'
  readonly reason: string
  /** Stat of what was written; null when absent or failed. */
  readonly signature: Signature | null
}

/** Named moments a crash test may kill the process at. */
export type ApplyPoint = 'staged' | 'looked' | 'aside' | `placed:${number}` | 'placed' | 'removed' | 'verified'

export interface ApplyOptions {
  readonly root: string
  readonly restore: string
  readonly items: readonly ApplyItem[]
  /** Exact bytes of `after`, in pieces. Throws NotStored or StoreDamaged. */
  content(item: ApplyItem, take: (piece: Buffer) => void): void
  progress(phase: 'stage' | 'write' | 'verify', done: number, path: string): void
  /** Called between `look` and the first change: the journal says from here on that files may have changed. */
  committed(): void
  point?(point: ApplyPoint): void
}

const IN_FLIGHT = 16

/** Applies the items. Throws PlanStale, DiskFull or Refused with nothing changed; afterwards it always answers for every item. */
export async function applyPlan(options: ApplyOptions): Promise<Applied[]> {
  const state = createState(options)
  try {
    await stage(state)
    options.point?.('staged')
    look(state)
    await refuseForeignContent(state)
  } catch (error) {
    await dropStaged(state)
    throw error
  }
  options.point?.('looked')
  options.committed()
  await moveAside(state)
  options.point?.('aside')
  await place(state)
  options.point?.('placed')
  await remove(state)
  options.point?.('removed')
  await setModes(state)
  await dropStaged(state)
  await syncFolders(state)
  verify(state)
  options.point?.('verified')
  return options.items.map((item) => state.results.get(item.n) as Applied)
}

interface State {
  readonly options: ApplyOptions
  readonly staged: Map<number, string>
  /** Folder or file moved out of the way: root-relative path -> absolute place. */
  readonly aside: Map<string, string>
  readonly written: Set<number>
  readonly touchedFolders: Set<string>
  readonly results: Map<number, Applied>
}

function createState(options: ApplyOptions): State {
  return {
    options,
    staged: new Map(),
    aside: new Map(),
    written: new Set(),
    touchedFolders: new Set(),
    results: new Map()
  }
}

const isContent = (item: ApplyItem): boolean =>
  item.after.kind === 'symlink' || (item.after.kind === 'file' && item.action !== 'mode')

function fail(state: State, item: ApplyItem, reason: string, result: 'failed' | 'kept' = 'failed'): void {
  state.results.set(item.n, { n: item.n, path: item.path, result, reason, signature: null })
}

const failed = (state: State, item: ApplyItem): boolean => state.results.has(item.n)

// ---- stage ----

async function stage(state: State): Promise<void> {
  const { options } = state
  const inside = createInside(options.root)
  const gone = options.items.filter((item) => item.after.kind !== 'dir').map((item) => item.path)
  const goneSet = new Set(gone)
  let done = 0
  await inParallel(options.items.filter(isContent), IN_FLIGHT, async (item) => {
    let folder = parentOf(item.path)
    while (folder !== '' && (goneSet.has(folder) || inside.look(folder)?.kind !== 'dir')) folder = parentOf(folder)
    const temp = absoluteOf(options.root, childOf(folder, `${OWN_PREFIX}${options.restore}-${item.n}.new`))
    state.staged.set(item.n, temp)
    try {
      await stageOne(state, item, temp, absoluteOf(options.root, folder))
    } catch (error) {
      throw staging(item, error)
    }
    options.progress('stage', ++done, item.path)
  })
}

async function stageOne(state: State, item: ApplyItem, temp: string, folder: string): Promise<void> {
  if (item.after.kind === 'symlink') {
    await symlink(item.after.target as string, temp)
    return
  }
  const file = await open(
    temp,
    constants.O_CREAT | constants.O_EXCL | constants.O_WRONLY | (constants.O_NOFOLLOW ?? 0),
    0o600
  )
  try {
    if (item.after.size <= 1 << 20) {
      const pieces: Buffer[] = []
      state.options.content(item, (piece) => pieces.push(piece))
      for (const piece of pieces) await file.writeFile(piece)
    } else {
      // Pieces come synchronously from the store; each is written before the next is unpacked, so memory stays flat.
      const { writeSync } = await import('node:fs')
      state.options.content(item, (piece) => {
        for (let at = 0; at < piece.length; ) at += writeSync(file.fd, piece, at)
      })
    }
    await keepOwner(state, item, file, folder)
    await file.chmod(item.after.mode)
    await file.sync()
  } finally {
    await file.close()
  }
}

/** As root a restored file keeps the owner of what it replaces, or of its folder. */
async function keepOwner(
  state: State,
  item: ApplyItem,
  file: { chown(uid: number, gid: number): Promise<void> },
  folder: string
): Promise<void> {
  if (process.getuid?.() !== 0) return
  const model = item.expected ? absoluteOf(state.options.root, item.path) : folder
  const { uid, gid } = await lstat(model)
  if (uid !== 0 || gid !== 0) await file.chown(uid, gid)
}

function staging(item: ApplyItem, error: unknown): Error {
  if (error instanceof DriftlineError) return error
  const code = errorCode(error)
  if (code === 'ENOSPC' || code === 'EDQUOT') {
    return new DriftlineError(
      'DiskFull',
      `There is no space left to write ${item.path}. Nothing was changed. Free some space and try again.`,
      { path: item.path }
    )
  }
  if (code === '') throw error
  return new DriftlineError('Refused', `${item.path} cannot be written (${code}). Nothing was changed.`, {
    path: item.path,
    code
  })
}

async function dropStaged(state: State): Promise<void> {
  for (const temp of state.staged.values()) {
    await unlink(temp).catch((error: unknown) => {
      if (!isAbsence(error)) throw error
    })
  }
  state.staged.clear()
}

// ---- look ----

function look(state: State): void {
  const { root, items } = state.options
  const inside = createInside(root)
  const stale = items.filter((item) => !asExpected(inside.look(item.path), item))
  if (stale.length === 0) return
  throw new DriftlineError(
    'PlanStale',
    `${stale.length === 1 ? `${stale[0]?.path} changed` : `${stale.length} files changed`} since the preview. Nothing was written. Look at the new preview and decide again.`,
    { paths: stale.slice(0, 100).map((item) => item.path) }
  )
}

function asExpected(now: Signature | null, item: ApplyItem): boolean {
  if (!now || !item.expected) return (now === null) === (item.before.kind === 'absent')
  if (now.kind === 'dir')
    return item.expected.kind === 'dir' && now.ino === item.expected.ino && now.mode === item.expected.mode
  return sameSignature(now, item.expected)
}

/** A folder that makes way for a file may hold only what the plan removes; anything else would be lost with it. */
async function refuseForeignContent(state: State): Promise<void> {
  const { root, items } = state.options
  const planned = new Set(items.map((item) => item.path))
  for (const item of items) {
    if (item.before.kind !== 'dir' || item.after.kind === 'dir' || item.after.kind === 'absent') continue
    const foreign = await findForeign(root, item.path, planned)
    if (foreign === null) continue
    throw new DriftlineError(
      'Refused',
      `${item.path} would have to make way, but it holds ${foreign}, which is not recorded. Nothing was changed. Move it away first.`,
      {
        path: item.path,
        foreign
      }
    )
  }
}

async function findForeign(root: string, folder: string, planned: ReadonlySet<string>): Promise<string | null> {
  for (const entry of await readdir(absoluteOf(root, folder), { withFileTypes: true })) {
    const path = childOf(folder, entry.name)
    if (entry.name.startsWith(OWN_PREFIX)) continue
    if (!planned.has(path)) return path
    const below = entry.isDirectory() ? await findForeign(root, path, planned) : null
    if (below !== null) return below
  }
  return null
}

// ---- the restore itself ----

async function moveAside(state: State): Promise<void> {
  for (const item of state.options.items) {
    const wasFolder = item.before.kind === 'dir'
    if (item.before.kind === 'absent' || item.after.kind === 'absent' || wasFolder === (item.after.kind === 'dir'))
      continue
    const folder = parentOf(item.path)
    const to = absoluteOf(state.options.root, childOf(folder, `${OWN_PREFIX}${state.options.restore}-${item.n}.old`))
    await attempt(state, item, async () => {
      await rename(absoluteOf(state.options.root, item.path), to)
      state.aside.set(item.path, to)
      state.touchedFolders.add(folder)
    })
  }
}

async function place(state: State): Promise<void> {
  const { root, items, progress, point } = state.options
  for (const item of items) {
    if (item.after.kind !== 'dir' || item.action === 'mode' || failed(state, item)) continue
    await attempt(state, item, async () => {
      await makeFolder(absoluteOf(root, item.path))
      state.touchedFolders.add(parentOf(item.path))
    })
  }
  let done = 0
  // Looked at again right before each rename; folders are looked at anew, because the plan has just changed some.
  const inside = createInside(root)
  for (const item of items) {
    const temp = state.staged.get(item.n)
    if (temp === undefined || failed(state, item)) continue
    await attempt(state, item, async () => {
      if (!state.aside.has(item.path) && !asExpected(inside.look(item.path), item)) {
        fail(state, item, 'it changed at the last moment and was left alone')
        return
      }
      const folder = parentOf(item.path)
      if (folder !== '' && inside.look(folder)?.kind !== 'dir') {
        fail(state, item, `${folder} is not a folder any more`)
        return
      }
      const target = absoluteOf(root, item.path)
      await rename(temp, target)
      state.staged.delete(item.n)
      state.written.add((await lstat(target)).ino)
      state.touchedFolders.add(folder)
    })
    progress('write', ++done, item.path)
    point?.(`placed:${done}`)
  }
}

async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path, 0o700)
  } catch (error) {
    if (errorCode(error) !== 'EEXIST' || !(await lstat(path)).isDirectory()) throw error
  }
}

async function remove(state: State): Promise<void> {
  const { root, items } = state.options
  const inside = createInside(root)
  for (const item of [...items].reverse()) {
    if (item.after.kind !== 'absent' || failed(state, item)) continue
    const moved = [...state.aside].find(([path]) => path !== item.path && isWithin(item.path, path))
    const place = moved ? moved[1] + item.path.slice(moved[0].length) : absoluteOf(root, item.path)
    await attempt(state, item, async () => {
      const now = moved ? signatureOf(await lstat(place)) : inside.look(item.path)
      if (!now) return
      if (state.written.has(now.ino)) return
      if (item.before.kind === 'dir') await removeFolder(state, item, place)
      else if (sameSignature(now, item.expected as Signature)) await unlink(place)
      else fail(state, item, 'it changed at the last moment and was left alone')
      state.touchedFolders.add(parentOf(item.path))
    })
  }
  for (const [path, place] of state.aside) {
    const item = items.find((one) => one.path === path) as ApplyItem
    await attempt(state, item, () => (item.before.kind === 'dir' ? removeFolder(state, item, place) : unlink(place)))
  }
}

async function removeFolder(state: State, item: ApplyItem, place: string): Promise<void> {
  try {
    await rmdir(place)
  } catch (error) {
    if (!['ENOTEMPTY', 'EEXIST'].includes(errorCode(error))) throw error
    const [first] = await readdir(place)
    fail(state, item, `the folder still holds ${first ?? 'something'} and was kept`, 'kept')
  }
}

async function setModes(state: State): Promise<void> {
  // Deepest first: a folder that becomes read-only must not lock out work inside it.
  for (const item of [...state.options.items].reverse()) {
    if (failed(state, item) || (item.action !== 'mode' && item.after.kind !== 'dir')) continue
    await attempt(state, item, async () => {
      await chmod(absoluteOf(state.options.root, item.path), item.after.mode)
      if (item.action === 'mkdir' && process.getuid?.() === 0) {
        const { uid, gid } = await lstat(absoluteOf(state.options.root, parentOf(item.path)))
        await lchown(absoluteOf(state.options.root, item.path), uid, gid)
      }
    })
  }
}

async function syncFolders(state: State): Promise<void> {
  await inParallel([...state.touchedFolders], IN_FLIGHT, async (path) => {
    try {
      const folder = await open(absoluteOf(state.options.root, path), constants.O_RDONLY)
      try {
        await folder.sync()
      } finally {
        await folder.close()
      }
    } catch (error) {
      // Gone in the meantime, or a system that cannot sync folders (Windows): its rename is durable by itself there.
      if (!isAbsence(error) && !['EISDIR', 'EPERM', 'EINVAL', 'EACCES'].includes(errorCode(error))) throw error
    }
  })
}

/** [RS-5] What is on disk now decides, not what was written. */
function verify(state: State): void {
  const { root, items, progress } = state.options
  const inside = createInside(root)
  let done = 0
  for (const item of items) {
    if (!failed(state, item)) {
      const signature = inside.look(item.path)
      const wrong = difference(root, item, signature)
      if (wrong) fail(state, item, wrong)
      else state.results.set(item.n, { n: item.n, path: item.path, result: 'done', reason: '', signature })
    }
    if (++done % 50 === 0 || done === items.length) progress('verify', done, item.path)
  }
}

function difference(root: string, item: ApplyItem, now: Signature | null): string {
  const { after } = item
  if (after.kind === 'absent') return now === null ? '' : 'it is still there'
  if (!now) return 'it is not there'
  if (now.kind !== after.kind) return `it is a ${now.kind}, not a ${after.kind}`
  if (after.kind !== 'symlink' && now.mode !== after.mode) return 'its permissions are not what they should be'
  if (after.kind === 'dir') return ''
  const digest = createHash('sha256')
  const read = readStable(absoluteOf(root, item.path), Number.POSITIVE_INFINITY, {
    restart: () => {},
    piece: (piece) => digest.update(piece)
  })
  if (read.result === 'link') return read.target === after.target ? '' : 'it points somewhere else'
  const hash = read.result === 'bytes' ? sha256(read.bytes) : read.result === 'pieces' ? digest.digest() : null
  return hash?.toString('hex') === after.hash ? '' : 'its content is not what was written'
}

/** Runs one step of one item; what the file system refuses is that item's reason, and the others go on. */
async function attempt(state: State, item: ApplyItem, step: () => Promise<void>): Promise<void> {
  try {
    await step()
  } catch (error) {
    const code = errorCode(error)
    if (code === '') throw error
    fail(state, item, REASONS[code] ?? `the system refused it (${code})`)
  }
}

const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'there is no permission to change it',
  EPERM: 'there is no permission to change it',
  EBUSY: 'it is open in another program',
  ENOSPC: 'the disk is full',
  EROFS: 'the disk is read-only',
  EIO: 'the disk reported an error',
  EXDEV: 'it is on another disk than its folder'
}

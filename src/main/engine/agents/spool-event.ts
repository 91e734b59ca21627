/**
 * The hook's side of the spool: saves an event that no recorder took, together with the files it names as they are now.
 * Without them the recorder, which reads the event later, could not know what a tool is about to overwrite.
 */
import { closeSync, existsSync, mkdirSync, openSync, renameSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { ifReadable, ignoreFsErrors } from '../files/fs-errors.ts'
import { whenFreeSync } from '../files/in-use.ts'
import { openParents } from '../files/pinned-folder.ts'
import { removeFile } from '../files/remove.ts'
import { readStable } from '../files/stable-read.ts'
import { type AgentEvent, isAgent } from './agent-action.ts'
import type { FileImage, HookEvent, SpooledEvent } from './hook-event.ts'
import { normalizeEvent } from './normalize.ts'
import { pathInside, resolveParentLinks } from './path-inside.ts'
import { isUsablePath } from './tool-use.ts'

/** Files of one event, bytes in all, and how many: the agent waits while they are copied. */
const MAX_IMAGE_BYTES = 64 * 1024 * 1024
const MAX_IMAGES = 200

/**
 * Saves the event for the recorder. On a full disk the event is lost: an agent must never fail. Never throws for that.
 * An agent that did not wait may have changed the files by now, so they are not saved then.
 */
export function spoolEvent(dataDir: string, hookEvent: HookEvent, isAwaited = (): boolean => true): void {
  const folder = join(dataDir, 'spool')
  const { agent, event, payload } = hookEvent
  const normalized = isAgent(agent) ? normalizeEvent(agent, event, payload) : null
  const images: FileImage[] = []
  ignoreFsErrors(() => {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    // Files first: the event, once it is there, is complete.
    const isSaved = !normalized || ignoreFsErrors(() => saveImages(folder, hookEvent, normalized, images))
    if (!isSaved || !isAwaited()) removeImages(folder, images)
    const transcriptEnd = sizeOf(normalized?.origin.transcript)
    if (!writeEvent(folder, { ...hookEvent, images, transcriptEnd })) removeImages(folder, images)
  })
}

/**
 * Saves the event of a hook that cannot wait until it is recorded, for a recorder that is killed before. Without the
 * files it names: whoever records it now reads them. Returns what removes it. On a full disk nothing is saved.
 */
export function spoolUntilRecorded(dataDir: string, hookEvent: HookEvent): () => void {
  const folder = join(dataDir, 'spool')
  const { agent, event, payload } = hookEvent
  const normalized = isAgent(agent) ? normalizeEvent(agent, event, payload) : null
  ignoreFsErrors(() => {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    writeEvent(folder, { ...hookEvent, images: [], transcriptEnd: sizeOf(normalized?.origin.transcript) })
  })
  return () => ignoreFsErrors(() => removeFile(eventFile(folder, hookEvent.id)))
}

const eventFile = (folder: string, id: string): string => join(folder, `${id}.json`)

/** Writes the event whole or not at all; false when the disk refused. */
function writeEvent(folder: string, event: SpooledEvent): boolean {
  const file = eventFile(folder, event.id)
  const saved = ignoreFsErrors(() => {
    writeFileSync(`${file}.tmp`, JSON.stringify(event), { mode: 0o600 })
    whenFreeSync(() => renameSync(`${file}.tmp`, file))
  })
  if (!saved) removeFile(`${file}.tmp`)
  return saved
}

function removeImages(folder: string, images: FileImage[]): void {
  for (const { file } of images.splice(0)) if (file !== null) removeFile(join(folder, file))
}

/** Fills `images` with the files that the event's tools name, inside the agent's project. */
function saveImages(
  folder: string,
  { id, project }: HookEvent,
  { origin, actions }: AgentEvent,
  images: FileImage[]
): void {
  const { cwd } = origin
  if (!isUsablePath(cwd)) return
  const roots = [project ?? repositoryAbove(cwd), cwd].map((root) => resolveParentLinks(join(root, 'x')).slice(0, -2))
  const named = actions.flatMap((action) =>
    action.kind === 'tool-start' || action.kind === 'tool-end' ? action.use.paths : []
  )
  let left = MAX_IMAGE_BYTES
  for (const path of new Set(named.filter(isUsablePath).map((name) => resolveParentLinks(resolve(cwd, name))))) {
    const root = roots.find((root) => pathInside(root, path))
    if (images.length >= MAX_IMAGES || root === undefined) continue
    const image = ifReadable(() => saveImage(folder, `${id}.${images.length}.image`, root, path, left))
    if (!image) continue
    images.push(image)
    left -= image.signature?.size ?? 0
  }
}

/**
 * [CP-2] [CP-4] Copies one path as it is at one moment; null for folders, devices, and what cannot be read or is too
 * large. What is below a link is absent.
 */
function saveImage(folder: string, file: string, root: string, path: string, limit: number): FileImage | null {
  // The links in the path are resolved: a folder that is a link now was swapped for it.
  using parents = openParents({ root, isFolder: () => true, absolute: () => path })
  const absolute = parents.absolute(pathInside(root, path) as string)
  if (absolute === null) return { path, signature: null, file: null }
  const target = join(folder, file)
  let copy: number | null = null
  /** Starts the copy anew. */
  const open = (): number => {
    if (copy !== null) closeSync(copy)
    copy = openSync(target, 'w', 0o600)
    return copy
  }
  let isCopied = false
  try {
    const read = readStable(absolute, limit, {
      restart: open,
      piece: (bytes) => writeFileSync(copy ?? open(), bytes)
    })
    if (read.result === 'absent') return { path, signature: null, file: null }
    if (read.result === 'link' && read.target !== null) symlinkSync(read.target, target)
    else if (read.result === 'bytes') writeFileSync(open(), read.bytes)
    else if (read.result !== 'pieces') return null
    isCopied = true
    return { path, signature: read.signature, file }
  } finally {
    if (copy !== null) closeSync(copy)
    if (!isCopied) removeFile(target)
  }
}

function sizeOf(transcript: string | null | undefined): number | undefined {
  if (!transcript || !isUsablePath(transcript)) return undefined
  let size: number | undefined
  ignoreFsErrors(() => {
    size = statSync(transcript, { throwIfNoEntry: false })?.size
  })
  return size
}

/** The nearest folder with a git repository, else `cwd`: an agent may work in a folder of its project. */
function repositoryAbove(cwd: string): string {
  for (let at = cwd; ; at = dirname(at)) {
    if (existsSync(join(at, '.git'))) return at
    if (dirname(at) === at) return cwd
  }
}

/**
 * Reviews of bundles: each is a history of its own in the data folder, `bundles/ID`, that no list of recorded folders has,
 * nothing is recorded in, and no backup copies. It is deleted when a person closes it, or a week after it was opened.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { BundleInfo } from '../../../contract/bundle.ts'
import { DriftlineError } from '../../../contract/errors.ts'
import type { Workspace, WorkspaceId } from '../../../contract/workspace.ts'
import { importBundle } from '../bundles/import-bundle.ts'
import { readBundle } from '../bundles/read-bundle.ts'
import { ifExists } from '../files/fs-errors.ts'
import { whenFreeSync } from '../files/in-use.ts'
import { removeTree } from '../files/remove.ts'
import { log } from '../ports/log.ts'
import { newId } from '../store/ids.ts'
import { openStore } from '../store/open-store.ts'
import type { Registered } from './recorded-folders.ts'
import { storeFile } from './store-file.ts'
import type { OpenWorkspace } from './workspace.ts'

const KEPT_MS = 7 * 24 * 60 * 60_000
const INFO = 'bundle.json'

/** What the history of a review is opened with. `folder` holds it, and nothing else. */
export type StartReview = (workspace: Workspace, folder: string) => OpenWorkspace

export function createBundleReviews(dataDir: string, start: StartReview) {
  const parent = join(dataDir, 'bundles')
  const folderOf = (id: WorkspaceId): string => join(parent, id)
  const opened = new Map<WorkspaceId, OpenWorkspace>()

  const find = (id: WorkspaceId): Registered | null => {
    if (!/^bundle_[0-9a-z]{12}$/.test(id)) return null
    const text = ifExists(() => readFileSync(join(folderOf(id), INFO), 'utf8'))
    return text === null ? null : toRegistered(id, JSON.parse(text) as BundleInfo, openedAt(folderOf(id)))
  }
  const close = async (id: WorkspaceId): Promise<void> => {
    const open = opened.get(id)
    opened.delete(id)
    await open?.close()
    removeTree(folderOf(id))
  }
  return {
    find,
    /** Newest first. */
    list: (): Registered[] =>
      (ifExists(() => readdirSync(parent)) ?? [])
        .flatMap((name) => find(name) ?? [])
        .sort((a, b) => b.addedAt - a.addedAt),
    /** Throws NotAWorkspace. */
    open: (id: WorkspaceId): OpenWorkspace => {
      const known = opened.get(id)
      if (known) return known
      const found = find(id)
      if (!found)
        throw new DriftlineError('NotAWorkspace', 'That review was closed. Open its bundle again.', { workspace: id })
      const open = start(toWorkspace(found), folderOf(id))
      opened.set(id, open)
      return open
    },
    /** `name`: of the file as a person knows it. Throws Refused; nothing is left of a bundle that is refused. */
    add: async (file: string, name: string): Promise<Workspace> => {
      const id = newId('bundle')
      const folder = folderOf(id)
      mkdirSync(folder, { recursive: true, mode: 0o700 })
      try {
        const bundle = await readBundle(file)
        const store = openStore(storeFile(folder, id))
        try {
          const info = await importBundle(store, bundle)
          // In place as a whole or not at all: its presence says that the review is complete.
          writeFileSync(join(folder, `${INFO}.new`), `${JSON.stringify({ ...info, file: name })}\n`, { mode: 0o600 })
          whenFreeSync(() => renameSync(join(folder, `${INFO}.new`), join(folder, INFO)))
        } finally {
          store.close()
        }
      } catch (error) {
        removeTree(folder)
        throw error
      }
      return toWorkspace(find(id) as Registered)
    },
    close,
    /** Deletes reviews that were opened a week ago, and what a process that was killed left of one. */
    deleteOld: (now: number): void => {
      for (const name of ifExists(() => readdirSync(parent)) ?? []) {
        const isWhole = existsSync(join(parent, name, INFO))
        if (isWhole && openedAt(join(parent, name)) > now - KEPT_MS) continue
        log.info(`the review ${name} was deleted`)
        removeTree(join(parent, name))
      }
    },
    closeAll: async (): Promise<void> => {
      const all = [...opened.values()]
      opened.clear()
      await Promise.all(all.map((open) => open.close()))
    }
  }
}

function openedAt(folder: string): number {
  return ifExists(() => statSync(join(folder, INFO)).mtimeMs) ?? 0
}

function toRegistered(id: WorkspaceId, bundle: BundleInfo, addedAt: number): Registered {
  return { id, root: bundle.file, name: basename(bundle.file), bundle, addedAt: Math.round(addedAt) }
}

function toWorkspace({ id, root, name, bundle }: Registered): Workspace {
  return { id, root, name, ...(bundle ? { bundle } : {}) }
}

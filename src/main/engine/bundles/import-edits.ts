/** The contents and edits of a bundle, written as the log of a new history. */
import { insertEditCall } from '../store/edit-calls.ts'
import type { Store } from '../store/open-store.ts'
import type { Writable } from '../store/sql.ts'
import { createContentImport } from './import-contents.ts'
import { createPathImport } from './import-paths.ts'
import type { ValueOf } from './line-schema.ts'
import { badBundle } from './read-bundle.ts'

export type EditImport = ReturnType<typeof createEditImport>

/** An edit that was written: by what a rename names it. */
interface WrittenEdit {
  readonly path: string
  readonly isRemoval: boolean
  /** A path has its content. */
  isTaken: boolean
}

export function createEditImport(store: Store, run: string) {
  const contents = createContentImport(store)
  const paths = createPathImport(contents)
  const written: WrittenEdit[] = []
  const masked = new Set<string>()

  /** The edit by which another path lost the content that came here; null if it is no rename. */
  const departureOf = ({ path, movedFrom }: ValueOf<'edit'>): WrittenEdit | null => {
    if (movedFrom === undefined) return null
    const departure = written[movedFrom - 1]
    if (!departure?.isRemoval || departure.isTaken || departure.path === path) throw badBundle('a rename has no origin')
    return departure
  }
  return {
    has: paths.has,
    /** Files of which a version is masked: what is shown is not what was written. */
    maskedPaths: (): string[] => [...masked].sort(),
    addContent: contents.add,
    addEdit: (tx: Writable<Store>, edit: ValueOf<'edit'>): void => {
      contents.close()
      const path = paths.find(tx, edit.path, edit.before)
      // [LG-2]
      if (path.last.text !== JSON.stringify(edit.before)) throw badBundle('its edits do not follow each other')
      const after = paths.addVersion(tx, edit.after)
      const departure = departureOf(edit)
      const isOwn = edit.turn !== undefined
      const seq = tx.records.addEdit({
        path: path.id,
        before: path.last.version,
        after,
        origin: isOwn ? 'agent' : 'outside',
        attribution: isOwn ? edit.attribution : 'none',
        base: path.edit,
        at: edit.at,
        restore: null,
        drift: null,
        movedFrom: null
      } as Parameters<typeof tx.records.addEdit>[0])
      if (edit.turn !== undefined) insertEditCall(tx, seq, { run, turn: edit.turn, call: edit.call ?? null })
      if (departure && edit.movedFrom !== undefined) {
        departure.isTaken = true
        tx.records.setMovedFrom(seq, edit.movedFrom)
      }
      tx.records.setHead(path.id, after, seq, null, 0)
      path.last = { text: JSON.stringify(edit.after), version: after }
      path.edit = seq
      written.push({ path: edit.path, isRemoval: edit.after.kind === 'absent', isTaken: false })
      for (const { content } of [edit.before, edit.after])
        if (content !== undefined && contents.get(content)?.masked) masked.add(edit.path)
    }
  }
}

/**
 * What a history says of its own folder: the copy of its row in app.db, in table `meta`. With it the list of folders can be
 * made again when app.db is lost or replaced by an older copy.
 */
import { statSync } from 'node:fs'
import { isAbsolute } from 'node:path'
import { errorCode } from '../files/fs-errors.ts'
import { openAsItIs, userVersion } from './database.ts'
import { readMeta, writeMeta } from './meta.ts'
import { refuseForeignSchema } from './migrate.ts'
import { type Readable, transact } from './sql.ts'
import { STORE_MIGRATIONS } from './store-schema.ts'

export interface FolderCard {
  /** Absolute path of the folder. */
  readonly root: string
  /** Milliseconds UTC. */
  readonly addedAt: number
  /** When the folder was removed and its history kept, ms UTC; null while it is recorded. */
  readonly removedAt: number | null
  /** Settings of what is recorded and how long it is kept: those of all folders, and its own. */
  readonly settings: Readonly<Record<string, string>>
  /** The number of the change of app.db whose result this is. */
  readonly rev: number
}

const KEY = 'folder'

/** Null if the history has none, or none that Driftline wrote. */
function readCard(store: Readable): FolderCard | null {
  try {
    const card = JSON.parse(readMeta(store, KEY) ?? 'null') as FolderCard | null
    return card !== null && isCard(card) ? card : null
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
}

function isCard({ root, addedAt, removedAt, settings, rev }: Partial<FolderCard>): boolean {
  return (
    typeof root === 'string' &&
    isAbsolute(root) &&
    !root.includes('\0') &&
    Number.isSafeInteger(addedAt) &&
    (removedAt === null || Number.isSafeInteger(removedAt)) &&
    Number.isSafeInteger(rev) &&
    typeof settings === 'object' &&
    settings !== null &&
    Object.values(settings).every((value) => typeof value === 'string')
  )
}

/** Writes the card if it says something else than the one there. One of a later change stays. */
export function putCard(store: Readable, card: FolderCard): void {
  const known = readCard(store)
  if (known && (known.rev > card.rev || textOf({ ...known, rev: card.rev }) === textOf(card))) return
  transact(store, (tx) => writeMeta(tx, KEY, textOf(card)))
}

function textOf({ root, addedAt, removedAt, settings, rev }: FolderCard): string {
  const sorted = Object.fromEntries(Object.entries(settings).sort(([a], [b]) => (a < b ? -1 : 1)))
  return JSON.stringify({ root, addedAt, removedAt, settings: sorted, rev })
}

/** A closed history: its card, null without one, or why it cannot be read: a code of SQLite or of the system. */
type ClosedHistory = { readonly card: FolderCard | null } | { readonly unreadable: string }

/** Reads the card of a history that is not open; null if there is no history. Costs the same whatever it holds. */
export function readClosedCard(file: string): ClosedHistory | null {
  return whileOpen(file, 'to-read', (store) => ({ card: readCard(store) }))
}

/** Writes the card of a history that is not open. Leaves what is missing, unreadable or of a newer format as it is. */
export function putClosedCard(file: string, card: FolderCard): ClosedHistory | null {
  return whileOpen(file, 'to-write', (store) => {
    if (userVersion(store.db) <= STORE_MIGRATIONS.length) putCard(store, card)
    return { card }
  })
}

function whileOpen(
  file: string,
  use: Parameters<typeof openAsItIs>[1],
  act: (store: Readable) => ClosedHistory
): ClosedHistory | null {
  if (!statSync(file, { throwIfNoEntry: false })?.size) return null
  try {
    const db = openAsItIs(file, use)
    try {
      refuseForeignSchema(db)
      return act({ db })
    } finally {
      db.close()
    }
  } catch (error) {
    const code = errorCode(error)
    if (code === '') throw error
    return { unreadable: code }
  }
}

/** Opens app.db, which holds what is known beyond single workspaces: recorded folders, settings, and facts about agents. */
import { APP_MIGRATIONS } from '../../db/app-schema.ts'
import { migrate, openPrepared, type PrepareSchema } from '../../db/migrate.ts'
import type { Db } from '../../db/open.ts'

export interface AppStore {
  readonly db: Db
  close(): void
}

/** `prepare` migrates it, or only checks its format. Throws StoreNewer and StoreDamaged; the connection is closed then. */
export function openAppStore(file: string, prepare: PrepareSchema = migrate): AppStore {
  const db = openPrepared(file, prepare, APP_MIGRATIONS)
  return { db, close: () => db.close() }
}

/** Schema of app.db: the recorded folders, settings, and what is known about agents. Comments: see store-schema.ts. */
import { completeFirstFormat } from './first-format.ts'
import type { Migrations } from './migrate.ts'

const FORMAT_1 = `
CREATE TABLE workspace(
  id TEXT PRIMARY KEY,
  root TEXT NOT NULL UNIQUE,
  added_at INTEGER NOT NULL
) STRICT;
CREATE TABLE setting(key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
-- When the last hook event of each agent arrived.
CREATE TABLE agent(id TEXT PRIMARY KEY, last_event_at INTEGER NOT NULL) STRICT, WITHOUT ROWID;
-- The newest test event that arrived through each agent's hook command; nonce tells which test sent it.
CREATE TABLE agent_test(agent TEXT PRIMARY KEY, nonce TEXT NOT NULL, at INTEGER NOT NULL) STRICT, WITHOUT ROWID;
`

export const APP_MIGRATIONS: Migrations = [
  FORMAT_1,
  (db) => {
    completeFirstFormat(db, FORMAT_1)
    db.exec(`
-- Folders that are no longer recorded, but whose history is kept: adding the folder again continues it.
CREATE TABLE left_folder(id TEXT PRIMARY KEY, root TEXT NOT NULL, left_at INTEGER NOT NULL) STRICT, WITHOUT ROWID;
`)
  },
  `
-- Agents' settings files and folders that connecting created. Only these may be deleted when the agent is disconnected.
CREATE TABLE made(path TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
`
]

/** Schema of app.db: which folders are recorded, and settings. */
import type { Migrations } from './migrate.ts'

export const APP_MIGRATIONS: Migrations = [
  `
CREATE TABLE workspace(
  id TEXT PRIMARY KEY,
  root TEXT NOT NULL UNIQUE,
  added_at INTEGER NOT NULL
) STRICT;
CREATE TABLE setting(key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
-- When each agent was last heard of.
CREATE TABLE agent(id TEXT PRIMARY KEY, last_event_at INTEGER NOT NULL) STRICT, WITHOUT ROWID;
-- The newest event of a test that came in from each agent's command.
CREATE TABLE agent_test(agent TEXT PRIMARY KEY, nonce TEXT NOT NULL, at INTEGER NOT NULL) STRICT, WITHOUT ROWID;
`,
  `
-- Folders that are not recorded any more, whose histories wait for them to be added again.
CREATE TABLE left_folder(id TEXT PRIMARY KEY, root TEXT NOT NULL, left_at INTEGER NOT NULL) STRICT, WITHOUT ROWID;
`,
  `
-- Files and folders of agents that connecting made where nothing was.
CREATE TABLE made(path TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
`
]

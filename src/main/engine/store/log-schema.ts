/**
 * Tables of the log: content, versions, paths and edits. Part of the first migration; conventions: see store-schema.ts.
 */
export const LOG_TABLES = `
-- Single values of the workspace. rev: grows by one with every write (LG-1). coverage: none, copying, partial or complete.
-- Others: copier (owner of the initial snapshot), sweeper, usage, disk, and what upkeep remembers.
CREATE TABLE meta(key TEXT PRIMARY KEY, value ANY) STRICT, WITHOUT ROWID;
INSERT INTO meta VALUES ('rev', 0), ('coverage', 'none');

-- [ST-1] Bytes by hash, stored once. Order of writes: content, version, edit and head in one transaction.
-- hash   SHA-256; NULL while a large content is being written.
-- size   bytes unpacked; negative while a large content is being written: the mark of its writer (large-content.ts).
-- depth  number of dictionaries below it, at most 40.
-- base   the row whose unpacked bytes are its dictionary; it keeps its bytes as long as a row refers to it.
-- bytes  packed; NULL for codecs 3 and 9.
CREATE TABLE content(
  id INTEGER PRIMARY KEY,
  hash BLOB UNIQUE,
  size INTEGER NOT NULL,
  codec INTEGER NOT NULL,
  depth INTEGER NOT NULL DEFAULT 0,
  base INTEGER REFERENCES content(id),
  bytes BLOB
) STRICT;
-- Content larger than 1 MiB, in pieces of that size. n: order within the content. codec: 0 or 1.
CREATE TABLE chunk(
  id INTEGER PRIMARY KEY,
  content INTEGER NOT NULL REFERENCES content(id) ON DELETE CASCADE,
  n INTEGER NOT NULL,
  codec INTEGER NOT NULL,
  bytes BLOB NOT NULL,
  UNIQUE(content, n)
) STRICT;

-- What a path is at a position. Rows never change; 1 is absent and 2 is unknown in every store.
-- mode     permission bits.
-- content  NULL if it is no file, or the bytes were not stored.
-- target   of a symlink, as on disk.
-- reason   why the bytes were not stored (NotStoredReason), else NULL.
CREATE TABLE version(
  id INTEGER PRIMARY KEY,
  kind INTEGER NOT NULL,
  size INTEGER NOT NULL,
  mode INTEGER NOT NULL,
  content INTEGER REFERENCES content(id),
  target TEXT,
  reason TEXT
) STRICT;

-- Every path ever recorded, with its head. A path is never deleted: its head becomes absent.
-- parent   the folder's row; 0 for the root, whose name is ''.
-- name     relative to the root, with '/'.
-- version  newest version; NULL = the name is known and the initial snapshot has not copied the path yet.
-- edit     seq of the newest edit; 0 = still as in the initial snapshot.
-- ino, size, mtime, ctime, mode  the stat taken with the version, times as lstat's milliseconds; ino NULL = no stat.
-- seen     when that stat was taken; decides whether its times are trusted (DR-2).
-- covered  1 for a folder whose names are all recorded (LG-5). Set only after all of them are: a scan reads other folders again.
CREATE TABLE path(
  id INTEGER PRIMARY KEY,
  parent INTEGER NOT NULL,
  name TEXT NOT NULL UNIQUE,
  version INTEGER REFERENCES version(id),
  edit INTEGER NOT NULL DEFAULT 0,
  ino INTEGER, size INTEGER, mtime REAL, ctime REAL, mode INTEGER,
  seen REAL NOT NULL DEFAULT 0,
  covered INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX path_parent ON path(parent);
CREATE INDEX path_pending ON path(id) WHERE version IS NULL;

-- [LG-1] The log, append-only. AUTOINCREMENT is not needed: rows are never deleted.
-- before, after  versions; before is the path's previous after (LG-2).
-- base     the edit of the same path that this one builds on, 0 = the version before the first; of a restore the edit it returns to.
-- restore  the restore that wrote it.
-- drift    the drift that collects it.
-- merge    1 for a restore that merged: it omits the hunks in restore_without.
CREATE TABLE edit(
  seq INTEGER PRIMARY KEY,
  path INTEGER NOT NULL REFERENCES path(id),
  before INTEGER NOT NULL REFERENCES version(id),
  after INTEGER NOT NULL REFERENCES version(id),
  origin INTEGER NOT NULL,
  attribution INTEGER NOT NULL,
  base INTEGER NOT NULL,
  at INTEGER NOT NULL,
  restore TEXT,
  drift TEXT,
  merge INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX edit_path ON edit(path, seq);
CREATE INDEX edit_restore ON edit(restore) WHERE restore IS NOT NULL;
CREATE INDEX edit_drift ON edit(drift) WHERE drift IS NOT NULL;
`

/** Format 21: restores may write git's own state. */

export const RESTORE_GIT = `
-- [GT-7] What a restore writes of git's own state. items: JSON (GitWork). state: planned, or done for what was written.
CREATE TABLE restore_git(
  restore TEXT PRIMARY KEY REFERENCES restore(id), items TEXT NOT NULL, state TEXT NOT NULL
) STRICT, WITHOUT ROWID;
`

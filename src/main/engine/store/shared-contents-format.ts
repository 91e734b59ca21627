/** Format 18: histories of worktrees read contents from that of the main folder (codec 5, shared-content.ts). */
export const SHARED_CONTENTS = `
-- Histories that read contents from this one. seq: what was in force there stays as long as they exist.
CREATE TABLE worktree(workspace TEXT NOT NULL, seq INTEGER NOT NULL, PRIMARY KEY(workspace, seq)) STRICT, WITHOUT ROWID;
`

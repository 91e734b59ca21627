/** Indexes that later formats of store.db added, so that a question costs what it finds. */

/** Format 23: a status must not read the row of every content. */
export const EVICTED_CONTENTS = 'CREATE INDEX content_evicted ON content(id) WHERE codec = 9'

/** Format 25: after a restore, the other edits of the files that it wrote must not be read. */
export const DRIFTS_OF_PATHS = 'CREATE INDEX edit_drift_path ON edit(path, drift) WHERE drift IS NOT NULL'

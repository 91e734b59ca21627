/** Format 20: names and notes of runs. Part of store-schema.ts, with its conventions. */
export const RUN_TEXTS = `
-- What a person wrote about a run.
-- kind  label or note. text: '' = none from then on.
-- sum   CRC-32 of the text (text-sum.ts).
CREATE TABLE run_text(
  n INTEGER PRIMARY KEY,
  run TEXT NOT NULL REFERENCES run(id),
  kind TEXT NOT NULL,
  at INTEGER NOT NULL,
  text TEXT NOT NULL,
  sum INTEGER NOT NULL
) STRICT;
CREATE INDEX run_text_run ON run_text(run, kind, n);
`

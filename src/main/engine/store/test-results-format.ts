/** Format 19: test results. Part of store-schema.ts, with its conventions. */
export const TEST_RESULTS = `
-- How a command that runs tests, checks types or lints ended, and the position at its end.
-- call    its tool call; NULL = the command of a driftline run.
-- kind    tests, types or lint. result: passed or failed.
-- The indexes hold every column: a bit that flips in either is found (ST-9).
CREATE TABLE test_result(
  n INTEGER PRIMARY KEY,
  seq INTEGER NOT NULL,
  at INTEGER NOT NULL,
  run TEXT NOT NULL REFERENCES run(id),
  call TEXT UNIQUE,
  kind TEXT NOT NULL,
  result TEXT NOT NULL,
  command TEXT NOT NULL
) STRICT;
CREATE INDEX test_result_run ON test_result(run, n);
CREATE INDEX test_result_seq ON test_result(seq, n, kind, result, at, command);
-- exit_code: of a command whose agent reports it apart from its end; NULL = not known.
ALTER TABLE tool_call ADD COLUMN exit_code INTEGER;
`

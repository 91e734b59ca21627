/** What is protected, as it was counted until a history was last closed: the next process need not count all paths. */

/** Key of the counts. */
export const KEPT_COUNTS = 'covered'

/**
 * Triggers of every connection that writes: kept counts go with the transaction that changes what they are of, so that those
 * of a process that was killed are never used.
 */
export const FORGET_COUNTS = [
  'UPDATE OF version ON path',
  'INSERT ON path',
  'INSERT ON packed_path',
  'UPDATE OF codec ON content'
]
  .map(
    (change, n) => `CREATE TEMP TRIGGER forget_counts_${n} AFTER ${change} BEGIN
      DELETE FROM meta WHERE key = '${KEPT_COUNTS}';
    END;`
  )
  .join('\n')

/** Twice, because nothing else shows that a bit of it was changed, and each later count begins with it. */
export function packCounts(counts: object): string {
  const text = JSON.stringify(counts)
  return `${text}\n${text}`
}

/** Null where there are none that can be trusted. */
export function unpackCounts(packed: string | null): unknown {
  const [text, again] = packed?.split('\n') ?? []
  return text !== undefined && text === again ? JSON.parse(text) : null
}

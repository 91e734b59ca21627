/**
 * The checksums of texts that are stored as they are: column `sum` of their row, the CRC-32 of the text. Frames of packed
 * texts have a checksum of their own (codec.ts).
 */

/** SQL: the checksum of a text, by the bytes that SQLite stores. database.ts adds the function. */
export function sumOf(text: string): string {
  return `crc32(CAST(${text} AS BLOB))`
}

/** SQL: whether the text in `column` of the row `row` is not the one that was stored. */
export function isDamaged(row: string, column: string): string {
  return `coalesce(${row}.sum <> ${sumOf(`${row}.${column}`)}, 0)`
}

/** SQL: the text in `column` of the row `row`; `sentence` in the place of a damaged one. */
export function readable(row: string, column: string, sentence: string): string {
  return `iif(${isDamaged(row, column)}, '${sentence.replaceAll("'", "''")}', ${row}.${column})`
}

/** For the migration to format 13. */
export const ADD_SUMS = Object.entries({
  turn: 'prompt',
  call_output: 'text',
  unknown_record: 'text',
  late_step: 'text'
})
  .map(([table, text]) => `ALTER TABLE ${table} ADD COLUMN sum INTEGER; UPDATE ${table} SET sum = ${sumOf(text)};`)
  .join('\n')

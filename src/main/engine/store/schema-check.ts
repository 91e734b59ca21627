/** Compares the definitions of tables and indexes in a history with those of a new one: a changed bit there renames a column. */
import { openDatabase } from './database.ts'
import { migrate } from './migrate.ts'
import { all, type Readable } from './sql.ts'
import { STORE_MIGRATIONS } from './store-schema.ts'

type Definitions = ReadonlyMap<string, string>

/** Those of a new history, which are the same as long as this process runs. */
let ofThisFormat: Definitions | undefined

/** What differs, as messages like SQLite's own. */
export function checkSchema(store: Readable): string[] {
  ofThisFormat ??= definitionsOfNew()
  const [expected, found] = [ofThisFormat, definitions(store)]
  return [...new Set([...expected.keys(), ...found.keys()])]
    .filter((name) => expected.get(name) !== found.get(name))
    .map((name) => `the definition of ${name} is not the one of this format`)
}

function definitionsOfNew(): Definitions {
  const fresh = { db: openDatabase(':memory:') }
  try {
    migrate(fresh.db, STORE_MIGRATIONS)
    return definitions(fresh)
  } finally {
    fresh.db.close()
  }
}

/** By kind and name, without comments and spaces: SQLite stores the text of each statement as it was written. */
function definitions(store: Readable): Definitions {
  const sql = "SELECT type || ' ' || name AS name, tbl_name || ' ' || coalesce(sql, '') AS text FROM sqlite_schema"
  return new Map(
    all<{ name: string; text: string }>(store, sql).map(({ name, text }) => [
      name,
      text.replaceAll(/--[^\n]*|\s+/g, '')
    ])
  )
}

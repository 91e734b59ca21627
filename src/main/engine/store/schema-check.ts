/** Compares the definitions of tables and indexes in a history with those of a new one: a changed bit there renames a column. */
import { openDatabase } from './database.ts'
import { type Migrations, migrate } from './migrate.ts'
import { all, type Readable } from './sql.ts'
import { STORE_MIGRATIONS } from './store-schema.ts'

type Definitions = ReadonlyMap<string, string>

/** Those of a new database of each format, which are the same as long as this process runs. */
const ofNew = new Map<Migrations, Definitions>()

/** What differs, as messages like SQLite's own. */
export function checkSchema(store: Readable, migrations: Migrations = STORE_MIGRATIONS): string[] {
  const expected = ofNew.get(migrations) ?? definitionsOfNew(migrations)
  ofNew.set(migrations, expected)
  const found = definitions(store)
  return [...new Set([...expected.keys(), ...found.keys()])]
    .filter((name) => expected.get(name) !== found.get(name))
    .map((name) => `the definition of ${name} is not the one of this format`)
}

function definitionsOfNew(migrations: Migrations): Definitions {
  const fresh = { db: openDatabase(':memory:') }
  try {
    migrate(fresh.db, migrations)
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

/** Searching the history. */
import { search } from '../search/search.ts'
import type { Handlers } from './handler.ts'

/** How long a search may spend on old changes, ms: longer than that, a person waits too long. */
const BUDGET_MS = 3000

export const SEARCH: Handlers<'search.run'> = {
  'search.run': ({ registry }, { workspace, text, limit }) =>
    search(registry.open(workspace).store, { text, limit, budget: BUDGET_MS })
}

/** Searching the history. */
import { search } from '../search/search.ts'
import type { WorkspaceHandlers } from './handler.ts'

/** How long a search may spend on old changes, ms: longer than that, a person waits too long. */
const BUDGET_MS = 3000

export const SEARCH: WorkspaceHandlers<'search.run'> = {
  'search.run': ({ store }, { text, limit }) => search(store, { text, limit, budget: BUDGET_MS })
}

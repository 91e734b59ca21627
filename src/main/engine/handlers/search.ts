/** Finding words in what was recorded. */
import { search } from '../search/search.ts'
import type { Handlers } from './handler.ts'

/** A person waits this long for old changes to be looked through, ms. */
const BUDGET_MS = 3000

export const SEARCH: Handlers<'search.run'> = {
  'search.run': ({ registry }, { workspace, text, limit }) =>
    search(registry.open(workspace).store, { text, limit, budget: BUDGET_MS })
}

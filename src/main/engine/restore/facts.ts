/** Reads from the log what a plan needs: for each act, which paths it touches and where each goes back to. */
import type { Act, Choices } from '../../../contract/restore.ts'
import type { Store } from '../store/open-store.ts'
import type { ActFacts } from './facts/act-facts.ts'
import { driftFacts } from './facts/drift-facts.ts'
import { recoverFacts } from './facts/recover-facts.ts'
import { restoreFacts } from './facts/restore-facts.ts'
import { undoFacts } from './facts/undo-facts.ts'
import { undoRunFacts } from './facts/undo-run-facts.ts'

/** Facts of an act at the newest position. Throws UnknownTarget; Refused when there is nothing to undo or redo. */
export function factsOf(store: Store, act: Act, choices: Choices): ActFacts {
  switch (act.kind) {
    case 'restore':
      return restoreFacts(store, act, choices)
    case 'undo-run':
      return undoRunFacts(store, act, choices)
    case 'undo':
    case 'redo':
      return undoFacts(store, act.kind, choices)
    case 'drift':
      return driftFacts(store, act, choices)
    case 'recover':
      return recoverFacts(store, act.how, choices)
  }
}

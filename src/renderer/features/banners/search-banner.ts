/** The banner of a search for the edit that broke a command: its progress, then its answer. Pure. */
import type { BisectResult, BisectSearch } from '../../../contract/bisect.ts'
import type { RestoreRequest } from '../../../contract/restore.ts'
import {
  bisectProgressText,
  bisectStateText,
  causeText,
  reportToAgent,
  sureText
} from '../../../contract/words/bisect.ts'
import type { BannerParts } from './banner-parts.ts'

export function searchBanner(search: BisectSearch): BannerParts {
  const { command, startedAt } = search
  const dismiss = { label: 'Close', action: { do: 'dismiss-search' } } as const
  const common = { canDismiss: false, detail: command } as const
  switch (search.state) {
    case 'running':
      return {
        ...common,
        key: `search-${startedAt}`,
        tone: 'info',
        icon: 'search',
        lead: search.progress ? bisectProgressText(search.progress) : 'Starting the search…',
        actions: [{ label: 'Cancel', action: { do: 'cancel-search' } }]
      }
    case 'cancelled':
      return {
        ...common,
        key: `search-cancelled-${startedAt}`,
        tone: 'info',
        icon: 'search',
        lead: 'The search was cancelled.',
        rest: ' Nothing was changed.',
        actions: [dismiss]
      }
    case 'failed':
      return {
        ...common,
        key: `search-failed-${startedAt}`,
        tone: 'warn',
        icon: 'warn',
        lead: 'The search stopped.',
        rest: ` ${search.problem ?? ''}`,
        actions: [dismiss]
      }
    case 'done':
      return answer(search, search.result as BisectResult)
  }
}

function answer({ command, startedAt }: BisectSearch, result: BisectResult): BannerParts {
  const { culprit } = result
  const undo = culprit && undoOf(culprit)
  const entry = culprit?.run ?? culprit?.drift ?? culprit?.restore
  return {
    key: `search-done-${startedAt}`,
    tone: result.state === 'found' ? 'info' : 'warn',
    icon: 'search',
    lead: culprit ? causeText(culprit) : bisectStateText(result),
    rest: culprit ? ` ${sureText(result)}` : '',
    detail: command,
    canDismiss: false,
    actions: [
      ...(undo ? [{ label: 'Undo this change…', action: { do: 'preview', request: undo } } as const] : []),
      ...(entry ? [{ label: 'Show', action: { do: 'review', entry } } as const] : []),
      ...(culprit?.run
        ? [
            {
              label: 'Send to the agent…',
              action: {
                do: 'tell-agent',
                run: culprit.run,
                path: culprit.paths.length === 1 ? (culprit.paths[0] ?? null) : null,
                text: reportToAgent(command, culprit, result.output)
              }
            } as const
          ]
        : []),
      ...(culprit
        ? [
            {
              label: 'Pin last good',
              action: { do: 'pin-position', target: `seq:${result.good}`, label: `Last good: ${command}`.slice(0, 500) }
            } as const
          ]
        : []),
      { label: 'Close', action: { do: 'dismiss-search' } }
    ]
  }
}

/** Undoes the cause alone; with hunks only these. null for one that no plan undoes. */
function undoOf(culprit: NonNullable<BisectResult['culprit']>): RestoreRequest | null {
  const { run, drift, from, seq, paths, hunks = [] } = culprit
  if (run !== null) {
    const isInHunks = hunks.length > 0 && hunks.every(({ n }) => n > 0)
    const byPath = Object.fromEntries(
      paths.flatMap((path) => {
        const numbers = hunks.filter((part) => part.path === path).map(({ n }) => n)
        return numbers.length > 0 ? [[path, numbers]] : []
      })
    )
    return { kind: 'undo-run', run, edits: { from, to: seq }, ...(isInHunks ? { hunks: byPath } : {}) }
  }
  return drift === null ? { kind: 'restore', target: `seq:${from - 1}`, paths } : { kind: 'drift', drift, paths }
}

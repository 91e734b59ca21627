/** Navigation on this screen: to a timeline row, a file, a turn, or a search hit. */
import { useCallback, useState } from 'react'
import type { SessionTurn } from '../../../contract/conversation.ts'
import type { SearchHit } from '../../../contract/search.ts'
import { callPath } from '../../../contract/words/tool-calls.ts'
import type { MessageTarget } from '../conversation/conversation-pane.tsx'
import { diffQueryOf } from '../timeline/row-targets.ts'
import type { SelectableRow } from '../timeline/timeline-rows.ts'
import { useToasts } from '../toast/toasts.tsx'
import { entryOfHit } from './hit-entry.ts'
import { comparisonKey, type PickedFile } from './picked-file.ts'
import type { Panes } from './use-panes.ts'
import type { WorkspaceModel } from './use-workspace.ts'

interface NavigationDeps {
  readonly model: WorkspaceModel
  readonly panes: Panes
  readonly onPick: (picked: PickedFile) => void
  /** Closes the history of a file, if one is open. */
  readonly onLeave: () => void
}

export interface Navigation {
  /** Selects an entry of the timeline. */
  selectEntry(id: string): void
  /** Selects an entry and focuses the timeline. */
  showEntry(id: string): void
  /** Selects a file of the comparison. */
  pickFile(path: string): void
  /** Selects a file and focuses the diff. */
  showFile(path: string): void
  /** Selects a row; a tool call also selects its file. */
  selectRow(row: SelectableRow, extend: boolean): void
  /** Selects a turn and one of its files; `enter` also focuses the diff. */
  showTurn(turn: SessionTurn, path: string | null, enter: boolean): void
  /** Shows a message in its conversation; a path or change in the run that made it. */
  openHit(hit: SearchHit): void
  /** Message to scroll to once its conversation is loaded. */
  readonly messageGoal: MessageTarget | null
  clearMessageGoal(): void
}

export function useNavigation({ model, panes, onPick, onLeave }: NavigationDeps): Navigation {
  const toasts = useToasts()
  const [messageGoal, setGoal] = useState<MessageTarget | null>(null)
  const pickFileOf = (row: SelectableRow, path: string | null) => {
    const shown = path === null ? null : diffQueryOf(row, null)
    if (shown && path !== null) onPick({ scope: comparisonKey(shown), path })
  }
  const pickFile = (path: string) => {
    if (model.question) onPick({ scope: comparisonKey(model.question), path })
  }
  return {
    selectEntry: (id) => {
      onLeave()
      model.goTo({ entry: id })
    },
    showEntry: (id) => {
      onLeave()
      model.goTo({ entry: id })
      panes.goTo('timeline')
    },
    pickFile,
    showFile: (path) => {
      onLeave()
      pickFile(path)
      panes.goTo('diff')
    },
    messageGoal,
    clearMessageGoal: useCallback(() => setGoal(null), []),
    selectRow: (row, extend) => {
      model.select(row, extend)
      if (row.kind === 'call') pickFileOf(row, callPath(row.call))
    },
    showTurn: (turn, path, enter) =>
      model.goTo({
        entry: turn.run,
        turn: turn.id,
        onSelected: (row) => {
          pickFileOf(row, path)
          if (enter) panes.goTo('diff')
        }
      }),
    openHit: (hit) => {
      const { path, session, message } = hit
      const entry = entryOfHit(hit, model.timeline.pages?.entries ?? [])
      if (entry === null) {
        const text = `${path ?? 'This result'} has no entry in the timeline.`
        return toasts.show({ id: 'hit', icon: 'info', text })
      }
      onLeave()
      const target = message !== null && session !== null ? { session, message } : null
      model.goTo({
        entry,
        onSelected: (row) => {
          pickFileOf(row, path)
          setGoal(target)
          panes.goTo(target ? 'conversation' : path === null ? 'files' : 'diff')
        }
      })
    }
  }
}

/** The ways to a place on this screen: a row with its file, a turn, and what a search found. */
import { useCallback, useState } from 'react'
import type { SessionTurn } from '../../../contract/conversation.ts'
import type { SearchHit } from '../../../contract/search.ts'
import { callPath } from '../conversation/call-words.ts'
import type { MessageTarget } from '../conversation/conversation-pane.tsx'
import { diffQueryOf } from '../timeline/row-targets.ts'
import type { SelectableRow } from '../timeline/timeline-rows.ts'
import { useToasts } from '../toast/toasts.tsx'
import { entryOfHit } from './hit-entry.ts'
import { comparisonKey, type PickedFile } from './run-view.tsx'
import type { Panes } from './use-panes.ts'
import type { WorkspaceModel } from './use-workspace.ts'

interface NavigationDeps {
  readonly model: WorkspaceModel
  readonly panes: Panes
  readonly onPick: (picked: PickedFile) => void
  /** Away from the history of a file, if one is open. */
  readonly onLeave: () => void
}

export interface Navigation {
  /** Selects an entry of the timeline. */
  selectEntry(id: string): void
  /** The same, and goes there. */
  showEntry(id: string): void
  /** Selects a file of what is compared. */
  pickFile(path: string): void
  /** The same, and goes there. */
  showFile(path: string): void
  /** A tool call shows the file it was about. */
  selectRow(row: SelectableRow, extend: boolean): void
  /** Selects a turn, with one of its files; `enter` moves on into the diff. */
  showTurn(turn: SessionTurn, path: string | null, enter: boolean): void
  /** A message is shown in its conversation, a path or a change in the run that made it. */
  openHit(hit: SearchHit): void
  /** The message to go to once its conversation is there. */
  readonly messageGoal: MessageTarget | null
  clearMessageGoal(): void
}

export function useNavigation({ model, panes, onPick, onLeave }: NavigationDeps): Navigation {
  const toasts = useToasts()
  const [messageGoal, setGoal] = useState<MessageTarget | null>(null)
  const pick = (row: SelectableRow, path: string | null) => {
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
      if (row.kind === 'call') pick(row, callPath(row.call))
    },
    showTurn: (turn, path, enter) =>
      model.goTo({
        entry: turn.run,
        turn: turn.id,
        onSelected: (row) => {
          pick(row, path)
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
      const talk = message !== null && session !== null ? { session, message } : null
      model.goTo({
        entry,
        onSelected: (row) => {
          pick(row, path)
          setGoal(talk)
          panes.goTo(talk ? 'conversation' : path === null ? 'files' : 'diff')
        }
      })
    }
  }
}

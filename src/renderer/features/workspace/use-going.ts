/** The ways to a place on this screen: a row with its file, a turn, and what a search found. */
import { useCallback, useState } from 'react'
import type { SessionTurn } from '../../../contract/conversation.ts'
import type { Hit } from '../../../contract/search.ts'
import { callPath } from '../conversation/call-words.ts'
import type { TalkGoal } from '../conversation/conversation-pane.tsx'
import { diffOf } from '../timeline/node.ts'
import type { NodeRow } from '../timeline/rows.ts'
import { useToasts } from '../toast/toasts.tsx'
import { entryOfHit } from './hit-entry.ts'
import { type Picked, scopeOf } from './stage.tsx'
import type { Panes } from './use-panes.ts'
import type { WorkspaceModel } from './use-workspace.ts'

interface GoingDeps {
  readonly model: WorkspaceModel
  readonly panes: Panes
  readonly onPick: (picked: Picked) => void
  /** Away from the history of a file, if one is open. */
  readonly onLeave: () => void
}

export interface Going {
  /** Selects an entry of the timeline. */
  selectEntry(id: string): void
  /** The same, and goes there. */
  showEntry(id: string): void
  /** Selects a file of what is compared. */
  pickFile(path: string): void
  /** The same, and goes there. */
  showFile(path: string): void
  /** A tool call shows the file it was about. */
  selectRow(row: NodeRow, extend: boolean): void
  /** Selects a turn, with one of its files; `enter` moves on into the diff. */
  showTurn(turn: SessionTurn, path: string | null, enter: boolean): void
  /** A message is shown in its conversation, a path or a change in the run that made it. */
  openHit(hit: Hit): void
  /** The message to go to once its conversation is there. */
  readonly goal: TalkGoal | null
  goalReached(): void
}

export function useGoing({ model, panes, onPick, onLeave }: GoingDeps): Going {
  const toasts = useToasts()
  const [goal, setGoal] = useState<TalkGoal | null>(null)
  const pick = (row: NodeRow, path: string | null) => {
    const shown = path === null ? null : diffOf(row, null)
    if (shown && path !== null) onPick({ scope: scopeOf(shown), path })
  }
  const pickFile = (path: string) => {
    if (model.question) onPick({ scope: scopeOf(model.question), path })
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
    goal,
    goalReached: useCallback(() => setGoal(null), []),
    selectRow: (row, extend) => {
      model.select(row, extend)
      if (row.kind === 'call') pick(row, callPath(row.call))
    },
    showTurn: (turn, path, enter) =>
      model.goTo({
        entry: turn.run,
        turn: turn.id,
        done: (row) => {
          pick(row, path)
          if (enter) panes.goTo('diff')
        }
      }),
    openHit: (hit) => {
      const { path, session, message } = hit
      const entry = entryOfHit(hit, model.timeline.pages?.entries ?? [])
      if (entry === null) {
        const text = `${path ?? 'This'} has not changed in a run or outside that is listed here.`
        return toasts.show({ id: 'hit', icon: 'info', text })
      }
      onLeave()
      const talk = message !== null && session !== null ? { session, message } : null
      model.goTo({
        entry,
        done: (row) => {
          pick(row, path)
          setGoal(talk)
          panes.goTo(talk ? 'conversation' : path === null ? 'files' : 'diff')
        }
      })
    }
  }
}

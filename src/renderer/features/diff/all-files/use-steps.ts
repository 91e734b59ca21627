/**
 * Steps from change to change through all files. Folded files are stepped over. A file that is stepped into may not
 * exist yet, or not be loaded: its first or last change is shown, and gets the focus, once it is on screen. Until then
 * further steps wait, too.
 */
import { type FocusEvent, type RefObject, useRef, useState } from 'react'
import type { FileChange } from '../../../../contract/diff.ts'
import type { WorkspaceActions } from '../../../state/actions.ts'
import { useActions } from '../../../state/open-workspace.tsx'
import { announce } from '../../../ui/live-region.tsx'
import type { SectionHandle } from './file-section.tsx'
import type { useCurrentFile } from './use-current-file.ts'

interface StepsInput {
  readonly main: RefObject<HTMLElement | null>
  readonly rows: readonly { readonly file: FileChange; readonly open: boolean }[]
  /** The current file. */
  readonly path: string | null
  readonly sections: ReadonlyMap<string, SectionHandle>
  readonly current: ReturnType<typeof useCurrentFile>
  /** There is no change left in this direction. */
  readonly onEnd: (delta: 1 | -1) => void
}

interface Arrival {
  readonly path: string
  /** null: the file as a whole, at the top of the view. */
  readonly end: 'first' | 'last' | null
}

/** The steps: always the same object. */
export function useSteps(input: StepsInput) {
  const actions = useActions()
  const latest = useRef(input)
  latest.current = input
  const [steps] = useState(() => createSteps(latest, actions))
  return steps
}

function createSteps(input: RefObject<StepsInput>, actions: WorkspaceActions) {
  const { main, sections } = input.current
  let arriving: Arrival | null = null
  let holding = false
  /** The pane takes the focus of a file that may go out of reach. */
  const hold = () => {
    if (!main.current?.contains(document.activeElement)) return
    holding = true
    main.current.focus({ preventScroll: true })
    holding = false
  }
  const focusFile = (file: string) => {
    const section = sections.get(file)
    section?.text.current?.focus()
    if (document.activeElement === main.current) section?.element.current?.focus({ preventScroll: true })
  }
  const arrive = (file: string) => {
    const arrival = arriving
    if (arrival?.path !== file) return
    arriving = null
    if (arrival.end) {
      input.current.current.hold(file)
      sections.get(file)?.text.current?.goToEnd(arrival.end)
    }
    if (document.activeElement === main.current) focusFile(file)
    announce(arrival.end ? `${file}, ${arrival.end} change.` : file)
  }
  const goTo = (arrival: Arrival) => {
    const { path, current } = input.current
    const section = sections.get(arrival.path)
    const isShown = section !== undefined && !section.waits()
    hold()
    arriving = arrival
    if (arrival.end && isShown && section.text.current) {
      current.hold(arrival.path)
      arrive(arrival.path)
      return
    }
    actions.pickFile(arrival.path)
    // Chosen already: no change of the choice scrolls to it.
    if (arrival.path === path) current.scrollToFile(arrival.path)
    if (isShown) requestAnimationFrame(() => arrive(arrival.path))
  }
  const stepFile = (delta: 1 | -1) => {
    const { rows, path } = input.current
    const next = rows[rows.findIndex(({ file }) => file.path === path) + delta]
    if (next) goTo({ path: next.file.path, end: null })
  }
  const step = (delta: 1 | -1) => {
    const { rows, path } = input.current
    const at = rows.findIndex(({ file }) => file.path === path)
    if (path !== null && rows[at]?.open) {
      const section = sections.get(path)
      const arrival: Arrival = { path, end: delta > 0 ? 'first' : 'last' }
      if (!section || section.waits()) return goTo(arrival)
      const result = section.text.current?.step(delta)
      if (result === 'moved') return
      // Another text of the file is about to be shown.
      if (result === 'not-shown') {
        arriving = arrival
        return
      }
    }
    for (let next = at + delta; next >= 0 && next < rows.length; next += delta) {
      const row = rows[next]
      if (row?.open) return goTo({ path: row.file.path, end: delta > 0 ? 'first' : 'last' })
    }
    input.current.onEnd(delta)
  }
  return {
    commands: {
      'next-change': () => step(1),
      'previous-change': () => step(-1),
      'next-file': () => stepFile(1),
      'previous-file': () => stepFile(-1)
    },
    openFile: (file: string) => goTo({ path: file, end: null }),
    /** To be called when the text or the card of a file is on screen. */
    shown: (file: string) => arrive(file),
    onFocus: (event: FocusEvent<HTMLElement>) => {
      // Alt+3 and Enter focus the pane; the focus continues to the current file.
      const { path } = input.current
      if (event.target === event.currentTarget && !holding && path !== null) focusFile(path)
    }
  }
}

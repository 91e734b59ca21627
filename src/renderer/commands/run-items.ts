/** What is offered for a run besides restore and undo: its name and note, and its export. */
import type { MenuItem } from '../ui/menu.tsx'

export const DESCRIBE_RUN = { label: 'Name this run, or write a note…', icon: 'pencil', keys: 'F2' } as const

interface RunItems {
  readonly isLive: boolean
  /** Why nothing can be done now. */
  readonly offline: string | null
  readonly open: (dialog: 'describe' | 'export') => void
}

/** For the menus of a run, in its row and in its header. */
export function runItems({ isLive, offline, open }: RunItems): {
  readonly describe: MenuItem
  readonly save: MenuItem
} {
  const notYet = isLive ? 'The run is still working' : null
  return {
    describe: { id: 'describe', ...DESCRIBE_RUN, disabled: offline, run: () => open('describe') },
    save: { id: 'export', label: 'Export…', icon: 'download', disabled: offline ?? notYet, run: () => open('export') }
  }
}

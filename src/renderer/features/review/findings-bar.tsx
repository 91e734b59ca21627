/** [UI-42] Below the header of a run: what to look at first in it, as a list that leads to each place. */
import { useRef } from 'react'
import type { Finding } from '../../../contract/findings.ts'
import type { RunEntry } from '../../../contract/timeline.ts'
import { findingPlaceText, findingText } from '../../../contract/words/findings.ts'
import { formatNumber, plural } from '../../../contract/words/numbers.ts'
import { useActions, useWorkspaceState } from '../../state/open-workspace.tsx'
import type { RunFindings } from '../../state/store.ts'
import { IconButton } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { MenuButton, type MenuEntry } from '../../ui/menu.tsx'
import { useKeptRoom } from '../../ui/use-kept-room.ts'

const NONE: RunFindings = { findings: [], more: 0 }

/** `run`: the selected one. */
export function FindingsBar({ run }: { readonly run: RunEntry }) {
  const actions = useActions()
  const found = useWorkspaceState((state) => state.findings)
  // A bar that was there while the run was live stays: what is below it must not move.
  const followed = useRef<string | null>(null)
  if (run.state === 'live') followed.current = run.id
  const { findings, more } = found ?? NONE
  const hasRoom = useKeptRoom(found ? findings.length > 0 || followed.current === run.id : null)
  if (!hasRoom) return null
  const items: MenuEntry[] = findings.map((finding) => ({
    id: `${finding.kind} ${finding.path}`,
    label: findingText(finding),
    about: findingPlaceText(finding),
    run: () => actions.showFinding(finding)
  }))
  if (more > 0)
    items.push({ id: 'more', label: `${formatNumber(more)} more`, disabled: 'not listed here', run: () => {} })
  return (
    <section className="notice findings" aria-label="Findings">
      <Icon name="eye" />
      <span className="run-part grow">{found ? textOf(run, findings) : ''}</span>
      {findings.length > 0 ? <Steps items={items} count={findings.length + more} onStep={actions.stepFinding} /> : null}
    </section>
  )
}

function textOf({ state }: RunEntry, findings: readonly Finding[]): string {
  if (findings.length === 0) return state === 'live' ? 'Nothing stands out so far.' : 'Nothing stands out in this run.'
  const places = findings.map((finding) => `${findingText(finding)} in ${findingPlaceText(finding)}`)
  return `Look first: ${places.join(' · ')}`
}

interface StepsProps {
  readonly items: readonly MenuEntry[]
  readonly count: number
  readonly onStep: (delta: 1 | -1) => void
}

function Steps({ items, count, onStep }: StepsProps) {
  return (
    <>
      <MenuButton label={plural(count, 'finding')} named className="btn sm" align="right" items={items} steady>
        {plural(count, 'finding')} <Icon name="down" size="s" />
      </MenuButton>
      <IconButton
        size="sm"
        iconSize="s"
        icon="aup"
        label="Previous finding"
        keys="Shift+N"
        onClick={() => onStep(-1)}
      />
      <IconButton size="sm" iconSize="s" icon="adown" label="Next finding" keys="N" onClick={() => onStep(1)} />
    </>
  )
}

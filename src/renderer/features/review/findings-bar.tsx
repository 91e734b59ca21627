/** Below the header of a run: what to look at first in it, as a list that leads to each place. */
import { findingPlaceText, findingText } from '../../../contract/words/findings.ts'
import { formatNumber, plural } from '../../../contract/words/numbers.ts'
import { useActions, useWorkspaceState } from '../../state/open-workspace.tsx'
import { IconButton } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { MenuButton, type MenuEntry } from '../../ui/menu.tsx'

export function FindingsBar() {
  const actions = useActions()
  const found = useWorkspaceState((state) => state.findings)
  if (!found || found.findings.length === 0) return null
  const { findings, more } = found
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
      <span className="grow ell">
        Look first: {findings.map((finding) => `${findingText(finding)} in ${findingPlaceText(finding)}`).join(' · ')}
      </span>
      <MenuButton
        label={plural(findings.length + more, 'finding')}
        named
        className="btn sm"
        align="right"
        items={items}
      >
        {plural(findings.length + more, 'finding')} <Icon name="down" size="s" />
      </MenuButton>
      <IconButton
        size="sm"
        iconSize="s"
        icon="aup"
        label="Previous finding"
        keys="Shift+N"
        onClick={() => actions.stepFinding(-1)}
      />
      <IconButton
        size="sm"
        iconSize="s"
        icon="adown"
        label="Next finding"
        keys="N"
        onClick={() => actions.stepFinding(1)}
      />
    </section>
  )
}

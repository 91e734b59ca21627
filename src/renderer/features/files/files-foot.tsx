/** The foot of the files pane: the two compared sides, and a menu of other comparisons. */
import { IconButton } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { MenuButton } from '../../ui/menu.tsx'
import { comparisonItems, pairLabel } from '../workspace/compare-menu.ts'
import { useActions, useWorkspaceState } from '../workspace/state/context.tsx'

export function FilesFoot() {
  const actions = useActions()
  const comparisons = useWorkspaceState((state) => state.comparisons)
  const compared = useWorkspaceState((state) => state.compared)
  const pair = useWorkspaceState((state) => state.pair)
  const drift = useWorkspaceState(({ selection }) => selection?.drift === true)
  if (drift) {
    return (
      <div className="pane-foot reassure">
        <Icon name="shield" />
        <p>
          Both versions are stored. Accept leaves the files on disk as they are; Undo shows a preview first. You can
          reverse either.
        </p>
      </div>
    )
  }
  return (
    <div className="pane-foot">
      Compare{' '}
      <MenuButton
        label="Choose comparison"
        items={comparisonItems({ comparisons, compared, pair }, actions)}
        className="btn ghost sm files-compare"
        named
      >
        <span className="ell">{pair ? pairLabel(pair) : (compared?.label ?? '…')}</span> <Icon name="down" size="s" />
      </MenuButton>
      {pair ? (
        <>
          <IconButton icon="swap" size="sm" iconSize="s" label="Swap sides" keys="X" onClick={actions.swap} />
          <IconButton
            icon="x"
            size="sm"
            iconSize="s"
            label="Stop comparing"
            keys="Escape"
            onClick={actions.clearPair}
          />
        </>
      ) : null}
    </div>
  )
}

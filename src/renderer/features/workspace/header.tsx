/** The header of an open workspace: its name, recording state, search, undo, settings and help. */

import type { ReactNode } from 'react'
import { shortPath } from '../../../contract/words/paths.ts'
import type { Workspace, WorkspaceSummary } from '../../../contract/workspace.ts'
import { SettingsButton } from '../../app/settings-button.tsx'
import { Button, IconButton } from '../../ui/button.tsx'
import { Icon, Mark } from '../../ui/icon.tsx'
import { showKeys } from '../../ui/keys.ts'
import { MenuButton } from '../../ui/menu.tsx'

interface HeaderProps {
  readonly workspace: Workspace
  readonly workspaces: readonly WorkspaceSummary[]
  readonly home: string
  readonly branch: string
  readonly undo: { readonly files: number; readonly title: string } | null
  readonly undoUnavailable: string | null
  readonly pill: ReactNode
  readonly drawer: { readonly open: boolean; readonly toggle: () => void } | null
  readonly onSwitch: (workspace: string) => void
  readonly onHome: () => void
  readonly onUndo: () => void
  readonly onPalette: () => void
  readonly onHelp: () => void
}

export function Header(props: HeaderProps) {
  const { workspace, workspaces, branch, drawer } = props
  return (
    <header className="head">
      <Mark />
      {drawer ? (
        <IconButton
          icon="sidebar"
          label={drawer.open ? 'Hide timeline' : 'Show timeline'}
          keys="Mod+B"
          aria-expanded={drawer.open}
          onClick={drawer.toggle}
        />
      ) : null}
      <MenuButton
        label="Switch folder"
        named
        className="switcher"
        items={[
          ...workspaces.map((summary) => ({
            id: summary.id,
            label: summary.name,
            checked: summary.id === workspace.id,
            run: () => props.onSwitch(summary.id)
          })),
          ...(workspaces.length > 0 ? (['separator'] as const) : []),
          { id: 'all', label: 'All folders…', icon: 'folder' as const, run: props.onHome }
        ]}
      >
        <span className="ell">{workspace.name}</span> <Icon name="down" size="s" />
      </MenuButton>
      <div className="where">
        {branch ? (
          <>
            <Icon name="branch" size="s" label="Branch" />
            <span className="ell">{branch}</span>
          </>
        ) : null}
        <span className="ell wide-only" data-tip={workspace.root}>
          {shortPath(workspace.root, props.home)}
        </span>
      </div>
      <span className="grow" />
      {props.pill}
      <span className="vr" />
      <SearchButton onPalette={props.onPalette} />
      <Button
        kind="ghost"
        icon="undo"
        className="undo-restore"
        data-tip={props.undo ? `Undo last restore: ${props.undo.title}` : undefined}
        data-tip-keys={showKeys('Mod+Z')}
        disabledReason={props.undoUnavailable}
        onClick={props.onUndo}
      >
        Undo restore
      </Button>
      <SettingsButton />
      <IconButton icon="help" label="Keyboard shortcuts" keys="?" onClick={props.onHelp} />
    </header>
  )
}

export function SearchButton({ onPalette }: { readonly onPalette: () => void }) {
  return (
    <button type="button" className="cmdk" onClick={onPalette}>
      <Icon name="search" size="s" />
      <span>Search or run a command</span>
      <kbd>{showKeys('Mod+K')}</kbd>
    </button>
  )
}

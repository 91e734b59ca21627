/** The versions of the open file: a list to pick one from, to be compared with what is on disk now. */
import { type Ref, useImperativeHandle, useRef, useState } from 'react'
import type { Client } from '../../../contract/api.ts'
import type { PathVersion } from '../../../contract/log.ts'
import type { WorkspaceId } from '../../../contract/workspace.ts'
import { IconButton } from '../../ui/button.tsx'
import { announce } from '../../ui/live-region.tsx'
import { Menu, type MenuEntry } from '../../ui/menu.tsx'
import { count } from '../files/file-words.ts'
import { versionWords, whyNotShown } from './version-words.ts'

/** More are not listed; the command line has them all. */
const MOST_LISTED = 200

export interface VersionsHandle {
  open(): void
}

interface VersionsButtonProps {
  readonly client: Client
  readonly workspace: WorkspaceId
  readonly path: string
  /** The version that is shown, null while the change is. */
  readonly shown: PathVersion | null
  readonly onPick: (version: PathVersion) => void
  readonly ref?: Ref<VersionsHandle>
}

export function VersionsButton({ client, workspace, path, shown, onPick, ref }: VersionsButtonProps) {
  const button = useRef<HTMLSpanElement>(null)
  const [list, setList] = useState<{ readonly anchor: DOMRect; readonly versions: readonly PathVersion[] } | null>(null)
  const open = () => {
    client.call('file.history', { workspace, path }).then(
      ({ versions }) => {
        const anchor = button.current?.getBoundingClientRect()
        if (anchor) setList({ anchor, versions })
      },
      (reason: unknown) => announce(reason instanceof Error ? reason.message : String(reason), 'assertive')
    )
  }
  useImperativeHandle(ref, () => ({ open }))
  return (
    <span className="row" ref={button}>
      <IconButton
        icon="history"
        size="sm"
        label="Versions of this file"
        keys="Alt+H"
        aria-haspopup="menu"
        aria-expanded={list !== null}
        onClick={open}
      />
      {list ? (
        <Menu
          label={`Versions of ${path}`}
          anchor={list.anchor}
          align="right"
          onClose={() => setList(null)}
          items={itemsOf(list.versions, shown, onPick)}
        />
      ) : null}
    </span>
  )
}

function itemsOf(
  versions: readonly PathVersion[],
  shown: PathVersion | null,
  onPick: (version: PathVersion) => void
): readonly MenuEntry[] {
  const now = Date.now()
  const items: MenuEntry[] = versions.slice(0, MOST_LISTED).map((version) => ({
    id: String(version.seq),
    label: versionWords(version, now),
    checked: version.seq === shown?.seq,
    disabled: whyNotShown(version),
    run: () => onPick(version)
  }))
  if (versions.length === 0)
    items.push({ id: 'none', label: 'No version is recorded', disabled: 'It has not changed yet', run: () => {} })
  const rest = versions.length - MOST_LISTED
  if (rest > 0) {
    items.push('separator', {
      id: 'rest',
      label: `${count(rest, 'older version')}`,
      disabled: 'Listed by “driftline history” on the command line',
      run: () => {}
    })
  }
  return items
}

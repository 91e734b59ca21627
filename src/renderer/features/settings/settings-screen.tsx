/** The settings: a dialog over the whole window with its pages listed at the left. */
import { type ComponentType, type KeyboardEvent, useEffect, useRef } from 'react'
import { hostOf } from '../../../contract/hosts.ts'
import { useDriftline } from '../../client/context.tsx'
import { HostScope } from '../../client/host-scope.tsx'
import { useQuery } from '../../client/use-query.ts'
import { SETTINGS_PAGES, type SettingsPage, type SettingsPlace } from '../../commands/settings-pages.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Icon, Mark } from '../../ui/icon.tsx'
import { listMove } from '../../ui/list-keys.ts'
import { AppStatusBar, StatusBar } from '../status/status-bar.tsx'
import { AboutPage } from './about-page.tsx'
import { AgentsPage } from './agents-page.tsx'
import { AppearancePage } from './appearance-page.tsx'
import { CapturePage } from './capture-page.tsx'
import { GeneralPage } from './general-page.tsx'
import { HostsPage } from './hosts-page.tsx'
import { KeyboardPage } from './keyboard-page.tsx'
import type { PageProps } from './page-props.ts'
import { PrivacyPage } from './privacy-page.tsx'
import { StoragePage } from './storage-page.tsx'

const PAGES: Readonly<Record<SettingsPage, ComponentType<PageProps>>> = {
  general: GeneralPage,
  agents: AgentsPage,
  hosts: HostsPage,
  capture: CapturePage,
  storage: StoragePage,
  appearance: AppearancePage,
  keyboard: KeyboardPage,
  privacy: PrivacyPage,
  about: AboutPage
}

interface SettingsScreenProps {
  readonly place: SettingsPlace
  /** The open workspace, "" on the first screen. */
  readonly openId: string
  readonly onNavigate: (place: SettingsPlace) => void
  readonly onClose: () => void
  readonly onOpen: (workspace: string) => void
  /** Called when the open workspace is no longer recorded. */
  readonly onRemoved: () => void
}

/** [RH-6] Where a folder of a host is open, the settings are those of that host. */
export function SettingsScreen(props: SettingsScreenProps) {
  return (
    <HostScope host={hostOf(props.openId)}>
      <Settings {...props} />
    </HostScope>
  )
}

function Settings({ place, openId, onNavigate, onClose, onOpen, onRemoved }: SettingsScreenProps) {
  const { host } = useDriftline()
  const list = useQuery('workspaces.list', {})
  const workspaces = list.data?.workspaces ?? []
  const workspace = workspaces.find(({ id }) => id === openId) ?? null
  const status = useQuery('workspace.status', workspace ? { workspace: workspace.id, check: false } : null)
  const Page = PAGES[place.page]
  const content = useRef<HTMLElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new page starts at its top.
  useEffect(() => {
    content.current?.scrollTo(0, 0)
  }, [place.page])
  const onWorkspaceRemoved = (id: string) => {
    list.refetch()
    if (id === openId) onRemoved()
  }
  return (
    <Dialog label="Settings" className="app settings" initialFocus='.nav[aria-current="page"]' onClose={onClose}>
      <header className="head">
        <Mark />
        <Button kind="ghost" icon="left" onClick={onClose}>
          {workspace?.name ?? 'All folders'}
        </Button>
        {host === null ? null : <span className="muted ell">Settings of {host}</span>}
        <span className="grow" />
        <IconButton icon="x" label="Close settings" keys="Escape" onClick={onClose} />
      </header>
      <div className="work prefs">
        <nav aria-label="Settings" onKeyDown={moveFocus}>
          {SETTINGS_PAGES.map(({ id, title, icon }) => (
            <button
              type="button"
              key={id}
              className="nav"
              aria-current={id === place.page ? 'page' : undefined}
              onClick={() => onNavigate({ page: id })}
            >
              <Icon name={icon} />
              <span>{title}</span>
            </button>
          ))}
        </nav>
        <main className="stage" ref={content}>
          {list.data || list.error ? (
            <div className="in" key={place.page}>
              <Page
                workspace={workspace}
                workspaces={workspaces}
                removed={list.data?.left ?? []}
                agent={place.agent ?? null}
                onNavigate={onNavigate}
                onOpen={onOpen}
                onRemoved={onWorkspaceRemoved}
              />
            </div>
          ) : (
            <div className="in" aria-busy="true" />
          )}
        </main>
      </div>
      {workspace && status.data ? (
        <StatusBar
          status={status.data}
          onCoverage={() => onNavigate({ page: 'capture' })}
          onCheck={() => onNavigate({ page: 'storage' })}
        />
      ) : (
        <AppStatusBar />
      )}
    </Dialog>
  )
}

/** Arrow keys move the focus between pages. */
function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const all = [...event.currentTarget.querySelectorAll<HTMLElement>('.nav')]
  const at = all.indexOf(document.activeElement as HTMLElement)
  const move = listMove({ length: all.length, wraps: true }, at, event, false)
  if (!move || !('to' in move)) return
  event.preventDefault()
  all[move.to]?.focus()
}

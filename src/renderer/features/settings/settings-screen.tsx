/** The settings: a dialog over the whole window with its pages listed at the left. */
import { useEffect, useRef } from 'react'
import { useQuery } from '../../client/use-query.ts'
import { SETTINGS_PAGES, type SettingsPlace } from '../../commands/settings-pages.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Icon, Mark } from '../../ui/icon.tsx'
import { AboutPage } from './about-page.tsx'
import { AgentsPage } from './agents-page.tsx'
import { AppearancePage } from './appearance-page.tsx'
import { CapturePage } from './capture-page.tsx'
import { GeneralPage } from './general-page.tsx'
import { KeyboardPage } from './keyboard-page.tsx'
import type { PageProps } from './page-props.ts'
import { PrivacyPage } from './privacy-page.tsx'
import { SettingsFooter } from './settings-footer.tsx'
import { StoragePage } from './storage-page.tsx'

interface SettingsScreenProps {
  readonly place: SettingsPlace
  /** The open workspace, "" on the first screen. */
  readonly openId: string
  readonly onNavigate: (place: SettingsPlace) => void
  readonly onClose: () => void
  /** Called when the open workspace is no longer recorded. */
  readonly onRemoved: () => void
}

export function SettingsScreen({ place, openId, onNavigate, onClose, onRemoved }: SettingsScreenProps) {
  const info = useQuery('app.info', {})
  const list = useQuery('workspaces.list', {})
  const workspaces = list.data?.workspaces ?? []
  const workspace = workspaces.find(({ id }) => id === openId) ?? null
  const content = useRef<HTMLElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new page starts at its top.
  useEffect(() => {
    content.current?.scrollTo(0, 0)
  }, [place.page])

  const props: PageProps = {
    home: info.data?.home ?? '',
    dataDir: info.data?.dataDir ?? '',
    version: info.data?.version ?? '',
    workspace,
    workspaces,
    removed: list.data?.left ?? [],
    onNavigate,
    onRemoved: (id) => {
      list.refetch()
      if (id === openId) onRemoved()
    }
  }
  return (
    <Dialog label="Settings" className="app settings" initialFocus='.nav[aria-current="page"]' onClose={onClose}>
      <header className="head">
        <Mark />
        <Button kind="ghost" icon="left" onClick={onClose}>
          {workspace?.name ?? 'All folders'}
        </Button>
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
          {info.data && (list.data || list.error) ? (
            <div className="in" key={place.page}>
              <Page place={place} {...props} />
            </div>
          ) : (
            <div className="in" aria-busy="true" />
          )}
        </main>
      </div>
      <SettingsFooter workspace={workspace} version={props.version} onNavigate={onNavigate} />
    </Dialog>
  )
}

/** Arrow keys move the focus between pages. */
function moveFocus(event: React.KeyboardEvent<HTMLElement>): void {
  const by = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
  if (by === 0) return
  event.preventDefault()
  const all = [...event.currentTarget.querySelectorAll<HTMLElement>('.nav')]
  const at = all.indexOf(document.activeElement as HTMLElement)
  all[(at + by + all.length) % all.length]?.focus()
}

function Page({ place, ...props }: PageProps & { readonly place: SettingsPlace }) {
  switch (place.page) {
    case 'general':
      return <GeneralPage {...props} />
    case 'agents':
      return <AgentsPage {...props} agent={place.agent ?? null} />
    case 'capture':
      return <CapturePage {...props} />
    case 'storage':
      return <StoragePage {...props} />
    case 'appearance':
      return <AppearancePage />
    case 'keyboard':
      return <KeyboardPage />
    case 'privacy':
      return <PrivacyPage {...props} />
    case 'about':
      return <AboutPage {...props} />
  }
}

/** The two screens, the overlays above them, and the commands that work everywhere. */
import '../styles/index.css'
import { useCallback, useEffect, useState } from 'react'
import type { Workspace } from '../../contract/workspace.ts'
import type { Connection } from '../client/connection.ts'
import { DriftlineProvider, useConnectionState, useDriftline } from '../client/context.tsx'
import type { Platform } from '../client/platform.ts'
import { useQuery } from '../client/use-query.ts'
import { runCommand } from '../commands/dispatch.ts'
import { CommandProvider, useCommandHub } from '../commands/hub.tsx'
import type { SettingsPlace } from '../commands/settings-pages.ts'
import { COMMANDS, titleOfCommand } from '../commands/table.ts'
import { HelpSheet } from '../features/help/help-sheet.tsx'
import { Palette } from '../features/palette/palette.tsx'
import { SettingsScreen } from '../features/settings/settings-screen.tsx'
import { ToastProvider, useToasts } from '../features/toast/toasts.tsx'
import { type Dropped, readDrop } from '../features/welcome/drop.ts'
import { useDrop } from '../features/welcome/use-drop.ts'
import { WelcomeScreen } from '../features/welcome/welcome-screen.tsx'
import { WorkspaceScreen } from '../features/workspace/workspace-screen.tsx'
import { IconSprite } from '../ui/icon-sprite.tsx'
import { LiveRegions } from '../ui/live-region.tsx'
import { isModalOpen } from '../ui/open-dialogs.ts'
import { TooltipLayer } from '../ui/tooltip.tsx'
import { PreferencesProvider, usePreferences } from './preferences.tsx'
import { useStart } from './use-start.ts'

interface AppProps {
  readonly connection: Connection
  readonly platform: Platform
}

export function App({ connection, platform }: AppProps) {
  return (
    <DriftlineProvider connection={connection} platform={platform}>
      <PreferencesProvider>
        <IconSprite />
        <ToastProvider>
          <Screens />
        </ToastProvider>
        <LiveRegions />
        <TooltipLayer />
      </PreferencesProvider>
    </DriftlineProvider>
  )
}

const OPEN_KEY = 'driftline.open'

function Screens() {
  const { platform } = useDriftline()
  const connection = useConnectionState()
  const { letterKeys, set } = usePreferences()
  const toasts = useToasts()
  const [openId, setOpenId] = useState(() => {
    // The address names the workspace only on the first load; session storage keeps it for reloads.
    if (platform.openFirst) sessionStorage.setItem(OPEN_KEY, platform.openFirst)
    return sessionStorage.getItem(OPEN_KEY) ?? ''
  })
  const [overlay, setOverlay] = useState<'palette' | 'help' | null>(null)
  const [paletteText, setPaletteText] = useState<string | null>(null)
  const [settings, setSettings] = useState<SettingsPlace | null>(null)
  const [lastSettings, setLastSettings] = useState<SettingsPlace>({ page: 'general' })
  const [folderRequested, setFolderRequested] = useState(false)
  const [dropped, setDropped] = useState<Promise<Dropped | null> | null>(null)

  const open = useCallback((id: string) => {
    sessionStorage.setItem(OPEN_KEY, id)
    setOpenId(id)
  }, [])

  const isDragging = useDrop((data) => {
    setDropped(readDrop(data, platform.pathForFile))
    open('')
  })
  useEffect(() => {
    if (platform.openFirst) sessionStorage.setItem(OPEN_KEY, platform.openFirst)
  }, [platform])

  useStart(openId, open)
  const openFolder = () => {
    // Folders are opened on the welcome screen.
    setFolderRequested(true)
    open('')
  }

  return (
    <CommandProvider
      letterKeys={letterKeys}
      app={{
        host: platform.kind,
        connected: connection.phase === 'open',
        openPalette: (text) => {
          setPaletteText(text ?? null)
          setOverlay('palette')
        },
        openHelp: () => setOverlay('help'),
        openFolder,
        openSettings: (place) => setSettings(place ?? { page: lastSettings.page }),
        setTheme: (theme) => set('theme', theme),
        goHome: () => open('')
      }}
      onUnavailable={(title, reason) => toasts.show({ id: 'unavailable', icon: 'info', text: `${title}: ${reason}.` })}
    >
      <HostCommands />
      <Screen
        openId={openId}
        open={open}
        folderRequested={folderRequested}
        onFolderRequestHandled={() => setFolderRequested(false)}
        dragging={isDragging}
        dropped={dropped}
        onDropHandled={() => setDropped(null)}
      />
      {settings ? (
        <SettingsScreen
          place={settings}
          openId={openId}
          onNavigate={(place) => {
            setSettings(place)
            setLastSettings(place)
          }}
          onClose={() => setSettings(null)}
          onRemoved={() => open('')}
        />
      ) : null}
      {overlay === 'palette' ? <Palette initialText={paletteText} onClose={() => setOverlay(null)} /> : null}
      {overlay === 'help' ? <HelpSheet onClose={() => setOverlay(null)} /> : null}
    </CommandProvider>
  )
}

/** Runs commands that the host's menu sends by id. */
function HostCommands() {
  const { platform } = useDriftline()
  const hub = useCommandHub()
  const toasts = useToasts()
  useEffect(
    () =>
      platform.onCommand?.((id) => {
        const command = COMMANDS.find((candidate) => candidate.id === id)
        if (!command || isModalOpen()) return
        const state = hub.state()
        const reason = runCommand(command, state)
        if (reason) {
          const text = `${titleOfCommand(command, state)}: ${reason}.`
          toasts.show({ id: 'unavailable', icon: 'info', text })
        }
      }),
    [platform, hub, toasts]
  )
  return null
}

interface ScreenProps {
  readonly openId: string
  readonly open: (id: string) => void
  readonly folderRequested: boolean
  readonly onFolderRequestHandled: () => void
  readonly dragging: boolean
  readonly dropped: Promise<Dropped | null> | null
  readonly onDropHandled: () => void
}

function Screen({ openId, open, ...welcome }: ScreenProps) {
  const info = useQuery('app.info', {})
  const list = useQuery('workspaces.list', {})
  const [lastShown, setLastShown] = useState<Workspace | null>(null)
  const home = info.data?.home ?? ''
  const found = list.data?.workspaces.find(({ id }) => id === openId) ?? null

  useEffect(() => {
    if (found) setLastShown(found)
  }, [found])
  // A workspace that was removed in another window closes. The delay covers a list that is still being updated.
  useEffect(() => {
    if (openId && list.data && list.current && !found) {
      const timer = setTimeout(() => open(''), 1000)
      return () => clearTimeout(timer)
    }
    return undefined
  }, [openId, list.data, list.current, found, open])

  const workspace = found ?? (lastShown?.id === openId ? lastShown : null)
  useEffect(() => {
    document.title = workspace ? `${workspace.name} · Driftline` : 'Driftline'
  }, [workspace])

  if (openId && !workspace && !list.data && !list.error) return <div className="app welcome" aria-busy="true" />
  if (workspace && openId) {
    return (
      <WorkspaceScreen key={workspace.id} workspace={workspace} home={home} onSwitch={open} onHome={() => open('')} />
    )
  }
  return <WelcomeScreen home={home} version={info.data?.version ?? ''} onOpen={open} {...welcome} />
}

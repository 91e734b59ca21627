/** The two screens, the overlays above them, and the commands that work everywhere. */
import '../styles/index.css'
import { useEffect, useLayoutEffect, useState } from 'react'
import { hostOf } from '../../contract/hosts.ts'
import { hostAwayReason, hostRestoredText } from '../../contract/words/hosts.ts'
import type { Workspace } from '../../contract/workspace.ts'
import type { Connection } from '../client/connection.ts'
import { DriftlineProvider, useConnectionState, useDriftline } from '../client/context.tsx'
import { HostScope } from '../client/host-scope.tsx'
import { usePlaces } from '../client/places.ts'
import type { Platform } from '../client/platform.ts'
import { CommandProvider, useCommandHub } from '../commands/hub.tsx'
import { COMMANDS } from '../commands/table.ts'
import { HelpSheet } from '../features/help/help-sheet.tsx'
import { Palette } from '../features/palette/palette.tsx'
import { SettingsScreen } from '../features/settings/settings-screen.tsx'
import { ToastProvider, useToasts } from '../features/toast/toasts.tsx'
import { TodayScreen } from '../features/today/today-screen.tsx'
import { readDrop, useDrop } from '../features/welcome/drop.ts'
import { useIsUnreachable } from '../features/welcome/use-is-unreachable.ts'
import { type FolderRequest, WelcomeScreen, type WelcomeScreenProps } from '../features/welcome/welcome-screen.tsx'
import { WorkspaceScreen } from '../features/workspace/workspace-screen.tsx'
import { PreferencesProvider, usePreferences } from '../state/preferences.tsx'
import { useUnseenEnds } from '../state/use-unseen-ends.ts'
import { isModalOpen } from '../ui/dialog.tsx'
import { IconSprite } from '../ui/icon.tsx'
import { LiveRegions } from '../ui/live-region.tsx'
import { keepFocusInPage } from '../ui/lost-focus.ts'
import { PaneBoundary } from '../ui/pane-boundary.tsx'
import { TooltipLayer } from '../ui/tooltip.tsx'
import { bundleIn, useOpenBundle } from './open-bundle.ts'
import { TODAY, useClosing, useOpenId, useStart, useWorkspaceAddress } from './use-open-id.ts'
import { useOverlays } from './use-overlays.ts'

export function App({ connection, platform }: { readonly connection: Connection; readonly platform: Platform }) {
  useEffect(() => keepFocusInPage(document.body), [])
  return (
    <DriftlineProvider connection={connection} platform={platform}>
      <PreferencesProvider>
        <IconSprite />
        <PaneBoundary name="this window">
          <ToastProvider>
            <Screens />
          </ToastProvider>
          <LiveRegions />
          <TooltipLayer />
        </PaneBoundary>
      </PreferencesProvider>
    </DriftlineProvider>
  )
}

function Screens() {
  const { platform } = useDriftline()
  const offlineHere = useConnectionState().phase === 'open' ? null : 'not connected'
  const { letterKeys, set } = usePreferences()
  const toasts = useToasts()
  const [openId, open] = useOpenId()
  const { settings, overlay, ...overlays } = useOverlays()
  useWorkspaceAddress(openId, open)
  const { request, onRequestHandled, openFolder, dragging } = useFolderRequests(open)
  useStart(openId, open)
  useLostRestores()
  const place = usePlaces().hosts.find(({ name }) => name === hostOf(openId))
  const awayReason = place && place.phase !== 'connected' ? hostAwayReason(place) : null

  return (
    <CommandProvider
      letterKeys={letterKeys}
      app={{
        host: platform.kind,
        offline: offlineHere ?? awayReason,
        offlineHere,
        openPalette: (text) => overlays.open({ kind: 'palette', text: text ?? null }),
        openHelp: () => overlays.open({ kind: 'help' }),
        openFolder: () => openFolder({ dropped: null }),
        openWindow: () => platform.openWindow(location.hash),
        openSettings: overlays.openSettings,
        setTheme: (theme) => set('theme', theme),
        goHome: () => open(''),
        showToday: () => {
          overlays.closeSettings()
          open(TODAY)
        }
      }}
      onUnavailable={(title, reason) => toasts.show({ id: 'unavailable', icon: 'info', text: `${title}: ${reason}.` })}
    >
      <HostCommands />
      <Screen openId={openId} open={open} dragging={dragging} request={request} onRequestHandled={onRequestHandled} />
      {settings ? (
        <SettingsScreen
          place={settings}
          openId={openId}
          onNavigate={overlays.goToSettings}
          onClose={overlays.closeSettings}
          onOpen={(id) => {
            overlays.closeSettings()
            open(id)
          }}
          onRemoved={() => open('')}
        />
      ) : null}
      {overlay?.kind === 'palette' ? <Palette initialText={overlay.text} onClose={overlays.close} /> : null}
      {overlay?.kind === 'help' ? <HelpSheet onClose={overlays.close} /> : null}
      {dragging ? <div className="drop-cover" /> : null}
    </CommandProvider>
  )
}

/** Opens folders, on the welcome screen, and what is dropped on the window. */
function useFolderRequests(open: (id: string) => void) {
  const { platform } = useDriftline()
  const [request, setRequest] = useState<FolderRequest | null>(null)
  const openFolder = (next: FolderRequest) => {
    setRequest(next)
    open('')
  }
  const openBundle = useOpenBundle(open)
  const dragging = useDrop((data) => {
    const bundle = bundleIn(data)
    if (bundle) openBundle(bundle)
    else openFolder({ dropped: readDrop(data, platform.pathForFile) })
  })
  return { request, onRequestHandled: () => setRequest(null), openFolder, dragging }
}

/** Runs commands that the host's menu sends by id. */
function HostCommands() {
  const { platform } = useDriftline()
  const hub = useCommandHub()
  // Before the first paint: the menu works as soon as the page is seen.
  useLayoutEffect(
    () =>
      platform.onCommand?.((id) => {
        const command = COMMANDS.find((candidate) => candidate.id === id)
        if (command && !isModalOpen()) hub.run(command)
      }),
    [platform, hub]
  )
  return null
}

type ScreenProps = Omit<WelcomeScreenProps, 'onOpen'> & { readonly openId: string; readonly open: (id: string) => void }

function Screen({ openId, open, ...welcome }: ScreenProps) {
  const { refused = false } = useConnectionState()
  const isUnreachable = useIsUnreachable()
  const places = usePlaces()
  const [lastShown, setLastShown] = useState<Workspace | null>(null)
  const found: Workspace | null = [...places.all, ...places.reviews].find(({ id }) => id === openId) ?? null

  useEffect(() => {
    if (found) setLastShown(found)
  }, [found])
  useClosing(openId, open, places, found !== null)

  const workspace = found ?? (lastShown?.id === openId ? lastShown : null)
  const unseen = useUnseenEnds(open)
  useEffect(() => {
    const name = workspace ? `${workspace.name} · Driftline` : 'Driftline'
    document.title = unseen > 0 ? `(${unseen}) ${name}` : name
  }, [workspace, unseen])

  if (openId === TODAY) return <TodayScreen onOpen={open} onHome={() => open('')} />
  // [UI-38] The first screen says why the folders are not there.
  const isLoading = !places.isLoaded && !refused && !isUnreachable && places.error === null
  if (openId && !workspace && isLoading) return <div className="app welcome" aria-busy="true" />
  if (workspace && openId)
    return (
      <HostScope host={hostOf(openId)}>
        <PaneBoundary name="this folder" resetOn={openId}>
          <WorkspaceScreen key={workspace.id} workspace={workspace} onSwitch={open} onHome={() => open('')} />
        </PaneBoundary>
      </HostScope>
    )
  return <WelcomeScreen onOpen={open} {...welcome} />
}

/** [RH-5] Says how a restore ended whose connection was lost, on whatever screen. */
function useLostRestores(): void {
  const { client } = useDriftline()
  const toasts = useToasts()
  useEffect(
    () =>
      client.on('host.restored', (restored) => {
        const icon = restored.state === 'done' ? 'check' : 'warn'
        toasts.show({ id: 'restore', icon, text: hostRestoredText(restored) })
      }),
    [client, toasts]
  )
}

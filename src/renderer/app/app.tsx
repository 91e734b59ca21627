/** The two screens, the overlays above them, and the commands that work everywhere. */
import '../styles/index.css'
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { Result } from '../../contract/api.ts'
import { hostOf } from '../../contract/hosts.ts'
import { hostAwayReason, hostRestoredText } from '../../contract/words/hosts.ts'
import type { Workspace } from '../../contract/workspace.ts'
import { NO_ADDRESS, onAddress, readAddress, showAddress } from '../client/address.ts'
import type { Connection } from '../client/connection.ts'
import { DriftlineProvider, useConnectionState, useDriftline } from '../client/context.tsx'
import { HostScope } from '../client/host-scope.tsx'
import { type Places, usePlaces } from '../client/places.ts'
import type { Platform } from '../client/platform.ts'
import { useQuery } from '../client/use-query.ts'
import { CommandProvider, useCommandHub } from '../commands/hub.tsx'
import type { SettingsPage } from '../commands/settings-pages.ts'
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
import { useSettingsAddress } from './use-settings-address.ts'

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

const OPEN_KEY = 'driftline.open'
/** In place of the id of a workspace: the screen of all hosts. */
const TODAY = 'today'

type Overlay = { readonly kind: 'palette'; readonly text: string | null } | { readonly kind: 'help' }

function Screens() {
  const { platform } = useDriftline()
  const offlineHere = useConnectionState().phase === 'open' ? null : 'not connected'
  const { letterKeys, set } = usePreferences()
  const toasts = useToasts()
  const [openId, setOpenId] = useState(() => {
    // The address names the workspace only on the first load; session storage keeps it for reloads.
    // The address may have changed since the page began to load.
    const first = readAddress().open || platform.openFirst
    if (first) sessionStorage.setItem(OPEN_KEY, first)
    return sessionStorage.getItem(OPEN_KEY) ?? ''
  })
  const [overlay, setOverlay] = useState<Overlay | null>(null)
  const settings = useSettingsAddress()
  const lastPage = useRef<SettingsPage>('general')
  const [request, setRequest] = useState<FolderRequest | null>(null)
  const open = useCallback((id: string) => {
    sessionStorage.setItem(OPEN_KEY, id)
    setOpenId(id)
  }, [])
  useWorkspaceAddress(openId, open)
  /** Folders are opened on the welcome screen. */
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
  useStart(openId, open)
  useLostRestores()
  const place = usePlaces().hosts.find(({ name }) => name === hostOf(openId))
  const awayReason = place && place.phase !== 'connected' ? hostAwayReason(place) : null
  const close = () => setOverlay(null)
  /** In place of the settings. */
  const openOverlay = (next: Overlay) => {
    if (settings.place) settings.show(null)
    setOverlay(next)
  }

  return (
    <CommandProvider
      letterKeys={letterKeys}
      app={{
        host: platform.kind,
        offline: offlineHere ?? awayReason,
        offlineHere,
        openPalette: (text) => openOverlay({ kind: 'palette', text: text ?? null }),
        openHelp: () => openOverlay({ kind: 'help' }),
        openFolder: () => openFolder({ dropped: null }),
        openWindow: () => platform.openWindow(location.hash),
        openSettings: (place = { page: lastPage.current }) => {
          setOverlay(null)
          settings.show(place)
        },
        setTheme: (theme) => set('theme', theme),
        goHome: () => open(''),
        showToday: () => {
          settings.show(null)
          open(TODAY)
        }
      }}
      onUnavailable={(title, reason) => toasts.show({ id: 'unavailable', icon: 'info', text: `${title}: ${reason}.` })}
    >
      <HostCommands />
      <Screen
        openId={openId}
        open={open}
        dragging={dragging}
        request={request}
        onRequestHandled={() => setRequest(null)}
      />
      {settings.place ? (
        <SettingsScreen
          place={settings.place}
          openId={openId}
          onNavigate={(place) => {
            lastPage.current = place.page
            settings.show(place)
          }}
          onClose={() => settings.show(null)}
          onOpen={(id) => {
            settings.show(null)
            open(id)
          }}
          onRemoved={() => open('')}
        />
      ) : null}
      {overlay?.kind === 'palette' ? <Palette initialText={overlay.text} onClose={close} /> : null}
      {overlay?.kind === 'help' ? <HelpSheet onClose={close} /> : null}
      {dragging ? <div className="drop-cover" /> : null}
    </CommandProvider>
  )
}

/** [UI-10] Back and Forward lead to another workspace, or to the first screen; the open workspace is in the address. */
function useWorkspaceAddress(openId: string, open: (id: string) => void): void {
  const first = useRef(true)
  useEffect(() => onAddress((address) => open(address.open)), [open])
  useEffect(() => {
    const now = readAddress()
    if (now.open !== openId)
      showAddress({ ...NO_ADDRESS, open: openId, settings: now.settings }, { replace: first.current })
    first.current = false
  }, [openId])
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

/** A workspace that was removed in another window closes. A list read before it was added does not hold it, either. */
function useClosing(openId: string, open: (id: string) => void, places: Places, isListed: boolean): void {
  const { queries } = useDriftline()
  const list = useQuery('workspaces.list', {})
  const host = hostOf(openId)
  const place = places.hosts.find(({ name }) => name === host)
  // A host that does not answer may still have it.
  const isAsked = host === null ? list.data !== null && list.current : places.isLoaded && place?.phase !== 'connecting'
  const isMissing = openId !== '' && openId !== TODAY && isAsked && !isListed
  useEffect(() => {
    if (!isMissing) return
    let cancelled = false
    const key = [host === null ? 'workspaces.list' : 'hosts.list', {}]
    const isListedNow = () => {
      const data = queries.cache.getQueryData<Result<'workspaces.list'> | Result<'hosts.list'>>(key)
      const all =
        data && 'hosts' in data
          ? data.hosts.flatMap(({ workspaces }) => workspaces)
          : data && [...data.workspaces, ...(data.bundles ?? [])]
      return all?.some(({ id }) => id === openId) === true
    }
    queries.fetchNow(key).then(
      () => {
        if (!cancelled && !isListedNow()) open('')
      },
      () => {
        // Disconnected: the list is read again with the next connection.
      }
    )
    return () => {
      cancelled = true
    }
  }, [isMissing, host, openId, open, queries])
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

const LAST = 'ui.last-open'

/** Opens the last workspace in a new window if that is the preference, and stores the current one. */
function useStart(openId: string, open: (id: string) => void): void {
  const { client } = useDriftline()
  const settings = useQuery('settings.get', {})
  const places = usePlaces()
  const decided = useRef(false)

  useEffect(() => {
    if (openId !== '') decided.current = true
    if (decided.current || !settings.data || !places.isLoaded) return
    decided.current = true
    const { values } = settings.data
    const last = places.all.find(({ id }) => id === values[LAST])
    if (values['ui.start'] === 'last' && last?.folder === 'present') open(last.id)
  }, [openId, settings.data, places, open])

  useEffect(() => {
    if (openId === '' || openId === TODAY) return
    client.call('settings.set', { key: LAST, value: openId }).catch(() => {
      // Disconnected: the next opened workspace is stored instead.
    })
  }, [client, openId])
}

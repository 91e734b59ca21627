/** The banner below the header; a button shows the others in turn. */
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { RestoreResult } from '../../../contract/restore.ts'
import { decidedText } from '../../../contract/words/brake.ts'
import { shortPath } from '../../../contract/words/paths.ts'
import { useConnectionState, useDriftline } from '../../client/context.tsx'
import { useCommandHere, useHome } from '../../client/use-query.ts'
import { useCommandHub } from '../../commands/hub.tsx'
import { useOpenWorkspace, useWorkspaceFields } from '../../state/open-workspace.tsx'
import { Button, IconButton } from '../../ui/button.tsx'
import { CodeText } from '../../ui/code-text.tsx'
import { Icon } from '../../ui/icon.tsx'
import { announce } from '../../ui/live-region.tsx'
import { MenuButton } from '../../ui/menu.tsx'
import { useFold } from '../../ui/use-fold.ts'
import { useNow } from '../../ui/use-now.ts'
import { usePressed } from '../../ui/use-pressed.ts'
import { useToasts } from '../toast/toasts.tsx'
import type { BannerAction } from './banner-parts.ts'
import { bannersOf } from './banners.ts'

const WORKS_OFFLINE = new Set<BannerAction['do']>(['retry', 'hosts', 'copy-details', 'copy-text', 'review', 'switch'])

/** Buttons of a banner in a narrow window, unless it asks for a decision at once; the others are in a menu. */
const MOST_IN_LINE = 2

export function BannerBar({ onSwitch }: { readonly onSwitch: (workspace: string) => void }) {
  const { workspace, store } = useOpenWorkspace()
  const { platform } = useDriftline()
  const home = useHome()
  const command = useCommandHere()
  const { downSince, lastContact, refused = false, away } = useConnectionState()
  const { status, offline, layout, search } = useWorkspaceFields('status', 'offline', 'layout', 'search')
  const now = useNow(downSince !== null ? 'second' : 'minute')
  const perform = useBannerActions(onSwitch)
  const { dismissed, dismiss } = useDismissed(workspace.id)
  const [step, setStep] = useState(0)
  const folder = shortPath(workspace.root, home)
  const inBrowser = platform.kind === 'browser'
  const due = useHeldWhilePressed(
    bannersOf({ search, status, folder, downSince, lastContact, now, inBrowser, refused, away }).filter(
      ({ key }) => !dismissed.includes(key)
    )
  )
  const at = due.length === 0 ? 0 : step % due.length
  const banner = due[at]
  const text = banner ? `${banner.lead}${banner.rest}` : ''
  const words = useRef<HTMLDivElement>(null)
  const fold = useFold(words, banner ? banner.key : '')

  const noticedRun = banner?.run ?? null
  useLayoutEffect(() => store.setState({ noticedRun }), [store, noticedRun])

  // biome-ignore lint/correctness/useExhaustiveDependencies: announced once per banner, not when its counters change.
  useEffect(() => {
    if (text) announce(text, banner?.tone === 'danger' ? 'assertive' : 'polite')
  }, [banner?.key])

  if (!banner) return <div className="banners" />
  // Buttons and what wraps under them cost lines that the panes need.
  const folds = layout === 'tabs' && banner.tone !== 'danger' && banner.actions.length > MOST_IN_LINE
  const inLine = folds ? MOST_IN_LINE : banner.actions.length
  const disabledReason = (action: BannerAction) => (WORKS_OFFLINE.has(action.do) ? null : offline)
  return (
    <div className="banners">
      <section
        className="banner"
        data-tone={banner.tone}
        data-instructs={banner.actions.length === 0 || undefined}
        data-open={fold.isOpen || undefined}
        aria-label="Notice"
      >
        <Icon name={banner.icon} />
        <div className="grow" ref={words}>
          <div className="banner-lead">
            <b>{banner.lead}</b>
            {banner.rest}
          </div>
          {banner.detail ? (
            <div className="banner-detail ell">
              <CodeText text={banner.detail} command={command} />
            </div>
          ) : null}
        </div>
        <div className="banner-actions">
          {banner.actions.slice(0, inLine).map(({ label, action }) => (
            <Button
              size="sm"
              className="banner-button"
              key={label}
              disabledReason={disabledReason(action)}
              onClick={() => perform(action)}
            >
              {label}
            </Button>
          ))}
          {banner.actions.length > inLine ? (
            <MenuButton
              label="More actions"
              align="right"
              items={banner.actions.slice(inLine).map(({ label, action }) => ({
                id: label,
                label,
                disabled: disabledReason(action),
                run: () => perform(action)
              }))}
            >
              <Icon name="more" />
            </MenuButton>
          ) : null}
          {due.length > 1 ? (
            <Button size="sm" kind="ghost" className="banner-button" data-kind="ghost" onClick={() => setStep(at + 1)}>
              {due.length - 1} more
              <Icon name="down" size="s" />
            </Button>
          ) : null}
        </div>
        <div className="banner-corner">
          {fold.isCut ? (
            <IconButton
              icon={fold.isOpen ? 'up' : 'unfold'}
              iconSize="s"
              size="sm"
              className="banner-close"
              label={fold.isOpen ? 'Show less of this notice' : 'Show the whole notice'}
              aria-expanded={fold.isOpen}
              onClick={fold.toggle}
            />
          ) : null}
          {banner.canDismiss ? (
            <IconButton
              icon="x"
              iconSize="s"
              size="sm"
              className="banner-close"
              label="Dismiss (the timeline keeps the entry)"
              onClick={() => dismiss(banner.key)}
            />
          ) : null}
        </div>
      </section>
    </div>
  )
}

/**
 * The banners as they were when the pointer was pressed anywhere: a banner that comes or goes moves the whole window, and
 * a button would move away between press and release.
 */
function useHeldWhilePressed<T>(latest: T): T {
  const { pressed, press } = usePressed()
  const held = useRef(latest)
  if (!pressed) held.current = latest
  // biome-ignore lint/correctness/useExhaustiveDependencies: `press` only sets a state.
  useEffect(() => {
    window.addEventListener('pointerdown', press, true)
    return () => window.removeEventListener('pointerdown', press, true)
  }, [])
  return held.current
}

const MAX_DISMISSED = 100

/** Keys of the banners that were dismissed in a workspace, stored in this browser. */
function useDismissed(workspace: string) {
  const storageKey = `driftline.dismissed.${workspace}`
  const [dismissed, setDismissed] = useState(() => {
    try {
      const stored: unknown = JSON.parse(localStorage.getItem(storageKey) ?? '[]')
      return Array.isArray(stored) ? (stored as string[]) : []
    } catch (error) {
      // The stored value is not ours: nothing was dismissed.
      if (error instanceof SyntaxError) return []
      throw error
    }
  })
  const dismiss = (key: string) => {
    const next = [...dismissed, key].slice(-MAX_DISMISSED)
    localStorage.setItem(storageKey, JSON.stringify(next))
    setDismissed(next)
  }
  return { dismissed, dismiss }
}

function useBannerActions(onSwitch: (workspace: string) => void): (action: BannerAction) => void {
  const { workspace, store, actions } = useOpenWorkspace()
  const { client, queries, connection, platform } = useDriftline()
  const hub = useCommandHub()
  const toasts = useToasts()
  const record = (folder: string) =>
    void client.call('workspaces.add', { folder, wait: false }).catch(actions.reportError)
  const decide = async ({ run, decision }: BannerAction & { readonly do: 'brake' }): Promise<void> => {
    try {
      const call = { workspace: workspace.id, run }
      let done: RestoreResult | null = null
      if (decision === 'restore') done = (await client.call('brake.restore', { ...call, dryRun: false })).result
      else await client.call('brake.decide', { ...call, decision })
      if (done && done.state !== 'done' && done.state !== 'nothing-to-do') return actions.reviewEntry(done.restore)
      const files = done?.items.filter(({ action }) => action !== 'mkdir').length ?? 0
      toasts.show({ id: 'brake', icon: 'check', text: decidedText(decision, files) })
    } catch (error) {
      actions.reportError(error)
    }
  }
  const restoreRepository = async (name: string): Promise<void> => {
    const call = { workspace: workspace.id }
    // Git's own state is no part of the log: no change of it is reported.
    const refresh = () => queries.repeat(['workspace.status', { ...call, check: false }])
    const undo = () => void client.call('git.undo', call).then(refresh).catch(actions.reportError)
    try {
      await client.call('git.restore', { ...call, names: [name], all: false, dryRun: false })
      refresh()
      const text = 'The git repository was restored.'
      toasts.show({ id: 'git', icon: 'check', text, action: { label: 'Undo', run: undo } })
    } catch (error) {
      actions.reportError(error)
    }
  }
  return (action) => {
    switch (action.do) {
      case 'restore-repository':
        return void restoreRepository(action.name)
      case 'brake':
        return void decide(action)
      case 'retry':
        return connection.retry()
      case 'hosts':
        return hub.state().openSettings({ page: 'hosts' })
      case 'copy-details':
        return actions.copy(JSON.stringify({ connection: connection.state(), host: platform.kind }, null, 2))
      case 'copy-text':
        actions.copy(action.text)
        return toasts.show({ id: 'copy', icon: 'check', text: 'Copied. Run it in a terminal to resume.' })
      case 'open':
        return store.setState({ dialog: action.dialog })
      case 'preview':
        return actions.openPreview(action.request)
      case 'review':
        return actions.reviewEntry(action.entry)
      case 'accept':
        return actions.accept(action.drift)
      case 'unqueue':
        return actions.cancelQueued(action.queued)
      case 'cancel-search':
        return void client.call('bisect.cancel', { workspace: workspace.id }).catch(actions.reportError)
      case 'dismiss-search':
        return void client.call('bisect.dismiss', { workspace: workspace.id }).catch(actions.reportError)
      case 'tell-agent':
        return actions.commentOnRun(action)
      case 'pin-position':
        return actions.pin(action.label, action.target)
      case 'watch':
        return actions.setWatching(true)
      case 'confirm-list':
        return void client.call('workspaces.confirmList', {}).catch(actions.reportError)
      case 'finish-copy':
        return record(workspace.root)
      case 'worktrees':
        return void client
          .call('settings.set', { key: `git.worktrees/${workspace.id}`, value: action.mode })
          .catch(actions.reportError)
      case 'switch':
        return onSwitch(action.workspace)
      case 'record':
        action.folders.forEach(record)
        return toasts.show({ id: 'record', icon: 'check', text: 'Recording started. Creating the initial snapshot…' })
    }
  }
}

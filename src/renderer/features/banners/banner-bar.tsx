/** The banner below the header; a button shows the others in turn. */
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { shortPath } from '../../../contract/words/paths.ts'
import { useConnectionState, useDriftline } from '../../client/context.tsx'
import { useCommandHere, useHome } from '../../client/use-query.ts'
import { useOpenWorkspace, useWorkspaceFields } from '../../state/open-workspace.tsx'
import { Button, IconButton } from '../../ui/button.tsx'
import { CodeText } from '../../ui/code-text.tsx'
import { Icon } from '../../ui/icon.tsx'
import { announce } from '../../ui/live-region.tsx'
import { MenuButton } from '../../ui/menu.tsx'
import { useFold } from '../../ui/use-fold.ts'
import { useNow } from '../../ui/use-now.ts'
import { usePressed } from '../../ui/use-pressed.ts'
import type { Banner, BannerAction } from './banner-parts.ts'
import { bannersOf } from './banners.ts'
import { useBannerActions } from './use-banner-actions.ts'

const WORKS_OFFLINE = new Set<BannerAction['do']>(['retry', 'hosts', 'copy-details', 'copy-text', 'review', 'switch'])

/** Buttons of a banner in a narrow window, unless it asks for a decision at once; the others are in a menu. */
const MOST_IN_LINE = 2

export function BannerBar({ onSwitch }: { readonly onSwitch: (workspace: string) => void }) {
  const { store } = useOpenWorkspace()
  const command = useCommandHere()
  const { due, dismiss } = useDueBanners()
  const [step, setStep] = useState(0)
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
        <BannerActions banner={banner} others={due.length - 1} onNext={() => setStep(at + 1)} onSwitch={onSwitch} />
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

interface BannerActionsProps {
  readonly banner: Banner
  /** How many other banners there are. */
  readonly others: number
  readonly onNext: () => void
  readonly onSwitch: (workspace: string) => void
}

function BannerActions({ banner: { tone, actions }, others, onNext, onSwitch }: BannerActionsProps) {
  const { offline, layout } = useWorkspaceFields('offline', 'layout')
  const perform = useBannerActions(onSwitch)
  // Buttons and what wraps under them cost lines that the panes need.
  const folds = layout === 'tabs' && tone !== 'danger' && actions.length > MOST_IN_LINE
  const inLine = folds ? MOST_IN_LINE : actions.length
  const disabledReason = (action: BannerAction) => (WORKS_OFFLINE.has(action.do) ? null : offline)
  return (
    <div className="banner-actions">
      {actions.slice(0, inLine).map(({ label, action }) => (
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
      {actions.length > inLine ? (
        <MenuButton
          label="More actions"
          align="right"
          items={actions.slice(inLine).map(({ label, action }) => ({
            id: label,
            label,
            disabled: disabledReason(action),
            run: () => perform(action)
          }))}
        >
          <Icon name="more" />
        </MenuButton>
      ) : null}
      {others > 0 ? (
        <Button size="sm" kind="ghost" className="banner-button" data-kind="ghost" onClick={onNext}>
          {others} more
          <Icon name="down" size="s" />
        </Button>
      ) : null}
    </div>
  )
}

/** The banners that were not dismissed. */
function useDueBanners() {
  const { workspace } = useOpenWorkspace()
  const { platform } = useDriftline()
  const home = useHome()
  const { downSince, lastContact, refused = false, away } = useConnectionState()
  const { status, search } = useWorkspaceFields('status', 'search')
  const now = useNow(downSince !== null ? 'second' : 'minute')
  const { dismissed, dismiss } = useDismissed(workspace.id)
  const folder = shortPath(workspace.root, home)
  const inBrowser = platform.kind === 'browser'
  const due = useHeldWhilePressed(
    bannersOf({ search, status, folder, downSince, lastContact, now, inBrowser, refused, away }).filter(
      ({ key }) => !dismissed.includes(key)
    )
  )
  return { due, dismiss }
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

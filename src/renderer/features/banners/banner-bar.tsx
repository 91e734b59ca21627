/** One banner below the header; a button shows the others in turn. */
import { useEffect, useState } from 'react'
import { Button, IconButton } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { announce } from '../../ui/live-region.tsx'
import type { Banner, BannerAction } from './banners.ts'

const MAX_DISMISSED = 100
const keyOf = (scope: string) => `driftline.dismissed.${scope}`

/** Keys of dismissed banners. */
function load(scope: string): ReadonlySet<string> {
  try {
    return new Set(JSON.parse(localStorage.getItem(keyOf(scope)) ?? '[]') as string[])
  } catch (error) {
    // The stored value is not ours: nothing was dismissed.
    if (error instanceof SyntaxError || error instanceof TypeError) return new Set()
    throw error
  }
}

interface BannerBarProps {
  /** Workspace of the dismissals. */
  readonly scope: string
  readonly banners: readonly Banner[]
  /** Why actions that write are unavailable, null if they are available. */
  readonly offline: string | null
  readonly onAction: (act: BannerAction) => void
}

const WORKS_OFFLINE = new Set<BannerAction['do']>([
  'retry',
  'copy-details',
  'copy-text',
  'review-drift',
  'review-restore',
  'review-run'
])

export function BannerBar({ scope, banners, offline, onAction }: BannerBarProps) {
  const [dismissed, setDismissed] = useState<ReadonlySet<string>>(() => load(scope))
  const [step, setStep] = useState(0)
  const due = banners.filter((banner) => !dismissed.has(banner.key))
  const at = due.length === 0 ? 0 : step % due.length
  const banner = due[at]
  const key = banner?.key ?? ''
  const text = banner ? `${banner.lead}${banner.rest}` : ''

  // biome-ignore lint/correctness/useExhaustiveDependencies: announced once per banner, not when its counters change.
  useEffect(() => {
    if (text) announce(text, banner?.tone === 'danger' ? 'assertive' : 'polite')
  }, [key])

  if (!banner) return <div className="banners" />
  const more = due.length - 1
  return (
    <div className="banners">
      <section className={`banner ${banner.tone}`} aria-label="Notice">
        <Icon name={banner.icon} />
        <div className="grow">
          <div className="b1">
            <b>{banner.lead}</b>
            {banner.rest}
          </div>
          {banner.detail ? <div className="b2 ell">{banner.detail}</div> : null}
        </div>
        {banner.actions.map(({ label, action }) => (
          <Button
            size="sm"
            key={label}
            disabledReason={WORKS_OFFLINE.has(action.do) ? null : offline}
            onClick={() => onAction(action)}
          >
            {label}
          </Button>
        ))}
        {more > 0 ? (
          <Button size="sm" kind="ghost" onClick={() => setStep(at + 1)}>
            {more} more
            <Icon name="down" size="s" />
          </Button>
        ) : null}
        {banner.canDismiss ? (
          <IconButton
            icon="x"
            iconSize="s"
            size="sm"
            label="Dismiss (the timeline keeps the entry)"
            onClick={() => {
              const next = [...dismissed, banner.key].slice(-MAX_DISMISSED)
              localStorage.setItem(keyOf(scope), JSON.stringify(next))
              setDismissed(new Set(next))
            }}
          />
        ) : null}
      </section>
    </div>
  )
}

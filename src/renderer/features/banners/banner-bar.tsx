/** The place under the header for one banner; the others wait behind "2 more". */
import { useEffect, useState } from 'react'
import { Button, IconButton } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { announce } from '../../ui/live-region.tsx'
import type { Banner, BannerAction } from './banners.ts'

const MOST_DISMISSED = 100
const keyOf = (scope: string) => `driftline.dismissed.${scope}`

/** Banners dismissed before, by key. */
function load(scope: string): ReadonlySet<string> {
  try {
    return new Set(JSON.parse(localStorage.getItem(keyOf(scope)) ?? '[]') as string[])
  } catch (error) {
    // Someone else's text under our key: nothing was dismissed.
    if (error instanceof SyntaxError || error instanceof TypeError) return new Set()
    throw error
  }
}

interface BannerBarProps {
  /** Workspace the dismissals belong to. */
  readonly scope: string
  readonly banners: readonly Banner[]
  /** Why acts that write wait, null when they can be used. */
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
  const said = banner ? `${banner.lead}${banner.rest}` : ''

  // biome-ignore lint/correctness/useExhaustiveDependencies: said once per banner, not with every second it counts.
  useEffect(() => {
    if (said) announce(said, banner?.tone === 'danger' ? 'assertive' : 'polite')
  }, [key])

  if (!banner) return <div className="banners" />
  const others = due.length - 1
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
        {others > 0 ? (
          <Button size="sm" kind="ghost" onClick={() => setStep(at + 1)}>
            {others} more
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
              const next = [...dismissed, banner.key].slice(-MOST_DISMISSED)
              localStorage.setItem(keyOf(scope), JSON.stringify(next))
              setDismissed(new Set(next))
            }}
          />
        ) : null}
      </section>
    </div>
  )
}

/** A progress or fill bar with its value for screen readers. */
interface MeterProps {
  readonly label: string
  readonly value: number
  /** 0 = not known yet. */
  readonly max: number
  readonly size?: 'lg'
  readonly tone?: 'accent' | 'warn'
}

export function Meter({ label, value, max, size, tone }: MeterProps) {
  const share = max > 0 ? Math.min(100, (100 * value) / max) : 0
  return (
    <div
      className="meter"
      data-size={size}
      data-tone={tone ?? 'accent'}
      role="progressbar"
      aria-label={label}
      {...(max > 0 ? { 'aria-valuemin': 0, 'aria-valuemax': max, 'aria-valuenow': value } : {})}
    >
      <i style={{ width: `${share}%` }} />
    </div>
  )
}

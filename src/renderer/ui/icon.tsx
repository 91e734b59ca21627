/** Icons: each refers to a symbol of the sprite. */
import type { IconName } from './icon-sprite.tsx'

export type { IconName }

interface IconProps {
  readonly name: IconName
  /** `s` 14 px, `xs` 12 px, `big` 24 px; 16 px without. */
  readonly size?: 's' | 'xs' | 'big'
  /** A name makes it an image to assistive technology; without one it is decoration. */
  readonly label?: string
  readonly className?: string
}

export function Icon({ name, size, label, className }: IconProps) {
  const cls = ['i', size, className].filter(Boolean).join(' ')
  if (label) {
    return (
      <svg className={cls} viewBox="0 0 16 16" role="img" aria-label={label}>
        <use href={`#i-${name}`} />
      </svg>
    )
  }
  return (
    <svg className={cls} viewBox="0 0 16 16" aria-hidden="true">
      <use href={`#i-${name}`} />
    </svg>
  )
}

/** The mark of the product. */
export function Mark() {
  return (
    <svg className="mark" viewBox="0 0 16 16" aria-hidden="true">
      <use href="#mark" />
    </svg>
  )
}

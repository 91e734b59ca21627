/** Icons: each refers to a symbol of the sprite. */
import { createElement } from 'react'
import type { IconName } from './icon-names.ts'

export type { IconName }

interface IconProps {
  readonly name: IconName
  /** `s` 14 px, `xs` 12 px, `big` 24 px; 16 px without. */
  readonly size?: 's' | 'xs' | 'big' | undefined
  /** A name makes it an image to assistive technology; without one it is decoration. */
  readonly label?: string
  readonly className?: string
}

export function Icon({ name, size, label, className }: IconProps) {
  return (
    // biome-ignore lint/a11y/noSvgWithoutTitle: named by aria-label, or decoration.
    <svg
      className={['i', size, className].filter(Boolean).join(' ')}
      viewBox="0 0 16 16"
      {...(label ? { role: 'img', 'aria-label': label } : { 'aria-hidden': true })}
    >
      <use href={`#i-${name}`} />
    </svg>
  )
}

/** The mark of the product, in two colours and therefore not one of the icons. */
export function Mark() {
  return (
    <svg className="mark" viewBox="0 0 16 16" aria-hidden="true" fill="none" strokeWidth="2" strokeLinecap="round">
      <path d="M4 6.25v3.5" stroke="var(--accent)" />
      <path d="M4 1.5C4 5.2 13.5 3 13.5 8S4 10.8 4 14.5" stroke="currentColor" />
    </svg>
  )
}

/**
 * All icons (icons/*.svg: 16 px grid, 1.5 px stroke) as one inline sprite, so that no icon is a request. The files are
 * turned into elements here and not as markup, because the content security policy requires trusted types.
 */
const FILES = import.meta.glob<string>('./icons/*.svg', { query: '?raw', import: 'default', eager: true })
const SYMBOLS = Object.entries(FILES).map(([path, source]) => ({
  id: path.replace(/^.*\/(.+)\.svg$/, 'i-$1'),
  shapes: [...source.matchAll(/<(path|circle|ellipse|rect) ([^>]*)\/>/g)].map(([, tag = '', attributes = '']) => ({
    tag,
    attributes: Object.fromEntries(
      [...attributes.matchAll(/([\w-]+)="([^"]*)"/g)].map(([, name = '', value = '']) => [camelCase(name), value])
    )
  }))
}))

function camelCase(name: string): string {
  return name.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase())
}

/** Mounted once, before the first icon; `#i-<name>` is the symbol of icons/<name>.svg. */
export function IconSprite() {
  return (
    <svg className="sprite" aria-hidden="true">
      {SYMBOLS.map(({ id, shapes }) => (
        <symbol key={id} id={id} viewBox="0 0 16 16">
          {shapes.map(({ tag, attributes }) => createElement(tag, { key: JSON.stringify(attributes), ...attributes }))}
        </symbol>
      ))}
    </svg>
  )
}

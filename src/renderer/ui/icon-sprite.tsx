/**
 * All icons (icons/*.svg: 16 px grid, 1.5 px stroke) as one inline sprite, so that no icon is a request. The files are
 * turned into elements here and not as markup, because the content security policy requires trusted types.
 */
import { createElement } from 'react'

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

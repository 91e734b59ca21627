/** The Monaco theme of the diff, built from the current values of the design tokens. */
import type * as Monaco from 'monaco-editor/editor'

const THEME = 'driftline'

/** Converts `rgb(…)` or `#…` to `#rrggbb` or `#rrggbbaa`, as Monaco requires. Throws TypeError for other colours. */
function toHex(color: string): string {
  if (color.startsWith('#')) return color
  const parts = /^rgba?\((.+)\)$/
    .exec(color)?.[1]
    ?.split(/[\s,/]+/)
    .map(Number)
  const [r, g, b, a = 1] = parts ?? []
  if (r === undefined || g === undefined || b === undefined) throw new TypeError(`Not a colour: ${color}`)
  const two = (n: number) => Math.round(n).toString(16).padStart(2, '0')
  return `#${two(r)}${two(g)}${two(b)}${a < 1 ? two(a * 255) : ''}`
}

/**
 * Reads the computed values of design tokens inside `scope`, which decides between light and dark. `use` is called twice:
 * first to learn the names, so that the styles of the page are calculated once for all of them.
 */
function readTokens<T>(scope: HTMLElement, use: (token: (name: string) => string) => T): T {
  const probes = new Map<string, HTMLElement>()
  use((name) => {
    const probe = probes.get(name) ?? document.createElement('span')
    probe.style.color = `var(--${name})`
    probes.set(name, probe)
    return '#000000'
  })
  const box = document.createElement('span')
  box.hidden = true
  box.append(...probes.values())
  scope.append(box)
  const values = new Map([...probes].map(([name, probe]) => [name, toHex(getComputedStyle(probe).color)]))
  box.remove()
  return use((name) => values.get(name) ?? '#000000')
}

/** Token names of Monaco's language definitions, by the design token that colours them. */
const SYNTAX: Readonly<Record<string, readonly string[]>> = {
  'syn-comment': ['comment', 'doctag', 'metatag'],
  'syn-keyword': ['keyword', 'tag', 'operator.sql', 'predefined.sql', 'storage', 'constant.language', 'key.keyword'],
  'syn-string': ['string', 'regexp', 'attribute.value', 'string.link', 'string.value'],
  'syn-number': ['number', 'constant', 'attribute.value.number', 'attribute.value.unit'],
  'syn-type': [
    'type',
    'annotation',
    'namespace',
    'attribute.name',
    'string.key',
    'type.identifier',
    'key',
    'variable.predefined'
  ]
}

/** The theme for the colours of `token`. `dark` selects the base theme for everything not listed. */
function themeOf(token: (name: string) => string, dark: boolean): Monaco.editor.IStandaloneThemeData {
  const [canvas, raised, text, border] = [token('canvas'), token('raised'), token('text'), token('border')]
  const [accent, focus, strong, warn] = [token('accent'), token('focus'), token('border-strong'), token('warn-border')]
  const [gutter, addLine, delLine] = [token('gutter'), token('add-line'), token('del-line')]
  const syntax = Object.entries(SYNTAX).flatMap(([color, names]) => {
    const style = { foreground: token(color).slice(1), ...(color === 'syn-comment' ? { fontStyle: 'italic' } : {}) }
    return names.map((name) => ({ token: name, ...style }))
  })
  const none = '#00000000'
  return {
    base: dark ? 'vs-dark' : 'vs',
    inherit: false,
    rules: [
      { token: '', foreground: text.slice(1), background: canvas.slice(1) },
      ...syntax,
      { token: 'emphasis', fontStyle: 'italic' },
      { token: 'strong', fontStyle: 'bold' }
    ],
    colors: {
      foreground: text,
      focusBorder: focus,
      'editor.background': canvas,
      'editor.foreground': text,
      'editor.selectionBackground': `${accent}${dark ? '55' : '38'}`,
      'editor.inactiveSelectionBackground': `${accent}${dark ? '38' : '26'}`,
      'editor.rangeHighlightBackground': none,
      'editor.findMatchBackground': `${warn}88`,
      'editor.findMatchHighlightBackground': `${warn}44`,
      'editorCursor.foreground': text,
      'editorLineNumber.foreground': gutter,
      'editorLineNumber.activeForeground': gutter,
      'editorGutter.background': canvas,
      'editorWhitespace.foreground': strong,
      'editorUnicodeHighlight.border': warn,
      'editorWidget.background': raised,
      'editorWidget.foreground': text,
      'editorWidget.border': border,
      'editorHoverWidget.background': raised,
      'editorHoverWidget.border': border,
      'widget.shadow': none,
      'widget.border': border,
      'input.background': canvas,
      'input.foreground': text,
      'input.border': strong,
      'inputOption.activeBorder': focus,
      'scrollbar.shadow': none,
      'scrollbarSlider.background': `${strong}55`,
      'scrollbarSlider.hoverBackground': `${strong}88`,
      'scrollbarSlider.activeBackground': `${strong}aa`,
      'diffEditor.insertedLineBackground': addLine,
      'diffEditor.insertedTextBackground': token('add-word'),
      'diffEditor.removedLineBackground': delLine,
      'diffEditor.removedTextBackground': token('del-word'),
      'diffEditorGutter.insertedLineBackground': addLine,
      'diffEditorGutter.removedLineBackground': delLine,
      'diffEditor.diagonalFill': token('hatch'),
      'diffEditor.border': border,
      'diffEditor.unchangedRegionBackground': token('sunken'),
      'diffEditor.unchangedRegionForeground': token('muted'),
      'diffEditor.unchangedRegionShadow': none,
      'diffEditor.unchangedCodeBackground': none
    }
  }
}

/**
 * Calls `onChange` after every change of the user's choice on <html>, the system's scheme and contrast, and forced
 * colours. Returns a function that stops watching.
 */
function watchTheme(onChange: () => void): () => void {
  const observer = new MutationObserver(onChange)
  observer.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme', 'class', 'style'] })
  const queries = ['(prefers-color-scheme: dark)', '(prefers-contrast: more)', '(forced-colors: active)'].map((query) =>
    matchMedia(query)
  )
  for (const query of queries) query.addEventListener('change', onChange)
  return () => {
    observer.disconnect()
    for (const query of queries) query.removeEventListener('change', onChange)
  }
}

/** What all editors have; setting it again would cost the styles of the whole page. */
let applied = ''

/** Gives all editors the colours that apply inside `scope`. */
function applyTheme(monaco: typeof Monaco, scope: HTMLElement): void {
  const systemDark = matchMedia('(prefers-color-scheme: dark)').matches
  if (matchMedia('(forced-colors: active)').matches) {
    // Forced colours replace all of ours; Monaco's high-contrast themes are made for that.
    applied = systemDark ? 'hc-black' : 'hc-light'
    monaco.editor.setTheme(applied)
    return
  }
  const chosen = document.documentElement.dataset.theme
  const dark = chosen === 'light' || chosen === 'dark' ? chosen === 'dark' : systemDark
  const theme = readTokens(scope, (token) => themeOf(token, dark))
  const next = JSON.stringify(theme)
  if (next === applied) return
  applied = next
  monaco.editor.defineTheme(THEME, theme)
  monaco.editor.setTheme(THEME)
}

export interface FollowedTheme {
  /** The element is in another part of the page. */
  moved(): void
  stop(): void
}

/** Keeps the colours of all editors those that apply to `element`, which may leave the page. `onChange`: they changed. */
export function followTheme(monaco: typeof Monaco, element: HTMLElement, onChange: () => void): FollowedTheme {
  let isOld = false
  applyTheme(monaco, element)
  const stop = watchTheme(() => {
    // Outside the page no colour applies.
    if (element.isConnected) applyTheme(monaco, element)
    else isOld = true
    onChange()
  })
  const moved = () => {
    if (isOld) applyTheme(monaco, element)
    isOld = false
  }
  return { moved, stop }
}

/** The Monaco theme of the diff, built from the current values of the design tokens. */
import type * as Monaco from 'monaco-editor/editor'

const THEME_TOKENS = [
  'canvas',
  'raised',
  'sunken',
  'hover',
  'selected',
  'border',
  'border-soft',
  'border-strong',
  'text',
  'muted',
  'accent',
  'focus',
  'add-line',
  'add-word',
  'add-edge',
  'del-line',
  'del-word',
  'del-edge',
  'gutter',
  'hatch',
  'warn-text',
  'warn-border',
  'syn-comment',
  'syn-keyword',
  'syn-string',
  'syn-number',
  'syn-type'
] as const
export type ThemeToken = (typeof THEME_TOKENS)[number]
export type TokenColors = Readonly<Record<ThemeToken, string>>

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

/** The computed tokens inside `scope`, which decides between light and dark. */
export function readTokens(scope: HTMLElement): TokenColors {
  const probe = document.createElement('span')
  probe.hidden = true
  scope.append(probe)
  const style = getComputedStyle(probe)
  const read = (token: ThemeToken) => {
    probe.style.color = `var(--${token})`
    return [token, toHex(style.color)] as const
  }
  const colors = Object.fromEntries(THEME_TOKENS.map(read)) as Record<ThemeToken, string>
  probe.remove()
  return colors
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

/** The theme for these colours. `dark` selects the base theme for everything not listed. */
export function themeOf(c: TokenColors, dark: boolean): Monaco.editor.IStandaloneThemeData {
  const rules: Monaco.editor.ITokenThemeRule[] = [
    { token: '', foreground: c.text.slice(1), background: c.canvas.slice(1) }
  ]
  for (const [color, tokens] of Object.entries(SYNTAX)) {
    const foreground = c[color as ThemeToken].slice(1)
    for (const token of tokens) {
      rules.push(color === 'syn-comment' ? { token, foreground, fontStyle: 'italic' } : { token, foreground })
    }
  }
  rules.push({ token: 'emphasis', fontStyle: 'italic' }, { token: 'strong', fontStyle: 'bold' })
  const none = '#00000000'
  return {
    base: dark ? 'vs-dark' : 'vs',
    inherit: false,
    rules,
    colors: {
      foreground: c.text,
      focusBorder: c.focus,
      'editor.background': c.canvas,
      'editor.foreground': c.text,
      'editor.lineHighlightBackground': none,
      'editor.lineHighlightBorder': none,
      'editor.selectionBackground': `${c.accent}${dark ? '55' : '38'}`,
      'editor.inactiveSelectionBackground': `${c.accent}${dark ? '38' : '26'}`,
      'editor.selectionHighlightBackground': `${c.accent}20`,
      'editor.wordHighlightBackground': `${c.accent}20`,
      'editor.rangeHighlightBackground': none,
      'editor.findMatchBackground': `${c['warn-border']}88`,
      'editor.findMatchHighlightBackground': `${c['warn-border']}44`,
      'editorCursor.foreground': c.text,
      'editorLineNumber.foreground': c.gutter,
      'editorLineNumber.activeForeground': c.gutter,
      'editorGutter.background': c.canvas,
      'editorIndentGuide.background1': none,
      'editorIndentGuide.activeBackground1': none,
      'editorWhitespace.foreground': c['border-strong'],
      'editorUnicodeHighlight.border': c['warn-border'],
      'editorBracketMatch.border': c['border-strong'],
      'editorBracketMatch.background': none,
      'editorOverviewRuler.border': c['border-soft'],
      'editorWidget.background': c.raised,
      'editorWidget.foreground': c.text,
      'editorWidget.border': c.border,
      'editorHoverWidget.background': c.raised,
      'editorHoverWidget.border': c.border,
      'widget.shadow': none,
      'widget.border': c.border,
      'input.background': c.canvas,
      'input.foreground': c.text,
      'input.border': c['border-strong'],
      'inputOption.activeBorder': c.focus,
      'menu.background': c.raised,
      'menu.foreground': c.text,
      'menu.selectionBackground': c.hover,
      'menu.selectionForeground': c.text,
      'scrollbar.shadow': none,
      'scrollbarSlider.background': `${c['border-strong']}55`,
      'scrollbarSlider.hoverBackground': `${c['border-strong']}88`,
      'scrollbarSlider.activeBackground': `${c['border-strong']}aa`,
      'diffEditor.insertedLineBackground': c['add-line'],
      'diffEditor.insertedTextBackground': c['add-word'],
      'diffEditor.removedLineBackground': c['del-line'],
      'diffEditor.removedTextBackground': c['del-word'],
      'diffEditorGutter.insertedLineBackground': c['add-line'],
      'diffEditorGutter.removedLineBackground': c['del-line'],
      'diffEditorOverview.insertedForeground': c['add-edge'],
      'diffEditorOverview.removedForeground': c['del-edge'],
      'diffEditor.diagonalFill': c.hatch,
      'diffEditor.border': c.border,
      'diffEditor.unchangedRegionBackground': c.sunken,
      'diffEditor.unchangedRegionForeground': c.muted,
      'diffEditor.unchangedRegionShadow': none,
      'diffEditor.unchangedCodeBackground': none
    }
  }
}

/**
 * Calls `onChange` after every change of the user's choice on <html>, the system's scheme and contrast, and forced
 * colours. Returns a function that stops watching.
 */
export function watchTheme(onChange: () => void): () => void {
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

/** Whether the page is dark now. */
export function isDark(): boolean {
  const chosen = document.documentElement.dataset.theme
  if (chosen === 'light' || chosen === 'dark') return chosen === 'dark'
  return matchMedia('(prefers-color-scheme: dark)').matches
}

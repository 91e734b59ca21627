/** A change to settings files as a diff. */
import { useState } from 'react'
import { plural } from '../../../contract/words/numbers.ts'
import { shortPath } from '../../../contract/words/paths.ts'
import { Icon } from '../../ui/icon.tsx'
import { type ChangedFile, type ChangeLine, changedFiles, type Fold, folded, reversed } from './change-lines.ts'

interface ChangeViewProps {
  /** A unified diff. */
  readonly change: string
  /** Show the reverse change. */
  readonly reverse?: boolean
  readonly home: string
}

export function ChangeView({ change, reverse = false, home }: ChangeViewProps) {
  return changedFiles(change).map((file) => (
    <FileChange key={file.file} file={reverse ? reversed(file) : file} home={home} />
  ))
}

function FileChange({ file, home }: { readonly file: ChangedFile; readonly home: string }) {
  const name = shortPath(file.file, home)
  const json = file.file.endsWith('.json')
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region has to be reachable by key.
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would bring a legend and borders; the group has a name.
    <div className="change-code" tabIndex={0} role="group" aria-label={`Change to ${name}`}>
      <div className="change-lines">
        {folded(file.lines).map((line, index) => {
          // biome-ignore lint/suspicious/noArrayIndexKey: lines of a diff have no other identity and never move.
          if (line === null) return <div className="change-gap" key={index} aria-hidden="true" />
          if (line.kind === 'fold') {
            // biome-ignore lint/suspicious/noArrayIndexKey: as above.
            return <Folded key={index} fold={line} json={json} />
          }
          // biome-ignore lint/suspicious/noArrayIndexKey: as above.
          return <Line key={index} line={line} json={json} />
        })}
      </div>
    </div>
  )
}

function Folded({ fold, json }: { readonly fold: Fold; readonly json: boolean }) {
  const [open, setOpen] = useState(false)
  if (open) {
    // biome-ignore lint/suspicious/noArrayIndexKey: lines of a diff have no other identity and never move.
    return fold.lines.map((line, index) => <Line key={index} line={line} json={json} />)
  }
  return (
    <button type="button" className="change-gap" onClick={() => setOpen(true)}>
      <Icon name="unfold" size="s" />
      <span>{plural(fold.lines.length, 'more line')}</span>
      {fold.names.length > 0 ? <code className="ell">{fold.names.join(', ')}</code> : null}
    </button>
  )
}

const SIGN = { same: ' ', add: '+', delete: '−' } as const
const SAID = { same: '', add: 'added: ', delete: 'removed: ' } as const

function Line({ line, json }: { readonly line: ChangeLine; readonly json: boolean }) {
  return (
    <div className={`change-line ${line.kind}`}>
      <i className="change-n" aria-hidden="true">
        {line.before}
      </i>
      <i className="change-n" aria-hidden="true">
        {line.after}
      </i>
      <i className="change-sign" aria-hidden="true">
        {SIGN[line.kind]}
      </i>
      <code>
        <span className="sr">{SAID[line.kind]}</span>
        {json ? <Coloured text={line.text} /> : line.text}
      </code>
    </div>
  )
}

/** Names and strings of JSON in the colours of the diff editor. */
function Coloured({ text }: { readonly text: string }) {
  const parts = text.split(/("(?:[^"\\]|\\.)*"\s*:?)/)
  return parts.map((part, index) => {
    const kind = part.startsWith('"') ? (part.endsWith(':') ? 't-k' : 't-s') : ''
    if (!kind) return part
    return (
      // biome-ignore lint/suspicious/noArrayIndexKey: parts of one line never move.
      <span key={index} className={kind}>
        {part}
      </span>
    )
  })
}

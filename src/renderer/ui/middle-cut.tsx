/** A text that is cut in its middle where it does not fit: long names and paths often differ at their ends. */

/** Characters at the end that are never cut. */
const TAIL = 12

/** To be placed in a flex row, which may shrink it. */
export function MiddleCut({ text, tail = TAIL }: { readonly text: string; readonly tail?: number }) {
  if (text.length <= tail * 2) return text
  return (
    <span className="middle-cut">
      <span className="ell">{text.slice(0, -tail)}</span>
      <span>{text.slice(-tail)}</span>
    </span>
  )
}

/** A path: its folder is cut, never its name. To be placed in a flex row, which may shrink it. */
export function PathCut({ path }: { readonly path: string }) {
  const name = path.lastIndexOf('/')
  if (name <= 0) return path
  return (
    <>
      <span className="sr">{path}</span>
      <span className="middle-cut" aria-hidden="true">
        <span className="ell">{path.slice(0, name)}</span>
        <span>{path.slice(name)}</span>
      </span>
    </>
  )
}

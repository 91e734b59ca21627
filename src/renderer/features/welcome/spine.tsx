/** Decoration of the welcome screen: a line that bends while a folder is dragged. */
export function Spine({ mode }: { readonly mode: 'rest' | 'drag' }) {
  return (
    <svg className="spine" viewBox="0 0 80 660" aria-hidden="true">
      {mode === 'rest' ? (
        <path d="M18 0V660" />
      ) : (
        <>
          <path d="M18 0V96" />
          <path d="M18 312V660" />
          <path className="off" d="M18 100V310" />
          <path className="on" d="M18 96C18 156 48 146 48 204S18 252 18 312" />
        </>
      )}
    </svg>
  )
}

/** Draws the rail segment of one row. */
import type { RailPath } from '../../model/rail.ts'

export function Rail({ paths, height }: { readonly paths: readonly RailPath[]; readonly height: number }) {
  return (
    <svg className="rail" viewBox={`0 0 36 ${height}`} style={{ height }} aria-hidden="true">
      {paths.map((path) => (
        <path key={path.style + path.d} data-style={path.style} d={path.d} />
      ))}
    </svg>
  )
}

/** One row's piece of the line. */
import type { Stroke } from './rail.ts'

interface RailProps {
  readonly strokes: readonly Stroke[]
  readonly height: number
}

export function Rail({ strokes, height }: RailProps) {
  return (
    <svg className="rail" viewBox={`0 0 36 ${height}`} style={{ height }} aria-hidden="true">
      {strokes.map((stroke) => (
        <path key={stroke.as + stroke.d} className={stroke.as} d={stroke.d} />
      ))}
    </svg>
  )
}

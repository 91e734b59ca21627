/** What the diff of a file is shown as: its view, its text if it has one, and what a person chose for it. */
import { useEffect, useMemo, useState } from 'react'
import { type DiffViewKind, diffViewKind, shapeOf } from './diff-view-kind.ts'
import { buildTextDoc, isSvg } from './text-doc.ts'
import type { LoadedDiff } from './use-file-diff.ts'

/** What the two sides are called. */
export interface Labels {
  readonly before: string
  readonly after: string
}

export type FileChoices = ReturnType<typeof useFileChoices>

/** What a person chose for the file on screen: a new file starts masked and as a notice again. */
export function useFileChoices(path: string | undefined) {
  const [showText, setShowText] = useState(false)
  const [revealed, setRevealed] = useState(false)
  const [unlimited, setUnlimited] = useState(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the choices belong to one file.
  useEffect(() => {
    setShowText(false)
    setRevealed(false)
    setUnlimited(false)
  }, [path])
  return { showText, setShowText, revealed, setRevealed, unlimited, setUnlimited }
}

interface TextChoices {
  readonly showText: boolean
  readonly revealed: boolean
  readonly sameAsText: boolean
}

/** How a loaded file is shown, and its text if it is shown as text. Changes only if one of its parts does. */
export function useTextDoc(loaded: LoadedDiff | null, choices: TextChoices, { before, after }: Labels) {
  const { showText, revealed, sameAsText } = choices
  const view = useMemo<DiffViewKind | null>(() => {
    if (!loaded) return null
    if (isSvg(loaded.diff) && showText) return { kind: 'text', shape: shapeOf(loaded.diff) }
    return diffViewKind(loaded.diff, showText || sameAsText)
  }, [loaded, showText, sameAsText])
  const doc = useMemo(() => {
    if (!loaded || !view) return null
    const { diff, key, request, full, blocks = null } = loaded
    const labels = { before, after }
    return buildTextDoc({ diff, view, key, comparison: request, revealed, plain: full, labels, blocks })
  }, [loaded, view, revealed, before, after])
  return { view, doc }
}

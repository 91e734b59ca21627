/** The pool of editors of a pane. */
import { useEffect, useState } from 'react'
import { EditorPool } from './editor-pool.ts'

/** Closed with the component. `maxIdle`: how many unused editors are held. */
export function useEditorPool(maxIdle: number): EditorPool {
  const [pool] = useState(() => new EditorPool(maxIdle))
  useEffect(() => {
    pool.open()
    return () => pool.close()
  }, [pool])
  return pool
}

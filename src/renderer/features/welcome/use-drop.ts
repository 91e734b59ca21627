/** Accepts drops on the whole window: otherwise a browser would navigate to the dropped file. */
import { useEffect, useRef, useState } from 'react'

/** Returns whether files are dragged over the window. */
export function useDrop(onDrop: (data: DataTransfer) => void): boolean {
  const [over, setOver] = useState(false)
  const latest = useRef(onDrop)
  latest.current = onDrop
  useEffect(() => {
    let depth = 0
    const carriesFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') ?? false
    const enter = (event: DragEvent) => {
      if (!carriesFiles(event)) return
      depth++
      setOver(true)
    }
    const leave = () => {
      depth = Math.max(0, depth - 1)
      if (depth === 0) setOver(false)
    }
    const hold = (event: DragEvent) => {
      event.preventDefault()
      if (event.dataTransfer) event.dataTransfer.dropEffect = carriesFiles(event) ? 'link' : 'none'
    }
    const drop = (event: DragEvent) => {
      event.preventDefault()
      depth = 0
      setOver(false)
      if (event.dataTransfer) latest.current(event.dataTransfer)
    }
    window.addEventListener('dragenter', enter)
    window.addEventListener('dragleave', leave)
    window.addEventListener('dragover', hold)
    window.addEventListener('drop', drop)
    return () => {
      window.removeEventListener('dragenter', enter)
      window.removeEventListener('dragleave', leave)
      window.removeEventListener('dragover', hold)
      window.removeEventListener('drop', drop)
    }
  }, [])
  return over
}

/** The position of a replay, moved by hand or by time. */
import { useCallback, useEffect, useRef, useState } from 'react'
import { changedSpeed, createPlayhead, type Speed } from '../../model/replay.ts'

export interface Playback {
  readonly step: number
  /** 1 forwards, -1 backwards, 0 while it does not play. */
  readonly direction: 1 | -1 | 0
  readonly speed: Speed
  seek(step: number): void
  /** Plays forwards, from the start if it is at the end; or pauses. */
  toggle(): void
  /** Plays in a direction; faster if it does so already. */
  play(direction: 1 | -1): void
  pause(): void
  setSpeed(speed: Speed): void
}

interface PlaybackOptions {
  /** When each step is reached (model/replay.ts); of those that are loaded. */
  readonly times: Float64Array
  /** Steps, also those that are not loaded yet: a seek may ask for one of these. */
  readonly total: number
  readonly initial: number
  /** Called with each step before it is rendered. */
  readonly onMove: (step: number) => void
}

export function usePlayback({ times, total, initial, onMove }: PlaybackOptions): Playback {
  const [step, setStep] = useState(initial)
  const [direction, setDirection] = useState<Playback['direction']>(0)
  const [speed, setSpeed] = useState<Speed>(1)
  const latest = useRef({ step, speed, times, total, onMove })
  latest.current = { step, speed, times, total, onMove }

  useEffect(() => {
    if (direction === 0) return
    const { times, step } = latest.current
    const playTo = createPlayhead(times, step, direction, performance.now())
    let frame = requestAnimationFrame(function tick(now) {
      const { times, speed, onMove } = latest.current
      const next = playTo(now, speed, times)
      if (next.isMoved) {
        onMove(next.step)
        setStep(next.step)
      }
      if (next.isOver) setDirection(0)
      else frame = requestAnimationFrame(tick)
    })
    return () => cancelAnimationFrame(frame)
  }, [direction])

  const seek = useCallback((to: number) => {
    const next = Math.min(latest.current.total, Math.max(0, to))
    latest.current.onMove(next)
    setDirection(0)
    setStep(next)
  }, [])
  return {
    step,
    direction,
    speed,
    seek,
    toggle: () => {
      if (direction === 0 && step >= times.length) setStep(0)
      setDirection(direction === 0 ? 1 : 0)
    },
    play: (to) => {
      if (direction === to) setSpeed(changedSpeed(speed, 1))
      setDirection(to)
    },
    pause: () => setDirection(0),
    setSpeed
  }
}

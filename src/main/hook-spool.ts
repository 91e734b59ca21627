/** What a hook loads only when no recorder took its event: saves it. A program file of its own, because it costs time. */
export { spoolEvent } from './engine/agents/spool-event.ts'

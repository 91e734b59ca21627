/** Reads what is new in an agent's transcript: text only, tolerant of what it does not know. */
import type { Recorder } from '../workspaces/recorder.ts'

export function readTranscript(_recorder: Recorder, _session: string, _home: string, _agentHome?: string): void {}

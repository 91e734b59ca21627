/**
 * Owns what app.db knows of agents beyond single folders: when each was heard from, and what connecting it created.
 */
import {
  type AppStore,
  agentTestAt,
  deleteCreatedFile,
  insertCreatedFile,
  isCreatedFile,
  lastAgentEvent,
  lastAgentEvents,
  writeAgentTest,
  writeLastAgentEvent
} from '../store/app-store.ts'
import { transact } from '../store/sql.ts'

/** An agent's last event is written at most this often, ms. */
const AGENT_EVENT_INTERVAL_MS = 60_000

export function createAgentFacts(store: AppStore) {
  return {
    /** An agent sent an event; stored at most once a minute. */
    recordAgentEvent: (agent: string, at: number): void => {
      const last = lastAgentEvent(store, agent)
      if (last !== null && at - last < AGENT_EVENT_INTERVAL_MS) return
      transact(store, (tx) => writeLastAgentEvent(tx, agent, at))
    },
    /** When each agent last sent an event, ms UTC. */
    lastAgentEvents: () => lastAgentEvents(store),
    /** The event of a connection test arrived. */
    recordAgentTest: (agent: string, nonce: string, at: number): void =>
      transact(store, (tx) => writeAgentTest(tx, agent, nonce, at)),
    /** When the event of that test arrived, ms UTC; null if it has not. */
    agentTestAt: (agent: string, nonce: string): number | null => agentTestAt(store, agent, nonce),
    /** Files and folders that connecting an agent created, by absolute path. */
    createdForAgents: {
      has: (path: string): boolean => isCreatedFile(store, path),
      add: (path: string): void => transact(store, (tx) => insertCreatedFile(tx, path)),
      delete: (path: string): void => transact(store, (tx) => deleteCreatedFile(tx, path))
    }
  }
}

/** Owns tables `agent` and `agent_test`: when each agent's last hook event and newest test event arrived, ms UTC. */
import { all, run, scalar, type Writable } from '../sql.ts'
import type { AppStore } from './open-app-store.ts'

export function lastAgentEvent(store: AppStore, agent: string): number | null {
  return scalar(store, 'SELECT last_event_at FROM agent WHERE id = ?', agent)
}

export function lastAgentEvents(store: AppStore): Record<string, number> {
  const rows = all<{ id: string; at: number }>(store, 'SELECT id, last_event_at AS at FROM agent')
  return Object.fromEntries(rows.map(({ id, at }) => [id, at]))
}

export function writeLastAgentEvent(tx: Writable<AppStore>, agent: string, at: number): void {
  const sql = 'INSERT INTO agent VALUES (?, ?) ON CONFLICT(id) DO UPDATE SET last_event_at = excluded.last_event_at'
  run(tx, sql, agent, at)
}

/** `nonce` tells which test sent the event; null if that event has not arrived, or was replaced by a newer one. */
export function agentTestAt(store: AppStore, agent: string, nonce: string): number | null {
  return scalar(store, 'SELECT at FROM agent_test WHERE agent = ? AND nonce = ?', agent, nonce)
}

export function writeAgentTest(tx: Writable<AppStore>, agent: string, nonce: string, at: number): void {
  run(tx, 'INSERT OR REPLACE INTO agent_test VALUES (?, ?, ?)', agent, nonce, at)
}

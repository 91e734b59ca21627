/** Settings data of the gallery: agents in every state, a history with limits, a check that finds one problem. */
import type { AgentChange, AgentState } from '../../src/contract/agents.ts'
import type { Method, Params, Result } from '../../src/contract/api.ts'
import { limitedCommand } from '../../src/main/engine/agents/connect/limited-command.ts'
import { at, HISTORY_BYTES, HOME, MB, SHOP } from './scene.ts'

type Handlers = { readonly [M in Method]?: (params: Params<M>) => Result<M> }

const TOOL_FILES: Readonly<Record<string, string>> = {
  'claude-code': '.claude.json',
  codex: '.codex/config.toml',
  'gemini-cli': '.gemini/settings.json',
  'qwen-code': '.qwen/settings.json',
  opencode: '.config/opencode/opencode.json'
}

function agent(id: string, file: string, wanted: number, more: Partial<AgentState> = {}): AgentState {
  const found = more.connected === 'yes' ? wanted : more.connected === 'partly' ? wanted - 4 : 0
  return {
    id,
    found: true,
    version: null,
    connected: 'no',
    trusted: null,
    lastEventAt: null,
    file: `${HOME}/${file}`,
    entries: { found, wanted },
    unreadable: null,
    managed: null,
    silent: false,
    tools: id === 'cline' ? null : { on: id === 'gemini-cli', file: `${HOME}/${TOOL_FILES[id]}` },
    problems: [],
    ...more
  }
}

const AGENTS: readonly AgentState[] = [
  agent('claude-code', '.claude/settings.json', 10, { connected: 'yes', lastEventAt: at(14, 31), version: '2.1.212' }),
  agent('codex', '.codex/hooks.json', 9, { version: '0.169.0' }),
  agent('gemini-cli', '.gemini/settings.json', 6, { connected: 'yes', silent: true, lastEventAt: at(9, 2, 2) }),
  agent('opencode', '.config/opencode/plugin/driftline.js', 1, {
    managed: { code: 'locked', file: `${HOME}/.config/opencode/plugin` }
  }),
  agent('qwen-code', '.qwen/settings.json', 10, {
    unreadable: { file: `${HOME}/.qwen/settings.json`, line: 14, message: 'a comma or a closing brace is missing' }
  }),
  agent('cline', '.cline/hooks/TaskStart', 8, { found: false })
]

const EVENTS = ['PreToolUse', 'PostToolUse', 'SessionStart', 'UserPromptSubmit', 'Stop', 'Interrupt', 'SessionEnd']

function server(id: string): AgentChange {
  const file = `${HOME}/${TOOL_FILES[id]}`
  const lines = [
    ` {`,
    `   "mcpServers": {`,
    `+    "driftline": {`,
    `+      "type": "stdio",`,
    `+      "command": "${HOME}/.local/share/driftline/bin/driftline",`,
    `+      "args": ["mcp"]`,
    `+    },`,
    `     "mine": { "command": "mine" }`,
    `   }`
  ]
  return {
    agent: id,
    scope: 'user',
    file,
    change: `--- ${file}\n+++ ${file}\n@@ -1,4 +1,9 @@\n${lines.join('\n')}\n`,
    removed: [],
    backup: null,
    applied: false,
    notes: ['next-start']
  }
}

function change(id: string, verb: 'connect' | 'disconnect', project: string | undefined): AgentChange {
  const state = AGENTS.find((agent) => agent.id === id)
  const file = project ? `${project}/.codex/hooks.json` : (state?.file ?? '')
  const launcher = `'${HOME}/.local/share/driftline/bin/driftline'`
  const commandOf = (event: string) => limitedCommand(`[ -x ${launcher} ] && ${launcher} hook ${id} ${event}`, false)
  const entries = EVENTS.flatMap((event) => [
    `    "${event}": [`,
    '      {',
    '        "hooks": [',
    `          { "type": "command", "command": ${JSON.stringify(commandOf(event))}, "timeout": 5 }`,
    '        ]',
    '      }',
    '    ],'
  ])
  const sign = verb === 'connect' ? '+' : '-'
  const counts = verb === 'connect' ? `-1,5 +1,${5 + entries.length}` : `-1,${5 + entries.length} +1,5`
  const unchanged = [' {', '   "hooks": {']
  const end = ['     "Notification": [', '       { "hooks": [{ "command": "afplay ~/done.aiff" }] }', '     ]']
  return {
    agent: id,
    scope: project ? 'project' : 'user',
    file,
    change: [
      `--- ${file}`,
      `+++ ${file}`,
      `@@ ${counts} @@`,
      ...unchanged,
      ...entries.map((line) => sign + line),
      ...end,
      ''
    ].join('\n'),
    removed: [],
    backup: null,
    applied: false,
    notes: verb === 'connect' && id === 'codex' ? ['trust-hooks'] : []
  }
}

/** The state before any agent is connected. */
export const UNCONNECTED: readonly AgentState[] = AGENTS.map((state) =>
  state.unreadable || state.managed
    ? { ...state, found: false, unreadable: null, managed: null }
    : { ...state, connected: 'no', silent: false, lastEventAt: null, entries: { ...state.entries, found: 0 } }
)

export const SETTINGS_ANSWERS: Handlers = {
  'agents.list': () => ({ agents: AGENTS }),
  'agents.connect': ({ agent: id, project, mcp }) => (mcp ? server(id) : change(id, 'connect', project)),
  'agents.disconnect': ({ agent: id, project }) => change(id, 'disconnect', project),
  'agents.test': () => ({ sent: true, receivedMs: 31, recorded: true, problem: null }),
  'host.state': () => ({
    watching: 'on',
    lastEnd: 'clean',
    backup: {
      repository: 'sftp:nas:/backups/driftline',
      startedAt: null,
      last: {
        repository: 'sftp:nas:/backups/driftline',
        at: at(14, 3),
        ok: false,
        message:
          'Fatal: unable to open repository at sftp:nas:/backups/driftline: ssh: connect to host nas port 22: No route to host'
      }
    }
  }),
  'storage.get': ({ workspace }) => ({
    bytes: 212 * MB,
    uniqueBytes: 640 * MB,
    headBytes: 148 * MB,
    historyBytes: workspace === SHOP.id ? HISTORY_BYTES : 90 * MB,
    conversationBytes: 0,
    budget: 2000 * MB,
    days: 30,
    own: { budget: false, days: false },
    positions: 64,
    oldestAt: at(9, 12, 21),
    disk: { free: 38_000 * MB, low: false },
    folder: `${HOME}/.local/share/driftline/w/${workspace}`
  }),
  'gc.run': ({ budget }) => ({
    freedBytes: budget === undefined || budget >= 2000 * MB ? 0 : 960 * MB,
    pruned:
      budget === undefined || budget >= 2000 * MB
        ? []
        : [
            { code: 'older', path: 'dump.sql', versions: 4 } as const,
            { code: 'older', path: 'demo.mov', versions: 2 } as const
          ],
    versions: budget === undefined || budget >= 2000 * MB ? 0 : 6,
    checkpoints: [],
    historyBytes: 500 * MB,
    conversationBytes: 0,
    budget: budget ?? 2000 * MB,
    note: null
  }),
  'doctor.run': () => ({ ok: true, problems: [] })
}

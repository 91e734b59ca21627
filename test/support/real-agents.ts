/** How to run real agents, non-interactively and in a terminal, on a fresh system with the fake model. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

export interface RealAgent {
  readonly id: string
  readonly program: string
  readonly env: Readonly<Record<string, string>>
  /** Arguments for a call of its program before each prompt. */
  readonly before?: string
  /** Arguments for one non-interactive prompt; `session` resumes one. */
  readonly ask: (prompt: string, session: string | null) => readonly string[]
  /** Arguments for an interactive session in a terminal. */
  readonly sit?: (prompt: string, session: string | null) => readonly string[]
  /** Settings files of the agent, by path below the home folder. */
  readonly settled?: (root: string) => Readonly<Record<string, string>>
}

/** The arguments for `session`; none for a new one. */
const going = (words: readonly string[], session: string | null): readonly string[] =>
  session === null ? [] : [...words, session]

const CODEX = [
  ...['--dangerously-bypass-approvals-and-sandbox', '--dangerously-bypass-hook-trust'],
  ...['-c', 'model="gpt-5.5"', '-c', 'model_provider="fake"'],
  ...[
    '-c',
    'model_providers.fake={name="fake",base_url="{model}/v1",wire_api="responses",env_key="FAKE_KEY",request_max_retries=0}'
  ]
]

export const CLAUDE_CODE: RealAgent = {
  id: 'claude-code',
  program: 'claude',
  env: {
    ANTHROPIC_API_KEY: 'none',
    ENABLE_TOOL_SEARCH: 'false',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_AUTOUPDATER: '1',
    // Without it, it refuses to work unasked as root.
    IS_SANDBOX: '1'
  },
  ask: (prompt, session) => ['-p', '--permission-mode', 'bypassPermissions', ...going(['--resume'], session), prompt],
  sit: (prompt, session) => ['--permission-mode', 'bypassPermissions', ...going(['--resume'], session), prompt],
  settled: (root) => ({
    '.claude.json': JSON.stringify({
      hasCompletedOnboarding: true,
      theme: 'dark',
      bypassPermissionsModeAccepted: true,
      customApiKeyResponses: { approved: ['none'], rejected: [] },
      projects: { [root]: { hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true } }
    })
  })
}

export const CODEX_CLI: RealAgent = {
  id: 'codex',
  program: 'codex',
  env: { FAKE_KEY: 'none' },
  ask: (prompt, session) => ['exec', '--skip-git-repo-check', ...CODEX, ...going(['resume'], session), prompt],
  sit: (prompt, session) => [...going(['resume'], session), ...CODEX, prompt],
  settled: (root) => ({
    // It asks whether the folder is trusted, and about a newer model.
    '.codex/config.toml': `[projects.${JSON.stringify(root)}]\ntrust_level = "trusted"\n[notice.model_migrations]\n"gpt-5.5" = "gpt-6-sol"\n`
  })
}

export const GEMINI_CLI: RealAgent = {
  id: 'gemini-cli',
  program: 'gemini',
  env: { GEMINI_API_KEY: 'none', GEMINI_CLI_TRUST_WORKSPACE: 'true' },
  ask: (prompt, session) => ['--yolo', '-m', 'gemini-2.5-pro', ...going(['--resume'], session), '-p', prompt],
  sit: (prompt, session) => ['--yolo', '-m', 'gemini-2.5-pro', ...going(['--resume'], session), '-i', prompt],
  settled: () => ({
    '.gemini/settings.json': JSON.stringify({ security: { auth: { selectedType: 'gemini-api-key' } } })
  })
}

export const QWEN_CODE: RealAgent = {
  id: 'qwen-code',
  program: 'qwen',
  env: { ANTHROPIC_API_KEY: 'none', ANTHROPIC_MODEL: 'm' },
  ask: (prompt, session) => ['--auth-type', 'anthropic', '--yolo', ...going(['--resume'], session), '-p', prompt],
  sit: (prompt, session) => ['--auth-type', 'anthropic', '--yolo', ...going(['--resume'], session), '-i', prompt]
}

const PLUGIN_PACKAGE = { dependencies: { '@opencode-ai/plugin': '1.18.33' } }

export const OPENCODE: RealAgent = {
  id: 'opencode',
  program: 'opencode',
  env: {},
  ask: (prompt, session) => ['run', ...going(['--session'], session), prompt],
  sit: (prompt, session) => [...going(['--session'], session), '--prompt', prompt],
  settled: () => ({
    '.config/opencode/opencode.json': `{
  // the model beside us
  "model": "fake/m",
  "provider": {
    "fake": {
      "npm": "@ai-sdk/anthropic",
      "options": { "baseURL": "{env:ANTHROPIC_BASE_URL}/v1", "apiKey": "none" },
      "models": { "m": { "name": "m", "tool_call": true, "limit": { "context": 100000, "output": 8000 } } }
    }
  }
}
`,
    // As if it had fetched its plugin package, which it waits for a minute at each start.
    '.config/opencode/package.json': JSON.stringify(PLUGIN_PACKAGE),
    '.config/opencode/package-lock.json': JSON.stringify({ packages: { '': PLUGIN_PACKAGE } }),
    '.config/opencode/node_modules/@opencode-ai/plugin/package.json': '{}'
  })
}

/** It takes the address of a model from its settings alone. */
export const CLINE: RealAgent = {
  id: 'cline',
  program: 'cline',
  env: {},
  before: 'auth -p openai-compatible -k none -m m -b {model}/v1',
  ask: (prompt) => [prompt]
}

/** Writes the settings files of the agent. */
export function settle(agent: RealAgent, home: string, root: string): void {
  for (const [file, text] of Object.entries(agent.settled?.(root) ?? {})) {
    mkdirSync(dirname(join(home, file)), { recursive: true })
    writeFileSync(join(home, file), text)
  }
}

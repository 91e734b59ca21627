/** [TS-1] Which commands run tests, check types or lint, by the words of one command. Pure. */
import type { TestKind } from '../../../contract/tests.ts'

/** From the strongest on: a command that does several of them counts as the first. */
export const TEST_KINDS: readonly TestKind[] = ['tests', 'types', 'lint']

/** The words of an entry of the setting `tests.commands`: a command that begins with them runs tests. */
export type NamedCommand = readonly string[]

export function kindOfCommand(words: readonly string[], named: readonly NamedCommand[]): TestKind | null {
  const command = withoutWrapper(words)
  const isNamed = (text: readonly string[]): boolean =>
    named.some((name) => name.length > 0 && name.every((word, i) => text[i] === word))
  if (isNamed(words) || isNamed(command)) return 'tests'
  const [program = '', ...args] = command
  return args.some((word) => NO_VERDICT.test(word)) ? null : kindOfProgram(baseName(program), args)
}

/** Options with which a command checks nothing, never ends by itself, or ends well whatever it finds. */
const NO_VERDICT =
  /^--(help|version|watch|watchAll|watch-all|ui|init|showConfig|show-config|list|listTests|list-tests|list-files|collect-only|co|dry-run|print-config|clearCache|no-run|if-present|exit-zero|issues-exit-code)(=(?!false)|$)|^-D(skipTests|skipITs|maven\.test\.(skip|failure\.ignore))\b|^-h$/

/** Programs that run the command after them, with those of their options that have a value. */
const WRAPPERS: Readonly<Record<string, readonly string[]>> = {
  time: [],
  command: [],
  exec: [],
  nice: ['-n'],
  nohup: [],
  stdbuf: [],
  sudo: ['-u'],
  timeout: ['-s', '-k', '--signal', '--kill-after'],
  'xvfb-run': [],
  env: ['-u', '-C'],
  'cross-env': [],
  dotenv: ['-e', '-f'],
  npx: ['-p', '--package'],
  bunx: [],
  pnpx: [],
  uvx: ['--with', '-p']
}
/** The same, if the next word is one of these. */
const RUNNERS: Readonly<Record<string, readonly string[]>> = {
  poetry: ['run'],
  pipenv: ['run'],
  uv: ['run'],
  hatch: ['run'],
  rye: ['run'],
  bundle: ['exec'],
  mise: ['exec', 'x']
}
const RUNNER_OPTIONS = ['--with', '--extra', '--group', '-p', '--python', '-C']

function withoutWrapper(words: readonly string[]): readonly string[] {
  const [program = '', ...rest] = words
  const name = baseName(program)
  if (Object.hasOwn(WRAPPERS, name)) {
    const command = withoutOptions(rest, WRAPPERS[name] ?? [])
    return withoutWrapper(name === 'timeout' ? command.slice(1) : command)
  }
  if (!Object.hasOwn(RUNNERS, name)) return words
  const [verb = '', ...command] = withoutOptions(rest, RUNNER_OPTIONS)
  return RUNNERS[name]?.includes(verb) ? withoutWrapper(withoutOptions(command, RUNNER_OPTIONS)) : words
}

/** Without leading options and assignments. */
function withoutOptions(words: readonly string[], withValue: readonly string[]): readonly string[] {
  let at = 0
  for (; words[at]?.startsWith('-') || /^\w+=/.test(words[at] ?? ''); at++) {
    if (withValue.includes(words[at] ?? '')) at++
  }
  return words.slice(at)
}

/** `./node_modules/.bin/vitest` is vitest, `python3.12` is python. */
function baseName(program: string): string {
  const name = program.replace(/^.*[/\\]/, '').replace(/\.(cmd|exe|ps1|bat)$/i, '')
  return /^python\d?(\.\d+)?$/.test(name) ? 'python' : name
}

type Rule = (args: readonly string[]) => TestKind | null
type Kinds = Readonly<Record<string, TestKind>>

const always =
  (kind: TestKind): Rule =>
  () =>
    kind

/** Unless its first argument is one of these. */
const except =
  (kind: TestKind, ...others: readonly string[]): Rule =>
  (args) =>
    others.includes(args[0] ?? '') ? null : kind

const withOption =
  (kind: TestKind, ...options: readonly string[]): Rule =>
  (args) =>
    args.some((word) => options.includes(word)) ? kind : null

/** By the first argument that is no option. */
const subcommand =
  (kinds: Kinds): Rule =>
  (args) =>
    kinds[args.find((word) => !/^[-+]/.test(word)) ?? ''] ?? null

/** By the strongest of its goals; `-x GOAL` excludes one. */
const goals =
  (kinds: Kinds): Rule =>
  (args) =>
    strongest(
      args.flatMap((word, i) => (args[i - 1] === '-x' ? [] : (kinds[word.slice(word.lastIndexOf(':') + 1)] ?? [])))
    )

function strongest(kinds: readonly TestKind[]): TestKind | null {
  return TEST_KINDS.find((kind) => kinds.includes(kind)) ?? null
}

const MAVEN = goals({ test: 'tests', verify: 'tests', 'integration-test': 'tests' })
const GRADLE = goals({ test: 'tests', check: 'tests' })

const PROGRAMS: Readonly<Record<string, Rule>> = {
  // JavaScript
  vitest: except('tests', 'bench', 'list', 'watch', 'dev', 'init', '-w'),
  jest: always('tests'),
  mocha: except('tests', 'init', '-w'),
  ava: always('tests'),
  tap: always('tests'),
  jasmine: except('tests', 'init'),
  karma: subcommand({ start: 'tests', run: 'tests' }),
  playwright: subcommand({ test: 'tests' }),
  cypress: subcommand({ run: 'tests' }),
  ng: subcommand({ test: 'tests', lint: 'lint' }),
  deno: subcommand({ test: 'tests', check: 'types', lint: 'lint' }),
  tsc: except('types', '-w'),
  'vue-tsc': except('types', '-w'),
  'svelte-check': always('types'),
  flow: subcommand({ check: 'types' }),
  astro: subcommand({ check: 'types' }),
  eslint: always('lint'),
  oxlint: always('lint'),
  xo: always('lint'),
  tslint: always('lint'),
  stylelint: always('lint'),
  biome: subcommand({ check: 'lint', lint: 'lint', ci: 'lint' }),
  prettier: withOption('lint', '--check', '-c', '--list-different', '-l'),
  // Python
  pytest: always('tests'),
  'py.test': always('tests'),
  unittest: always('tests'),
  tox: always('tests'),
  nox: always('tests'),
  mypy: always('types'),
  pyright: except('types', '-w'),
  basedpyright: except('types', '-w'),
  ty: subcommand({ check: 'types' }),
  ruff: (args) => (args[0] === 'format' ? withOption('lint', '--check')(args) : subcommand({ check: 'lint' })(args)),
  flake8: always('lint'),
  pylint: always('lint'),
  black: withOption('lint', '--check'),
  // Rust, Go, C, Zig, Swift
  cargo: (args) =>
    args[0] === 'fmt'
      ? withOption('lint', '--check')(args)
      : args.includes('nextest')
        ? subcommand({ run: 'tests' })(args.slice(args.indexOf('nextest') + 1))
        : subcommand({ test: 'tests', t: 'tests', check: 'types', c: 'types', clippy: 'lint' })(args),
  go: (args) =>
    args.includes('-c') || args.includes('-list') ? null : subcommand({ test: 'tests', vet: 'lint' })(args),
  gotestsum: always('tests'),
  'golangci-lint': subcommand({ run: 'lint' }),
  staticcheck: always('lint'),
  ctest: except('tests', '-N'),
  meson: subcommand({ test: 'tests' }),
  bazel: subcommand({ test: 'tests' }),
  zig: (args) => (args[0] === 'test' || (args[0] === 'build' && args.includes('test')) ? 'tests' : null),
  swift: subcommand({ test: 'tests' }),
  swiftlint: except('lint', 'rules'),
  // Java, .NET
  mvn: MAVEN,
  mvnw: MAVEN,
  gradle: GRADLE,
  gradlew: GRADLE,
  sbt: goals({ test: 'tests' }),
  dotnet: subcommand({ test: 'tests' }),
  ktlint: always('lint'),
  // Ruby, PHP, Elixir, Dart, shell
  rspec: always('tests'),
  rake: goals({ test: 'tests', spec: 'tests' }),
  rails: subcommand({ test: 'tests' }),
  rubocop: always('lint'),
  phpunit: always('tests'),
  pest: always('tests'),
  composer: subcommand({ test: 'tests' }),
  phpstan: subcommand({ analyse: 'types', analyze: 'types' }),
  psalm: always('types'),
  mix: subcommand({ test: 'tests', credo: 'lint', dialyzer: 'types' }),
  flutter: subcommand({ test: 'tests', analyze: 'types' }),
  dart: subcommand({ test: 'tests', analyze: 'types' }),
  bats: always('tests'),
  prove: always('tests'),
  shellcheck: always('lint'),
  hadolint: always('lint'),
  // Interpreters
  python: (args) => {
    const module = args.indexOf('-m')
    if (module >= 0) return kindOfProgram(args[module + 1] ?? '', args.slice(module + 2))
    return args[0] === 'manage.py' && args[1] === 'test' ? 'tests' : null
  },
  node: (args) => (args.includes('--test') ? 'tests' : kindOfScriptFile(args)),
  php: kindOfScriptFile,
  ruby: kindOfScriptFile,
  // Scripts and targets of a project, by their names
  make: (args) => kindOfTargets(args),
  gmake: (args) => kindOfTargets(args),
  just: (args) => kindOfName(args.find((word) => !word.startsWith('-')) ?? ''),
  task: (args) => kindOfName(args.find((word) => !word.startsWith('-')) ?? ''),
  turbo: (args) => kindOfName((args[0] === 'run' ? args[1] : args[0]) ?? ''),
  lerna: (args) => (args[0] === 'run' ? kindOfName(args[1] ?? '') : null),
  nx: (args) => kindOfName((args[0] === 'run' ? args[1]?.split(':')[1] : args[0]) ?? ''),
  npm: kindOfPackageScript,
  pnpm: kindOfPackageScript,
  yarn: kindOfPackageScript,
  bun: kindOfPackageScript
}

function kindOfProgram(program: string, args: readonly string[]): TestKind | null {
  return Object.hasOwn(PROGRAMS, program) ? (PROGRAMS[program]?.(args) ?? null) : null
}

/** `node node_modules/.bin/vitest run`, `php vendor/bin/phpunit`. */
function kindOfScriptFile(args: readonly string[]): TestKind | null {
  const at = args.findIndex((word) => !word.startsWith('-'))
  const script = args[at] ?? ''
  return /(^|\/)(\.bin|vendor\/bin|bin)\//.test(script) ? kindOfProgram(baseName(script), args.slice(at + 1)) : null
}

const TEST_NAME = /^(tests?|unit|e2e|specs?|integration)$|^(tests?|e2e)[:._-]|[:._-](tests?|unit|e2e|spec)$/
const TYPES_NAME = /^(types?|typecheck|type-check|tsc|check-types|check)$|[:._-](types|typecheck)$/
const LINT_NAME = /^(lint|eslint|biome|ruff|clippy)([:._-]|$)|[:._-]lint$/
const OTHER_NAME = /(watch|:ui|debug|build|install|setup|update|serve|dev|open|report|clean|fixtures?)\b/

/** The kind of a script or target of a project, by its name. */
function kindOfName(name: string): TestKind | null {
  if (OTHER_NAME.test(name)) return null
  if (TEST_NAME.test(name)) return 'tests'
  if (LINT_NAME.test(name)) return 'lint'
  return TYPES_NAME.test(name) ? 'types' : null
}

/** Options of make that have a value, and those with which it says nothing. */
const MAKE_VALUES = ['-C', '-f', '-I', '-o', '-W']
const MAKE_SILENT = ['-n', '-i', '-q', '-t', '--ignore-errors', '--just-print', '--question', '--touch']

function kindOfTargets(args: readonly string[]): TestKind | null {
  if (args.some((word) => MAKE_SILENT.includes(word))) return null
  const targets = args.filter((word, i) => !word.startsWith('-') && !MAKE_VALUES.includes(args[i - 1] ?? ''))
  return strongest(targets.flatMap((word) => kindOfName(word) ?? []))
}

/** Options of npm and its like that have a value. */
const SCRIPT_VALUES = ['--prefix', '-C', '--dir', '--cwd', '-w', '--workspace', '--filter', '-F']

/** `npm test`, `pnpm -r run test:unit`, `yarn workspace web test`, `npm exec vitest`, `pnpm vitest`. */
function kindOfPackageScript(args: readonly string[]): TestKind | null {
  const end = args.indexOf('--')
  const own = (end < 0 ? args : args.slice(0, end)).filter(
    (word, i) => !word.startsWith('-') && !SCRIPT_VALUES.includes(args[i - 1] ?? '')
  )
  const words = own[0] === 'workspace' ? own.slice(2) : own
  const [verb = '', name = ''] = words
  if (verb === 't' || verb === 'tst') return 'tests'
  if (verb === 'run' || verb === 'run-script') return kindOfName(name)
  if (verb === 'exec' || verb === 'x' || verb === 'dlx') return kindOfCommand(args.slice(args.indexOf(name)), [])
  if (verb === 'npm' || verb === 'node') return null
  return kindOfName(verb) ?? kindOfProgram(verb, args.slice(args.indexOf(verb) + 1))
}

/** [TS-1] Which commands run tests, types or lint, and what their exit code says. */
import { describe, expect, test } from 'vitest'
import { runsTests, testedBy } from '../../../../src/main/engine/runs/test-commands.ts'

describe('[TS-1] an exit code says how tests, types and lint ended', () => {
  const KINDS = {
    tests: `npm test | npm t | npm run test:unit | npm --prefix web test | pnpm -r test | pnpm vitest run | yarn workspace web test
      | bun test | npx vitest run a.test.ts | npx --yes jest | ./node_modules/.bin/mocha | node --test | node node_modules/.bin/jest
      | npx playwright test | deno test | pytest -q | python3 -m pytest | .venv/bin/python3.12 -m unittest | uv run pytest
      | poetry run pytest -x | python manage.py test | tox | cargo test | cargo +nightly nextest run | go test ./... | mvn -q verify
      | ./gradlew :app:test | dotnet test | bundle exec rspec | vendor/bin/phpunit | php vendor/bin/phpunit | mix test | make -C web test
      | just test | ctest | swift test | timeout 60 npm test | CI=1 npm test | env CI=1 npm test | cross-env CI=1 npm test
      | npm test 2>&1 | npm test > out.txt 2>&1 | npm test -- --coverage | npx nx test web | turbo run test
      | npx tsc --noEmit && npm test`,
    types:
      'npx tsc --noEmit | tsc -b | npm run typecheck | npm run check | mypy src | pyright | cargo check | deno check a.ts',
    lint: 'npx eslint . | biome check . | npm run lint | ruff check | ruff format --check | cargo clippy -- -D warnings | go vet ./...'
  } as const
  // A `|` between two entries has a blank before it and none of a pipe's programs after it.
  const rows = Object.entries(KINDS).flatMap(([kind, text]) =>
    text.split(/\s+\|\s+/).map((command) => [command, kind] as const)
  )
  test.each(rows)('%s: %s', (command, kind) => {
    expect(testedBy(command, 0)).toMatchObject({ kind, result: 'passed' })
    expect(testedBy(command, 1)).toMatchObject({ kind, result: 'failed' })
  })
})

test.each([
  'npm test | tail -5',
  'npm test |& tee log',
  'npm test || true',
  'npm test; echo done',
  'npm test &',
  'npm test\nls',
  '! npm test',
  'test -f a || exit 0; npm test',
  'if npm test; then ls; fi',
  'npm test $(cat list)',
  'npm test `cat list`',
  'cat <<EOF\nnpm test\nEOF',
  '(npm test)',
  'grep -r vitest',
  'ls test',
  'cat test.txt',
  'echo npm test',
  'git commit -m "npm test"',
  'npm run test:watch',
  'npm install',
  'npm run build',
  'npx vitest --watch',
  'npx vitest bench',
  'npx vitest list',
  'npx jest --listTests',
  'pytest --collect-only',
  'npx tsc --version',
  'npx tsc -w',
  'cargo test --no-run',
  'cargo fmt',
  'go test -c ./a',
  'mvn verify -DskipTests',
  'gradle build -x test',
  'make -n test',
  'make -i test',
  'make -C test all',
  'npm test --if-present',
  'ruff check --exit-zero',
  'ruff format',
  'prettier --write .',
  'python test.py',
  'node test.js',
  'nx build tests',
  '"npm test'
])('[TS-1] nothing is claimed by: %s', (command) => {
  expect(testedBy(command, 0)).toBeNull()
  expect(testedBy(command, 1)).toBeNull()
})

test('[TS-1] a command that ran out of time, could not start or was ended by a signal neither passed nor failed', () => {
  for (const code of [124, 126, 127, 130, 137, 143, -1, Number.NaN])
    expect(testedBy('npm test', code), `${code}`).toBeNull()
  expect(testedBy('npm test', 255)).toMatchObject({ result: 'failed' })
})

test('[TS-1] success of a list is that of each of its commands, failure only if no other command may have failed', () => {
  const passed = (command: string) => testedBy(command, 0)?.command
  const failed = (command: string) => testedBy(command, 1)?.command
  expect(passed('npm run build && npm test && git commit -m "x y"')).toBe('npm test')
  expect(failed('npm run build && npm test')).toBeUndefined()
  expect(failed('npm test && git commit -m x')).toBeUndefined()
  expect(failed('cd web && export A=1 && npm test')).toBe('cd web && npm test')
  expect(passed('cd web; npm test')).toBe('npm test')
  expect(failed('npm run build; npm test')).toBe('npm test')
  expect(failed('set -e; npm run build; npm test')).toBeUndefined()
  expect(failed('set -e\nnpm test')).toBe('npm test')
  expect(testedBy('npx tsc --noEmit &&\n npm test', 1)).toMatchObject({
    command: 'npx tsc --noEmit && npm test',
    kind: 'tests'
  })
})

test('[TS-1] the command is named without what does not change it, and its words stay words', () => {
  const named = (command: string) => testedBy(command, 0)?.command
  expect(named('CI=1 npm test 2>&1 # all')).toBe('npm test')
  expect(named(`npx vitest -t "it's a | b" a.ts`)).toBe(`npx vitest -t 'it'\\''s a | b' a.ts`)
  expect(named("bash -lc 'cd web && npm test'")).toBe('cd web && npm test')
  expect(named(`npx vitest ${'a'.repeat(600)}`)).toHaveLength(501)
})

test('[TS-1] a command named in the settings runs tests, with any arguments after it', () => {
  const named = [['./ci.sh'], ['make', 'verify']]
  expect(testedBy('./ci.sh --all', 1, named)).toMatchObject({
    kind: 'tests',
    result: 'failed',
    command: './ci.sh --all'
  })
  expect(testedBy('make verify', 0, named)).toMatchObject({ result: 'passed' })
  expect(testedBy('make', 0, named)).toBeNull()
  expect(testedBy('./ci.sh | tail', 0, named)).toBeNull()
})

test('a text that runs tests is known whatever its exit code says', () => {
  expect(runsTests('npm test | tail -5')).toBe(true)
  expect(runsTests('npm run lint; ls')).toBe(true)
  expect(runsTests('ls test')).toBe(false)
})

test('a text of any length and form is split or refused', () => {
  for (const text of [
    '"'.repeat(10_000),
    '\\'.repeat(10_000),
    'a&&'.repeat(3_000),
    `'${'x'.repeat(9_000)}`,
    '2>&1'.repeat(2_000)
  ])
    expect(testedBy(text, 0)).toBeNull()
})

import { expect, test } from 'vitest'
import { parseServeArguments } from '../../../src/main/server/arguments.ts'
import { hasDisplay } from '../../../src/main/server/open-browser.ts'

test('without arguments it uses a free port, opens a browser and exits after it', () => {
  expect(parseServeArguments([])).toMatchObject({ port: 0, open: true, stay: false, json: false, data: undefined })
})

test('every option of the contract is parsed', () => {
  const argv = ['--port', '8080', '--no-open', '--stay', '--json', '--data', '/d', '--folder', '/f']
  expect(parseServeArguments(argv)).toEqual({
    port: 8080,
    open: false,
    stay: true,
    json: true,
    help: false,
    data: '/d',
    folder: '/f'
  })
  expect(parseServeArguments(['/project']).folder).toBe('/project')
})

test.each([[['--port', 'x']], [['--port', '65536']], [['--port', '-1']], [['--nonsense']], [['a', 'b']]])(
  '%j is a usage error that reports that nothing was started',
  (argv) => {
    expect(() => parseServeArguments(argv)).toThrow(/Nothing was started/)
  }
)

test('a display is missing only on Linux without DISPLAY or WAYLAND_DISPLAY', () => {
  expect(hasDisplay({}, 'linux')).toBe(false)
  expect(hasDisplay({ WAYLAND_DISPLAY: 'wayland-0' }, 'linux')).toBe(true)
  expect(hasDisplay({}, 'darwin')).toBe(true)
})

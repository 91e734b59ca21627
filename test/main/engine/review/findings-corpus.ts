/** Runs as reviewers meet them: 50 with one defect each, 200 without. One edit is a path and its text before and after. */
import type { FindingKind } from '../../../../src/contract/findings.ts'

export interface Edited {
  readonly path: string
  readonly before: string
  readonly after: string
}
export interface BadRun extends Edited {
  readonly kind: FindingKind
}

const FILES: Readonly<Record<string, string>> = {
  'src/cart.ts': `export function total(items: Item[]): number {
  if (items.length === 0) return 0
  try {
    return items.reduce((sum, item) => sum + priceOf(item), 0)
  } catch (error) {
    throw new PriceError('no price', { cause: error })
  }
}
`,
  'src/cart.test.ts': `test('the total of nothing is 0', () => {
  expect(total([])).toBe(0)
})

test('prices are added', () => {
  expect(total([apple, pear])).toBe(30)
  expect(total([pear])).toBe(20)
})
`,
  'app/views.py': `@login_required
def edit(request, pk):
    order = Order.objects.get(pk=pk)
    if not request.user.has_permission(order):
        raise PermissionDenied()
    try:
        order.save()
    except ValidationError as error:
        return render(request, "error.html", {"error": error})
    return redirect(order)
`,
  'tests/test_views.py': `def test_edit_needs_login(client):
    response = client.get("/edit/1")
    assert response.status_code == 302

def test_edit_saves(client, order):
    response = client.post("/edit/1", {"name": "x"})
    assert response.status_code == 200
    assert order.name == "x"
`,
  'store/load.go': `func Load(path string) (*Store, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return parse(data)
}
`,
  'store/load_test.go': `func TestLoad(t *testing.T) {
	s, err := Load("a.json")
	if err != nil {
		t.Fatal(err)
	}
	if s.Len() != 3 {
		t.Errorf("got %d", s.Len())
	}
}
`,
  'README.md': '# Shop\n\nRun `npm start`.\n\n## Tests\n\nRun `npm test`.\n',
  'config/app.yml': 'name: shop\nport: 8080\ndebug: false\ndatabase: $DATABASE_URL\n'
}

const edit = (path: string, ...changes: readonly (readonly [from: string, to: string])[]): Edited => {
  const before = FILES[path] ?? ''
  const after = changes.reduce((text, [from, to]) => {
    if (from !== '' && !text.includes(from)) throw new Error(`${path} has no ${from}`)
    return from === '' ? text + to : text.replace(from, () => to)
  }, before)
  return { path, before, after }
}
const bad = (kind: FindingKind, path: string, ...changes: readonly (readonly [string, string])[]): BadRun => ({
  kind,
  ...edit(path, ...changes)
})
const file = (kind: FindingKind, path: string, before: string, after: string): BadRun => ({ kind, path, before, after })

/** Not a real key: put together so that no scanner takes this file for a leak. */
const key = (...parts: readonly string[]): string => parts.join('')
const LINES = Array.from({ length: 1200 }, (_, i) => `x${i}`).join('\n')

export const BAD_RUNS: readonly BadRun[] = [
  bad('secret', 'src/cart.ts', ['', `const AWS = '${key('AKIA', 'ABCDEFGHIJKLMNOP')}'\n`]),
  bad('secret', 'src/cart.ts', ['', `const apiKey = '${key('9f8e7d6c', '5b4a39281706')}'\n`]),
  bad('secret', 'app/views.py', ['', `TOKEN = "${key('ghp_', 'abcdefghijklmnopqrstuvwxyz0123456789')}"\n`]),
  bad('secret', 'config/app.yml', ['', `url: postgres://shop:${key('hunter', '2hunter2')}@db/shop\n`]),
  bad('secret', 'store/load.go', ['', `const secretKey = "${key('s3cr3t-', 'v4lue-0123456789')}"\n`]),
  bad('secret', 'README.md', ['', `export ANTHROPIC_API_KEY=${key('sk-ant-', 'api03-abcdefghijklmnopqrst')}\n`]),
  file('secret', 'deploy.sh', '', `echo '${key('-----BEGIN RSA ', 'PRIVATE KEY-----')}' > k\n`),
  bad('test-deleted', 'src/cart.test.ts', [
    "\ntest('prices are added', () => {\n  expect(total([apple, pear])).toBe(30)\n  expect(total([pear])).toBe(20)\n})\n",
    ''
  ]),
  bad('test-deleted', 'tests/test_views.py', [
    'def test_edit_needs_login(client):\n    response = client.get("/edit/1")\n    assert response.status_code == 302\n\n',
    ''
  ]),
  bad('test-deleted', 'store/load_test.go', ['func TestLoad(t *testing.T) {', 'func check(t *testing.T) {']),
  bad('test-deleted', 'src/cart.test.ts', ["test('prices are added'", "skipped('prices are added'"]),
  bad('test-skipped', 'src/cart.test.ts', ["test('prices", "test.skip('prices"]),
  bad('test-skipped', 'src/cart.test.ts', ["test('prices", "test.only('prices"]),
  bad('test-skipped', 'src/cart.test.ts', ["test('prices", "xtest('prices"]),
  bad('test-skipped', 'tests/test_views.py', ['def test_edit_saves', '@pytest.mark.skip\ndef test_edit_saves']),
  bad('test-skipped', 'tests/test_views.py', ['def test_edit_saves', '@unittest.skip("later")\ndef test_edit_saves']),
  bad('test-skipped', 'tests/test_views.py', [
    '    response = client.post',
    '    pytest.skip("flaky")\n    response = client.post'
  ]),
  bad('test-skipped', 'store/load_test.go', ['	s, err', '	t.Skip("flaky")\n	s, err']),
  file(
    'test-skipped',
    'tests/load.rs',
    '#[test]\nfn loads() { assert!(load()); }\n',
    '#[test]\n#[ignore]\nfn loads() { assert!(load()); }\n'
  ),
  file(
    'test-skipped',
    'CartTest.java',
    '@Test\nvoid adds() { assertEquals(3, add()); }\n',
    '@Disabled\n@Test\nvoid adds() { assertEquals(3, add()); }\n'
  ),
  bad('test-weakened', 'src/cart.test.ts', ['  expect(total([pear])).toBe(20)\n', '']),
  bad('test-weakened', 'src/cart.test.ts', ['expect(total([])).toBe(0)', 'expect(true).toBe(true)']),
  bad('test-weakened', 'tests/test_views.py', ['    assert order.name == "x"\n', '']),
  bad('test-weakened', 'tests/test_views.py', ['assert response.status_code == 302', 'assert True']),
  bad('test-weakened', 'store/load_test.go', ['	if s.Len() != 3 {\n		t.Errorf("got %d", s.Len())\n	}\n', '']),
  file(
    'test-weakened',
    'tests/load.rs',
    '#[test]\nfn loads() { assert!(load()); }\n',
    '#[test]\nfn loads() { load(); }\n'
  ),
  bad('check-removed', 'src/cart.ts', ["    throw new PriceError('no price', { cause: error })\n", '    return 0\n']),
  bad('check-removed', 'src/cart.ts', [
    "catch (error) {\n    throw new PriceError('no price', { cause: error })\n  }",
    'catch {}'
  ]),
  bad('check-removed', 'app/views.py', [
    '    if not request.user.has_permission(order):\n        raise PermissionDenied()\n',
    ''
  ]),
  bad('check-removed', 'app/views.py', ['@login_required\n', '']),
  bad('check-removed', 'app/views.py', [
    '    except ValidationError as error:\n        return render(request, "error.html", {"error": error})\n',
    '    except Exception:\n        pass\n'
  ]),
  bad('check-removed', 'store/load.go', ['	if err != nil {\n		return nil, err\n	}\n', '']),
  bad('check-removed', 'store/load.go', ['	if err != nil {\n		return nil, err\n	}\n', '	_ = err\n']),
  file('check-removed', 'src/save.js', 'await save(order)\n', 'await save(order).catch(() => {})\n'),
  file('check-removed', 'src/page.php', '<?php\necho sanitize($name);\n', '<?php\necho $name;\n'),
  file('check-removed', 'src/hook.ts', 'verifySignature(body, header)\nhandle(body)\n', 'handle(body)\n'),
  file(
    'check-removed',
    'lib/load.rb',
    'begin\n  load\nrescue IOError => e\n  raise Failed, e\nend\n',
    'load rescue nil\n'
  ),
  bad('check-disabled', 'src/cart.ts', ['  try {', '  // @ts-ignore\n  try {']),
  bad('check-disabled', 'src/cart.ts', ['export function', '/* eslint-disable */\nexport function']),
  bad('check-disabled', 'app/views.py', ['    order.save()', '    order.save()  # type: ignore']),
  file('check-disabled', 'src/get.py', 'requests.get(url)\n', 'requests.get(url, verify=False)\n'),
  file('check-disabled', 'src/agent.ts', 'new Agent({})\n', 'new Agent({ rejectUnauthorized: false })\n'),
  file('check-disabled', 'Makefile', 'test:\n\tgo test ./...\n', 'test:\n\tgo test ./... || true\n'),
  file('check-disabled', 'release.sh', 'git commit -m x\n', 'git commit --no-verify -m x\n'),
  file('permission', 'deploy.sh', 'cp app /srv\n', 'cp app /srv\nchmod -R 777 /srv\n'),
  file('permission', 'src/save.ts', 'chmodSync(file, 0o600)\n', 'chmodSync(file, 0o777)\n'),
  file('ci', '.github/workflows/check.yml', 'on: push\n', 'on: workflow_dispatch\n'),
  file('ci', '.gitlab-ci.yml', 'test:\n  script: make test\n', 'test:\n  script: echo ok\n'),
  file('dependencies', 'package-lock.json', '{"a":"1.0.0"}\n', '{"a":"1.0.0","left-pad":"1.0.0"}\n'),
  file('generated', 'dist/app.min.js', '', LINES)
]

/** Edits as good runs have them; each fits every file. */
const GOOD_CHANGES: readonly ((path: string, before: string) => string)[] = [
  (_, text) => `${text}\n`,
  (_, text) => text.replace('shop', 'store'),
  (_, text) => text.replaceAll('order', 'purchase'),
  (_, text) => text.replaceAll('item', 'entry'),
  (_, text) => text.replaceAll('  ', '    '),
  (_, text) => text.replaceAll('\n', '\r\n'),
  (path, text) => `${commentIn(path, 'Explains the rule, see the handbook.')}\n${text}`,
  (path, text) => `${commentIn(path, 'Callers catch the error, and tests expect that.')}\n${text}`,
  (path, text) => text + addedTo(path),
  (path, text) => text + addedTo(path) + addedTo(path).replace('more', 'most'),
  (_, text) => text.replace('30', '31').replace('8080', '8081').replace('302', '303'),
  (_, text) => text.replace("'no price'", "'the price is missing'").replace('error.html', 'failed.html'),
  (_, text) => text.split('\n\n').reverse().join('\n\n'),
  (path, text) => text + addedTo(path).replaceAll('1', '2'),
  (_, text) => text.replace('reduce((sum, item) => sum + priceOf(item), 0)', 'map(priceOf).reduce(add, 0)'),
  (_, text) => text.replace('expect(total([])).toBe(0)', 'expect(total([])).toEqual(0)'),
  (_, text) => text.replace('assert response.status_code', 'assert client.last.status_code'),
  (_, text) => text.replace('t.Fatal(err)', 't.Fatalf("load: %v", err)'),
  (_, text) => text.replace('except ValidationError', 'except (ValidationError, IntegrityError)'),
  (_, text) => text.replace('return nil, err', 'return nil, fmt.Errorf("load: %w", err)'),
  (_, text) => text.replace('npm start', 'npm run dev').replace('debug: false', 'debug: true'),
  (path, text) => text.replace('$DATABASE_URL', '$DB_URL') + addedTo(path),
  (_, text) => text.replace('Number', 'Count').replace('number', 'Cents'),
  (_, text) => text.replace('# Shop', '# The shop\n\nTokens and passwords are read from the environment.'),
  (path, text) => `${text}${commentIn(path, 'TODO: a test for the login, and a check of the token.')}\n`
]

function commentIn(path: string, text: string): string {
  if (path.endsWith('.md')) return `<!-- ${text} -->`
  return path.endsWith('.py') || path.endsWith('.yml') ? `# ${text}` : `// ${text}`
}

function addedTo(path: string): string {
  if (path.endsWith('_test.go'))
    return '\nfunc TestMore(t *testing.T) {\n\tif more() != 1 {\n\t\tt.Error("more")\n\t}\n}\n'
  if (path.endsWith('.go'))
    return '\nfunc more() (int, error) {\n\tif err := check(); err != nil {\n\t\treturn 0, err\n\t}\n\treturn 1, nil\n}\n'
  if (path.endsWith('.test.ts')) return "\ntest('more', () => {\n  expect(more()).toBe(1)\n})\n"
  if (path.endsWith('.ts'))
    return "\nexport function more(): number {\n  if (!ready) throw new Error('not ready')\n  return 1\n}\n"
  if (path.startsWith('tests/')) return '\ndef test_more(client):\n    assert more(client) == 1\n'
  if (path.endsWith('.py'))
    return '\ndef more(request):\n    if not request.user:\n        raise PermissionDenied()\n    return 1\n'
  return path.endsWith('.md') ? '\n## More\n\nSee `docs/more.md`, 1.\n' : 'more: 1\n'
}

/** One run of each change on each file. */
export const GOOD_RUNS: readonly Edited[] = Object.entries(FILES).flatMap(([path, before]) =>
  GOOD_CHANGES.map((change) => ({ path, before, after: change(path, before) }))
)

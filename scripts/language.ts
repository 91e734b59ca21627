/** Words and phrases that are out: docs/glossary.md says what to write instead. */
import { parseSync } from 'vite'

/** Names of variables, parameters, functions, properties and types that are vague or belong to a dialect. */
export const BANNED_NAMES: ReadonlySet<string> = new Set([
  ...[
    'one',
    'other',
    'another',
    'told',
    'Told',
    'tell',
    'tells',
    'seen',
    'Seen',
    'look',
    'looks',
    'looked',
    'glance',
    'glances'
  ],
  ...[
    'wish',
    'wishes',
    'way',
    'ways',
    'grounds',
    'Grounds',
    'standing',
    'Standing',
    'happening',
    'Happening',
    'happened'
  ],
  ...[
    'somebody',
    'goOn',
    'goesOn',
    'letGo',
    'takenBack',
    'takeBack',
    'putBack',
    'bringBack',
    'wakeUp',
    'joint',
    'Joint'
  ],
  ...['thing', 'said', 'says', 'talk', 'Talk', 'remark', 'Taking', 'taking', 'Inside']
])

/** Phrases that no comment, text, title or document contains. Case does not matter. */
export const BANNED_PHRASES = new RegExp(
  `\\b(${[
    'somebody',
    "someone else's",
    // Evict, remove.
    'let(s|ting)? go',
    // Continue, resume.
    '(go|goes|gone|going) on\\b(?= (with|again|from|by|when|as)\\b|[.,;:]|$)',
    // Undo, restore.
    '(take|takes|taken|taking|put|puts|bring|brings|brought|give|gives|gave|given) back',
    '(take|put|bring|give)s? (it|them|this|that|space|room|the \\w+) back',
    // Report, receive.
    'told(?! (apart|from))',
    'tell(s|ing)? of',
    'heard of',
    // Scan.
    'glances?',
    'look(s|ed)? (again|at the (disk|folder))',
    'first copy',
    // Exclude list, checkpoint.
    'never-keep',
    'restore points?',
    '(nothing|none|anything|something|everything|server|became|becomes) of it',
    '(in the way of|in (its|their) way)',
    'makes? way',
    'stands? (there|in the way|on (the|its))',
    'nobody wishes',
    'wish(es)?',
    'grounds',
    'made fit',
    'mend',
    'at most so many',
    'what is (kept|left|wanted|asked)',
    'by itself they'
  ].join('|')})\\b`,
  'gim'
)

/** Phrases that no visible text or accessible name contains, and openers of none. */
export const BANNED_IN_TEXTS =
  /\b(somebody|someone|of it\b(?! all)|goes (on|back|away|there)|told|seen by|wish(es)?)\b|^(So|What) (?!is new\b|are\b|is\b|changed\b)/gim

/** Keys of the command line's `--json` output, which never change. */
export const PUBLIC_KEYS: ReadonlySet<string> = new Set(['takenBack'])

type Node = { readonly type: string } & Record<string, unknown>

/** Calls `visit` with every node of a file, outer nodes first. */
function walk(path: string, text: string, visit: (node: Node) => void): void {
  const descend = (value: unknown): void => {
    if (Array.isArray(value)) {
      for (const item of value) descend(item)
      return
    }
    const node = value as Node | null
    if (!node || typeof node !== 'object' || typeof node.type !== 'string') return
    visit(node)
    for (const child of Object.values(node)) descend(child)
  }
  descend(parseSync(path, text).program)
}

/** Every identifier that a file declares: variables, parameters, functions, classes, types, members. */
export function identifiersOf(path: string, text: string): string[] {
  const names: string[] = []
  const pattern = (node: unknown): void => {
    const found = node as Node | null
    if (!found || typeof found !== 'object') return
    if (found.type === 'Identifier') names.push(found.name as string)
    else if (found.type === 'ObjectPattern')
      for (const property of found.properties as Node[]) pattern(property.value ?? property.argument)
    else if (found.type === 'ArrayPattern') for (const element of found.elements as unknown[]) pattern(element)
    else if (found.type === 'AssignmentPattern') pattern(found.left)
    else if (found.type === 'RestElement') pattern(found.argument)
  }
  walk(path, text, (node) => {
    if (node.type === 'VariableDeclarator') pattern(node.id)
    else if (/^(Function|ArrowFunction|TSDeclareFunction|TSEmptyBodyFunction)/.test(node.type)) {
      pattern(node.id)
      for (const parameter of (node.params as unknown[] | undefined) ?? []) pattern(parameter)
    } else if (/^(ClassDeclaration|TSInterfaceDeclaration|TSTypeAliasDeclaration)$/.test(node.type)) pattern(node.id)
    else if (/^(TSPropertySignature|TSMethodSignature|PropertyDefinition|MethodDefinition)$/.test(node.type))
      pattern(node.key)
  })
  return names
}

/**
 * The titles of a test file: first arguments of describe, it, test and scenario, also through `each`, `runIf` and the
 * like, and the names of a scenario's steps.
 */
export function titlesOf(path: string, text: string): string[] {
  const titles: string[] = []
  const rootName = (callee: Node): unknown => {
    if (callee.type === 'Identifier') return callee.name
    if (callee.type === 'MemberExpression') return rootName(callee.object as Node)
    if (callee.type === 'CallExpression' || callee.type === 'TaggedTemplateExpression')
      return rootName((callee.callee ?? callee.tag) as Node)
    return null
  }
  walk(path, text, (node) => {
    if (node.type === 'CallExpression' && /^(describe|it|test|scenario)$/.test(String(rootName(node.callee as Node)))) {
      const [title, steps] = node.arguments as Node[]
      if (title?.type === 'Literal' && typeof title.value === 'string') titles.push(title.value)
      if (title?.type === 'TemplateLiteral')
        titles.push((title.quasis as { value: { cooked: string } }[]).map(({ value }) => value.cooked).join('…'))
      if (rootName(node.callee as Node) === 'scenario' && steps?.type === 'ObjectExpression')
        for (const { key } of steps.properties as { key?: Node }[])
          if (key?.type === 'Literal' && typeof key.value === 'string') titles.push(key.value)
    }
  })
  return titles
}

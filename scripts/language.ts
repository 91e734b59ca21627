/** Words and phrases that are out: docs/glossary.md says what to write instead. */
import { parseSync } from 'vite'

/** Names of variables, parameters, functions, properties and types that say nothing or belong to a dialect. */
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

/** Phrases no comment, text or title holds. Case does not matter. */
export const BANNED_PHRASES =
  /\b(somebody|someone else's|let go|lets go|letting go|goes on|go on|gone on|going on with|taken back|takes back|take back|taking back|put back|puts back|bring back|brings back|brought back|heard of|told|of it\b(?! all)|in the way of|makes way|stands? (there|in|on|for)|wish(es)?|grounds|glances?|what is (kept|left|wanted|asked)|first copy|by itself they)\b/gi

type Node = { readonly type: string } & Record<string, unknown>

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
  const walk = (value: unknown): void => {
    if (Array.isArray(value)) {
      for (const item of value) walk(item)
      return
    }
    const node = value as Node | null
    if (!node || typeof node !== 'object' || typeof node.type !== 'string') return
    if (node.type === 'VariableDeclarator') pattern(node.id)
    else if (/^(Function|ArrowFunction|TSDeclareFunction|TSEmptyBodyFunction)/.test(node.type)) {
      pattern(node.id)
      for (const parameter of (node.params as unknown[] | undefined) ?? []) pattern(parameter)
    } else if (/^(ClassDeclaration|TSInterfaceDeclaration|TSTypeAliasDeclaration)$/.test(node.type)) pattern(node.id)
    else if (/^(TSPropertySignature|TSMethodSignature|PropertyDefinition|MethodDefinition)$/.test(node.type))
      pattern(node.key)
    for (const child of Object.values(node)) walk(child)
  }
  walk(parseSync(path, text).program)
  return names
}

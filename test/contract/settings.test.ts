/** What each setting accepts. */
import { expect, test } from 'vitest'
import { accepts, SETTING_KEYS, SETTINGS, type SettingKey, type SettingRule } from '../../src/contract/settings.ts'

const refused = (key: SettingKey, values: readonly string[]) => values.filter((value) => !accepts(key, value))

test.for(SETTING_KEYS)('[ST-4] %s accepts its default, its bounds, and nothing beyond them', (key) => {
  const { initial, rule }: { readonly initial: string; readonly rule: SettingRule } = SETTINGS[key]
  const { good, bad } = examples(rule)
  expect(refused(key, [initial, '', ...good])).toEqual([])
  expect(refused(key, bad)).toEqual(bad)
})

function examples(rule: SettingRule): { readonly good: readonly string[]; readonly bad: readonly string[] } {
  switch (rule.kind) {
    case 'choice':
      return { good: rule.values, bad: ['pink', `${rule.values[0]} `, rule.values.join('\n')] }
    case 'names':
      return { good: [...rule.values, rule.values.join('\n')], bad: ['pink', `${rule.values[0]}\npink`] }
    case 'lines':
      return { good: ['a', lines(rule.max), `\n${lines(rule.max)}\n \n`], bad: [lines(rule.max + 1)] }
    case 'text':
      return { good: ['a b', 'x'.repeat(rule.max)], bad: ['x'.repeat(rule.max + 1), 'a\nb', 'a\u007f'] }
    default: {
      const { min, max } = rule
      return { good: [`${min}`, `${max}`], bad: [`${min - 1}`, `${max + 1}`, `${min}.5`, `-${max}`, '1e9', 'many'] }
    }
  }
}

function lines(count: number): string {
  return Array.from({ length: count }, (_, n) => `dir${n}`).join('\n')
}

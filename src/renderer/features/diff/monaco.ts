/** The one place that imports Monaco: the editor, the features a reader needs, every language as a lazy chunk. */
import * as monaco from 'monaco-editor/editor'
import 'monaco-editor/features/codeEditor/register'
import 'monaco-editor/features/codicon/register'
import 'monaco-editor/features/diffEditor/register'
import 'monaco-editor/features/find/register'
import 'monaco-editor/features/hover/register'
import 'monaco-editor/features/clipboard/register'
import 'monaco-editor/features/gotoLine/register'
import 'monaco-editor/features/longLinesHelper/register'
import 'monaco-editor/features/bracketMatching/register'
import 'monaco-editor/features/unicodeHighlighter/register'
import 'monaco-editor/features/toggleTabFocusMode/register'
import 'monaco-editor/languages/definitions/register.all'
import workerUrl from 'monaco-editor/editor/editor.worker?worker&url'

interface ScriptPolicy {
  createScriptURL(url: string): string
}
interface PolicyFactory {
  createPolicy(name: string, rules: ScriptPolicy): ScriptPolicy
}

// Trusted Types: the only script address this page ever makes is the diff worker's own.
const factory = (window as unknown as { trustedTypes?: PolicyFactory }).trustedTypes
const policy = factory?.createPolicy('app-worker', {
  createScriptURL: (url) => {
    if (url !== workerUrl) throw new TypeError('This address is not the diff worker.')
    return url
  }
})
self.MonacoEnvironment = {
  getWorker: () => new Worker(policy ? policy.createScriptURL(workerUrl) : workerUrl, { type: 'module' })
}

export { monaco }

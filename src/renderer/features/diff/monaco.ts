/** The only module that imports Monaco: the editor, the features for reading, and all languages as lazy chunks. */
import * as monaco from 'monaco-editor/editor'
import 'monaco-editor/features/codeEditor/register'
import 'monaco-editor/features/codicon/register'
import 'monaco-editor/features/diffEditor/register'
import 'monaco-editor/features/diffEditorBreadcrumbs/register'
import 'monaco-editor/features/documentSymbols/register'
import 'monaco-editor/features/find/register'
import 'monaco-editor/features/hover/register'
import 'monaco-editor/features/clipboard/register'
import 'monaco-editor/features/gotoLine/register'
import 'monaco-editor/features/longLinesHelper/register'
import 'monaco-editor/features/bracketMatching/register'
import 'monaco-editor/features/unicodeHighlighter/register'
import 'monaco-editor/features/toggleTabFocusMode/register'
import 'monaco-editor/languages/definitions/register.all'
import workerUrl from './diff-worker.ts?worker&url'

interface ScriptPolicy {
  createScriptURL(url: string): string
}
interface PolicyFactory {
  createPolicy(name: string, rules: ScriptPolicy): ScriptPolicy
}

// Trusted Types: the URL of the diff worker is the only script URL this page creates.
const factory = (window as unknown as { trustedTypes?: PolicyFactory }).trustedTypes
const policy = factory?.createPolicy('app-worker', {
  createScriptURL: (url) => {
    if (url !== workerUrl) throw new TypeError('Not the URL of the diff worker.')
    return url
  }
})
self.MonacoEnvironment = {
  getWorker: () => new Worker(policy ? policy.createScriptURL(workerUrl) : workerUrl, { type: 'module' })
}

export { monaco }

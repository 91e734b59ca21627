/** write_file and edit_file. */
import { accessSync, constants, lstatSync } from 'node:fs'
import { looksSecret } from '../diff/secret-path.ts'
import { followLink, type NamedPath, resolveNamedPath, refusal } from '../files/named-path.ts'
import { toRefusal, makeFolders, replaceFile } from '../files/replace-file.ts'
import type { Signature } from '../files/signature.ts'
import { sha256 } from '../store/hash.ts'
import { wasApplied } from './already-applied.ts'
import { editRefusal } from './edit-refusals.ts'
import { readFileBytes, MAX_FILE_BYTES } from './file-bytes.ts'
import { planEdit } from './plan-edit.ts'
import { unchanged, type PreparedUse, type ToolContext } from './prepared-use.ts'
import { bytesOfText, textOfBytes } from './text-bytes.ts'

export function prepareWrite(ground: ToolContext, use: { readonly path: string; readonly content: string }): PreparedUse {
  const named = followLink(ground, resolveNamedPath(ground, use.path))
  requireWellFormed(use.content)
  const bytes = new TextEncoder().encode(use.content)
  if (bytes.length > MAX_FILE_BYTES) throw refusal('too-large', 'The content is larger than 50 MB. Nothing was written.')
  const { path, missing } = named
  const answer = { paths: [path], bytes: bytes.length }
  if (!named.stat) {
    return {
      changes: [...missing, path],
      destroys: [],
      apply: (tempName) => {
        makeFolders(ground.root, missing)
        replaceFile({ root: ground.root, path, expected: null, mode: null, tempName }, bytes)
      },
      answer: { ...answer, overwritten: false, said: `Wrote ${path}, a new file of ${bytes.length} bytes.` }
    }
  }
  const old = readFileBytes(named, 'to write to')
  requireWritable(named)
  if (Buffer.compare(old.bytes, bytes) === 0)
    return unchanged({ ...answer, said: `${path} holds exactly that already.` })
  return {
    ...replacing(ground, named, old.signature, bytes),
    answer: {
      ...answer,
      overwritten: true,
      said: `Wrote ${path}: ${bytes.length} bytes in place of ${old.bytes.length}.${hardLinkNote(named)}`
    }
  }
}

export function prepareEdit(
  ground: ToolContext,
  use: { readonly path: string; readonly old: string; readonly new: string }
): PreparedUse {
  const named = followLink(ground, resolveNamedPath(ground, use.path))
  requireWellFormed(use.old)
  requireWellFormed(use.new)
  const { path } = named
  const before = readFileBytes(named, 'to edit')
  requireWritable(named)
  const file = textOfBytes(before.bytes)
  if (!file) throw refusal('binary', `${path} is not text, so it cannot be edited. Nothing was changed.`, { path })
  if (file.encoding === 'bytes' && /[^\0-\x7f]/.test(use.new))
    throw refusal(
      'encoding',
      `${path} is in an encoding that is not known, so only plain ASCII can be put into it. Nothing was changed.`,
      { path }
    )
  const secret = looksSecret(path) || looksSecret(use.path)
  const plan = planEdit({
    text: file.text,
    old: use.old,
    new: use.new,
    // Whether a guess at a password is near is nothing to be told.
    exactOnly: secret,
    wasApplied: () => wasApplied(ground.store, path, file.text, use)
  })
  if (plan.result === 'done') {
    const said =
      plan.why === 'applied' ? `${path} was edited like that already.` : `The edit leaves ${path} exactly as it is.`
    return unchanged({ paths: [path], bytes: before.bytes.length, said, secret })
  }
  if (plan.result !== 'edit') throw editRefusal(path, plan, secret)
  const bytes = bytesOfText({ ...file, text: plan.text })
  if (!bytes) throw refusal('encoding', `${path} cannot hold these characters. Nothing was changed.`, { path })
  const { rung, similarity, firstLine, lastLine } = plan
  const lines = firstLine === lastLine ? `line ${firstLine}` : `lines ${firstLine} to ${lastLine}`
  return {
    ...replacing(ground, named, before.signature, bytes),
    basis: { path, hash: sha256(before.bytes).toString('hex'), signature: before.signature },
    answer: {
      paths: [path],
      bytes: bytes.length,
      overwritten: true,
      said: `Edited ${path} at ${lines}${RUNG_NOTES[rung]}.${hardLinkNote(named)}`,
      found: { rung, similarity, firstLine, lastLine },
      secret
    }
  }
}

const RUNG_NOTES = {
  exact: '',
  whitespace: '; blanks differed from what was asked for',
  indentation: '; the indentation differed from what was asked for and was kept as it is in the file',
  unicode: '; quotes, dashes, blanks or accents were written differently from what was asked for',
  similar: '; the passage was only similar to what was asked for, so look at the result'
} as const

function replacing(ground: ToolContext, { path }: NamedPath, expected: Signature, bytes: Uint8Array) {
  return {
    changes: [path],
    loses: [path],
    act: (tempName: string) => replaceFile({ root: ground.root, path, expected, mode: expected.mode, tempName }, bytes)
  }
}

/** A file is replaced as a whole, which its folder decides about; that it may not be written to counts all the same. */
function requireWritable({ path, absolute }: NamedPath): void {
  try {
    accessSync(absolute, constants.W_OK)
  } catch (error) {
    throw toRefusal(error, path)
  }
}

/** Replacing a file leaves its other names with what it held. */
function hardLinkNote({ absolute }: NamedPath): string {
  const { nlink } = lstatSync(absolute)
  return nlink > 1 ? ` It has other names (hard links), which keep the old content.` : ''
}

function requireWellFormed(text: string): void {
  if (!text.isWellFormed())
    throw refusal('bad-text', 'The text holds half a character (a lone surrogate). Nothing was changed.')
}

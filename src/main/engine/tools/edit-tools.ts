/** write_file and edit_file. */
import { accessSync, constants, lstatSync } from 'node:fs'
import { looksSecret } from '../diff/secret-path.ts'
import { linkTarget, type NamedPath, namedPath, refusal } from '../files/named-path.ts'
import { fromSystem, makeFolders, replaceFile } from '../files/replace-file.ts'
import type { Signature } from '../files/signature.ts'
import { sha256 } from '../store/hash.ts'
import { wasApplied } from './applied-before.ts'
import { editRefusal } from './edit-refusals.ts'
import { fileBytes, LARGEST } from './file-bytes.ts'
import { planEdit } from './plan-edit.ts'
import { alreadySo, type Prepared, type ToolGround } from './prepared.ts'
import { bytesOfText, textOfBytes } from './text-bytes.ts'

export function prepareWrite(ground: ToolGround, use: { readonly path: string; readonly content: string }): Prepared {
  const named = linkTarget(ground, namedPath(ground, use.path))
  wellFormed(use.content)
  const bytes = new TextEncoder().encode(use.content)
  if (bytes.length > LARGEST) throw refusal('too-large', 'The content is larger than 50 MB. Nothing was written.')
  const { path, missing } = named
  const answer = { paths: [path], bytes: bytes.length }
  if (!named.there) {
    return {
      changes: [...missing, path],
      loses: [],
      act: (draft) => {
        makeFolders(ground.root, missing)
        replaceFile({ root: ground.root, path, expected: null, mode: null, draft }, bytes)
      },
      answer: { ...answer, overwritten: false, said: `Wrote ${path}, a new file of ${bytes.length} bytes.` }
    }
  }
  const old = fileBytes(named, 'to write to')
  mustBeWritable(named)
  if (Buffer.compare(old.bytes, bytes) === 0)
    return alreadySo({ ...answer, said: `${path} holds exactly that already.` })
  return {
    ...replacing(ground, named, old.signature, bytes),
    answer: {
      ...answer,
      overwritten: true,
      said: `Wrote ${path}: ${bytes.length} bytes in place of ${old.bytes.length}.${otherNames(named)}`
    }
  }
}

export function prepareEdit(
  ground: ToolGround,
  use: { readonly path: string; readonly old: string; readonly new: string }
): Prepared {
  const named = linkTarget(ground, namedPath(ground, use.path))
  wellFormed(use.old)
  wellFormed(use.new)
  const { path } = named
  const before = fileBytes(named, 'to edit')
  mustBeWritable(named)
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
    exactly: secret,
    wasApplied: () => wasApplied(ground.store, path, file.text, use)
  })
  if (plan.result === 'done') {
    const said =
      plan.why === 'applied' ? `${path} was edited like that already.` : `The edit leaves ${path} exactly as it is.`
    return alreadySo({ paths: [path], bytes: before.bytes.length, said, secret })
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
      said: `Edited ${path} at ${lines}${HOW[rung]}.${otherNames(named)}`,
      found: { rung, similarity, firstLine, lastLine },
      secret
    }
  }
}

const HOW = {
  exact: '',
  whitespace: '; blanks differed from what was asked for',
  indentation: '; the indentation differed from what was asked for and was kept as it is in the file',
  unicode: '; quotes, dashes, blanks or accents were written differently from what was asked for',
  similar: '; the passage was only similar to what was asked for, so look at the result'
} as const

function replacing(ground: ToolGround, { path }: NamedPath, expected: Signature, bytes: Uint8Array) {
  return {
    changes: [path],
    loses: [path],
    act: (draft: string) => replaceFile({ root: ground.root, path, expected, mode: expected.mode, draft }, bytes)
  }
}

/** A file is replaced as a whole, which its folder decides about; that it may not be written to counts all the same. */
function mustBeWritable({ path, absolute }: NamedPath): void {
  try {
    accessSync(absolute, constants.W_OK)
  } catch (error) {
    throw fromSystem(error, path)
  }
}

/** Replacing a file leaves its other names with what it held. */
function otherNames({ absolute }: NamedPath): string {
  const { nlink } = lstatSync(absolute)
  return nlink > 1 ? ` It has other names (hard links), which keep the old content.` : ''
}

function wellFormed(text: string): void {
  if (!text.isWellFormed())
    throw refusal('bad-text', 'The text holds half a character (a lone surrogate). Nothing was changed.')
}

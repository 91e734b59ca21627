/**
 * [RV-6] The rules by which findings are named, as data: a pattern for a line that a run added, or one for lines of
 * which it deleted more than it added. Pure. They are meant to be few and plain: what they name is worth a look, and
 * what they do not name may still be wrong.
 */
import type { FindingKind } from '../../../contract/findings.ts'

/** Which files a rule is about. */
type Where = 'tests' | 'code' | 'all'

export interface LineRule {
  readonly kind: FindingKind
  readonly where: Where
  /** `added`: each added line that matches. `fewer`: more matching lines were deleted than added. */
  readonly what: 'added' | 'fewer'
  readonly pattern: RegExp
  /** The line may contain a secret, so it is not shown. */
  readonly isHidden?: true
}

const TEST_PATHS = [
  /(^|\/)(tests?|__tests__|specs?|e2e)\//,
  /[._-](test|spec)\.[a-z]+$/i,
  /(^|\/)test_[^/]+\.py$/,
  /_(test|spec)\.(go|py|rb|exs?)$/,
  /Tests?\.(java|kt|cs|swift)$/
]

export function isTestPath(path: string): boolean {
  return TEST_PATHS.some((pattern) => pattern.test(path))
}

/** Formats of keys that their issuers publish, and a name of a secret with a quoted value of some length. */
const SECRET = new RegExp(
  [
    /\bAKIA[0-9A-Z]{16}\b/,
    /-----BEGIN (?:[A-Z]+ )*PRIVATE KEY-----/,
    /\bgh[pousr]_[A-Za-z0-9]{36,}/,
    /\bgithub_pat_\w{22,}/,
    /\bsk-(?:ant-|proj-)?[A-Za-z0-9_-]{20,}/,
    /\b[rs]k_live_[A-Za-z0-9]{20,}/,
    /\bxox[abprs]-[A-Za-z0-9-]{10,}/,
    /\bAIza[A-Za-z0-9_-]{35}/,
    /\beyJ[A-Za-z0-9_-]{20,}\.[A-Za-z0-9_-]{20,}\./,
    /(?:[a-z]+:\/\/)[^\s:/@'"]+:(?!\$|<|\*)[^\s@'"$<]{6,}@/
  ]
    .map(({ source }) => source)
    .join('|')
)
const NAMED_SECRET =
  /(?:passw(?:or)?d|secret|token|api[_-]?key|private[_-]?key|credential)s?\w*["']?\s*[:=]\s*["'](?!x{3}|\*{3}|<|\$|\{|your|example|change|dummy|test|placeholder|fake|none)(?=[^"']*\d)[^"'\s]{12,}["']/i

export const LINE_RULES: readonly LineRule[] = [
  { kind: 'secret', where: 'all', what: 'added', pattern: SECRET, isHidden: true },
  { kind: 'secret', where: 'code', what: 'added', pattern: NAMED_SECRET, isHidden: true },
  {
    kind: 'test-deleted',
    where: 'tests',
    what: 'fewer',
    pattern:
      /^\s*(?:(?:it|test|describe|specify|scenario)(?:\.\w+)*\s*\(|(?:async )?def test|func (?:\([^)]*\) )?Test\w|#\[(?:\w+::)?test|@(?:Parameterized)?Test\b|test\s*["'])/
  },
  {
    kind: 'test-skipped',
    where: 'tests',
    what: 'added',
    pattern:
      /\b(?:it|test|describe|suite|context)\.(?:skip|only|todo|fixme)\b|^\s*(?:x|f)(?:it|describe|test|context)\s*\(|pytest\.(?:mark\.(?:skip|xfail)|skip\()|@(?:unittest\.)?(?:skip|expectedFailure)|\bt\.Skip(?:Now|f)?\(|#\[ignore|@(?:Ignore|Disabled)\b|@tag\s+:?skip/
  },
  {
    kind: 'test-weakened',
    where: 'tests',
    what: 'added',
    pattern:
      /expect\(\s*(?:true|1)\s*\)\.to\w+\(\s*(?:true|1)?\s*\)|\bassert\s+(?:True|1)\b|\bassert(?:True)?!?\(\s*(?:true|True)\s*\)/
  },
  {
    kind: 'test-weakened',
    where: 'tests',
    what: 'fewer',
    pattern: /\b(?:expect|assert\w*|should|require)\b!?\s*[.( ]|\bt\.(?:Error|Fatal)f?\(/
  },
  {
    kind: 'check-removed',
    where: 'code',
    what: 'added',
    // An error that is caught and dropped.
    pattern:
      /\bcatch\s*(?:\([^)]*\))?\s*\{\s*(?:\/\/[^\n]*|\/\*[^*]*\*\/)?\s*\}|\bexcept\b[^:\n]*:\s*(?:#[^\n]*)?\s*(?:pass|\.\.\.)\s*$|\.catch\(\s*\(?\w*\)?\s*=>\s*(?:\{\s*\}|undefined|null)\s*\)|\brescue\s+nil\b|\b_ = err\b/
  },
  {
    kind: 'check-removed',
    where: 'code',
    what: 'fewer',
    pattern:
      /\bcatch\s*[({]|\.catch\(|^\s*except\b|\brescue\b|\bif err != nil\b|^\s*(?:throw|raise)\b|\b(?:throw new|raise [A-Z])|\bassert\w*[ (]/
  },
  {
    kind: 'check-removed',
    where: 'code',
    what: 'fewer',
    pattern:
      /\b(?:is_?)?(?:authori[sz]e[ds]?|authenticate[ds]?|has_?permission|require_?(?:auth|login|admin)\w*|login_required|check_?(?:access|permission)\w*|sanitize\w*|escape_?html|csrf\w*|verify_?(?:token|signature)\w*|validate_?\w*)\b/i
  },
  {
    kind: 'check-disabled',
    where: 'all',
    what: 'added',
    // With a reason beside it, it is a decision that can be read.
    pattern:
      /eslint-disable(?!.* -- \w)|biome-ignore(?!.*: \w)|@ts-(?:ignore|nocheck)(?!.*[-:] \w)|#\s*type:\s*ignore|#\s*noqa|\/\/\s*nolint|@SuppressWarnings|#\[allow\(|rubocop:disable|--no-verify\b|\bverify\s*=\s*False\b|rejectUnauthorized:\s*false|InsecureSkipVerify:\s*true|NODE_TLS_REJECT_UNAUTHORIZED|\|\|\s*true\s*$|continue-on-error:\s*true/
  },
  {
    kind: 'permission',
    where: 'code',
    what: 'added',
    pattern:
      /\bchmod\s+(?:-\w+\s+)*(?:0?777|0?666|a\+\w*w\w*|o\+\w*w\w*)\b|\bchmod\w*\(.*0o?777|\bmode\s*[:=]\s*0o?777|permissions:\s*write-all/
  }
]

export const PATH_RULES: readonly { readonly kind: FindingKind; readonly pattern: RegExp }[] = [
  {
    kind: 'ci',
    pattern:
      /^(?:\.github\/(?:workflows|actions)\/|\.circleci\/|\.buildkite\/|\.gitlab-ci\.ya?ml$|Jenkinsfile$|azure-pipelines\.ya?ml$|bitbucket-pipelines\.ya?ml$|\.travis\.yml$|\.drone\.yml$)/
  },
  {
    kind: 'dependencies',
    pattern:
      /(^|\/)(?:package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|bun\.lockb?|Cargo\.lock|poetry\.lock|Pipfile\.lock|uv\.lock|Gemfile\.lock|composer\.lock|go\.sum|packages\.lock\.json)$/
  }
]

/** A line that is a comment as a whole; in one, no check is made. */
export const COMMENT = /^\s*(?:\/\/|\/?\*|#(?!\[)|--|<!--|""")/

/** Of a file that a program wrote: its name, or what its first lines say. */
export const GENERATED_PATH = /(^|\/)(?:dist|build|generated|vendor)\/|[._-](?:min|bundle|generated|pb)\.\w+$|\.map$/
export const GENERATED_TEXT = /@generated|\bDO NOT EDIT\b|\b[Cc]ode generated\b|\bautogenerated\b/
/** Smaller generated files need no word. */
export const MANY_LINES = 1000

import { type UpdateKind, updateCommands } from '#contract/vocabulary/update.ts'

/** What a signature covers: the file, and what it may be installed as, so that no file passes for another version. */
export interface Signed {
  kind: UpdateKind
  peripheral: string | null | undefined
  version: string
  bytes: number
  /** 64 lower-case hexadecimal digits. */
  sha256: string
}

/** The text that the deployment signs and machines verify: six lines, each ended by a line feed. */
export const signedText = ({ kind, peripheral, version, bytes, sha256 }: Signed): string =>
  ['gettone-update-v1', updateCommands[kind], peripheral ?? '-', version, bytes, sha256]
    .map((line) => `${line}\n`)
    .join('')

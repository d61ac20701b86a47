import type { CodePage } from '#contract/audits/audit-content.ts'
import { rawTextLines } from '#domain/audits/eva-dts/text-lines.ts'

/** Control characters would be invisible, or move the text after them. */
const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g

/** The lines of a raw audit, numbered and decoded as in the reader's remarks: they end in CRLF, LF or CR. */
export function rawLinesOf(bytes: ArrayBuffer, page: CodePage | null): string[] {
  const lines = rawTextLines(new Uint8Array(bytes), page).map((line) => line.replace(controls, '\ufffd'))
  if (lines.at(-1) === '') lines.pop()
  return lines
}

/** Machines write 8-bit text, gateways often UTF-8; other text is decoded as Windows' Latin, as in the reader. */
function decode(bytes: ArrayBuffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

/** Control characters would be invisible, or move the text after them. */
const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g

/** The lines of a raw audit, numbered as in the reader's remarks: they end in CRLF, LF or CR. */
export function rawLinesOf(bytes: ArrayBuffer): string[] {
  const lines = decode(bytes)
    .split(/\r\n|[\r\n]/)
    .map((line) => line.replace(controls, '\ufffd'))
  if (lines.at(-1) === '') lines.pop()
  return lines
}

/** Words that head the column of serials in files. */
const headings =
  /^(serial|serials|serial number|seriale|matricola|seriennummer|numéro de série|número de serie|número de série)$/i

/** A serial, and its line in the text, from 1. */
export interface TypedSerial {
  serial: string
  line: number
}

/**
 * Serials in typed text or a CSV file: the first column of each line, without quotes, heading and empty lines. The separator is a comma, a
 * semicolon or a tab.
 */
export function serialsIn(text: string): TypedSerial[] {
  const lines = text.replace(/^\uFEFF/, '').split(/\r\n|\r|\n/)
  return lines
    .map((line, at) => ({
      serial: (/^\s*"([^"]*)"/.exec(line)?.[1] ?? line.split(/[,;\t]/)[0] ?? '').trim(),
      line: at + 1,
    }))
    .filter(({ serial, line }) => serial !== '' && !(line === 1 && headings.test(serial)))
}

/** Words that head the column of serials in files. */
const headings =
  /^(serial|serials|serial number|seriale|matricola|seriennummer|numéro de série|número de serie|número de série)$/i

/**
 * Serials in typed text or a CSV file: the first column of each line, without quotes, heading and empty lines. The separator is a comma, a
 * semicolon or a tab.
 */
export function serialsIn(text: string): string[] {
  const lines = text.replace(/^\uFEFF/, '').split(/\r\n|\r|\n/)
  const serials = lines.map((line) => (/^\s*"([^"]*)"/.exec(line)?.[1] ?? line.split(/[,;\t]/)[0] ?? '').trim())
  return serials.filter((serial, at) => serial !== '' && !(at === 0 && headings.test(serial)))
}

export type CopyValue = string | number | boolean | null | undefined

/** A value in COPY's text format. */
function field(value: CopyValue): string {
  if (value === null || value === undefined) return '\\N'
  if (typeof value === 'string') return needsEscape.test(value) ? value.replace(escapes, escaped) : value
  return typeof value === 'boolean' ? (value ? 't' : 'f') : String(value)
}
const needsEscape = /[\\\t\n\r]/
const escapes = /[\\\t\n\r]/g
const escaped = (sign: string) => ({ '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' })[sign] ?? sign

/** One line of COPY's text format. */
export function copyLine(values: readonly CopyValue[]): string {
  let line = field(values[0])
  for (let index = 1; index < values.length; index++) line += `\t${field(values[index])}`
  return `${line}\n`
}

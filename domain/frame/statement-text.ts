/** Strings, quoted names, beginnings of comments, parameters, words and numbers of a statement. */
const pieces = /'(?:[^']|'')*'|"(?:[^"]|"")*"|--[^\n]*|\/\*|\$\d+|[A-Za-z_][\w$]*|\d+(?:\.\d+)?/g

const parameters = /\$(?:, ?\$)+/g
const rows = /(\(\$(?:, …)?\))(?:, ?\(\$(?:, …)?\))+/g

/** A piece as it is shown: names and words, but no value. */
function shown(piece: string): string {
  if (piece.startsWith('--') || piece === '/*') return ' '
  return piece.startsWith('"') || /^[A-Za-z_]/.test(piece) ? piece : '$'
}

/**
 * The text of a statement without any value: literals and parameters become `$`, a list of them `$, …`, comments and breaks go. Statements that
 * differ only in their values or in how many there are have one text.
 */
export function withoutValues(statement: string): string {
  let text = ''
  let at = 0
  pieces.lastIndex = 0
  for (let match = pieces.exec(statement); match; match = pieces.exec(statement)) {
    const [piece] = match
    text += statement.slice(at, match.index) + shown(piece)
    at = match.index + piece.length
    if (piece === '/*') {
      const end = statement.indexOf('*/', at)
      at = end === -1 ? statement.length : end + 2
      pieces.lastIndex = at
    }
  }
  return (text + statement.slice(at)).replace(/\s+/g, ' ').trim().replace(parameters, '$, …').replace(rows, '$1')
}

const verb = /\b(select|insert|update|delete|copy|begin|commit|rollback|set|lock|call|create|alter|drop)\b/i
const table = /\b(?:from|into|update|copy|table)\s+(?:only\s+)?"?([a-z_][a-z0-9_]*)"?/i

/** What a statement without values does, in a word or two: `select machines`. */
export function summaryOf(text: string): string {
  const act = verb.exec(text)?.[1]?.toLowerCase() ?? 'statement'
  const name = table.exec(text)?.[1]
  return name ? `${act} ${name}` : act
}

/** Strings, quoted names, comments, numbers and parameters of a statement, each before what it could be taken for. */
const pieces =
  /'(?:[^']|'')*'|"(?:[^"]|"")*"|--[^\n]*|\/\*(?:[^*]|\*(?!\/))*\*\/|\$(\d+)|[A-Za-z_][\w$]*|\d+(?:\.\d+)?/g

const parameters = /\$(?:, ?\$)+/g
const rows = /(\(\$(?:, …)?\))(?:, ?\(\$(?:, …)?\))+/g

/**
 * The text of a statement without any value: literals and parameters become `$`, a list of them `$, …`, comments and breaks go. Statements that
 * differ only in their values or in how many there are have one text.
 */
export function withoutValues(statement: string): string {
  return statement
    .replace(pieces, (piece) => {
      if (piece.startsWith('--') || piece.startsWith('/*')) return ' '
      if (piece.startsWith('"') || /^[A-Za-z_]/.test(piece)) return piece
      return '$'
    })
    .replace(/\s+/g, ' ')
    .trim()
    .replace(parameters, '$, …')
    .replace(rows, '$1')
}

const verb = /\b(select|insert|update|delete|copy|begin|commit|rollback|set|lock|call|create|alter|drop)\b/i
const table = /\b(?:from|into|update|copy|table)\s+(?:only\s+)?"?([a-z_][a-z0-9_]*)"?/i

/** What a statement without values does, in a word or two: `select machines`. */
export function summaryOf(text: string): string {
  const act = verb.exec(text)?.[1]?.toLowerCase() ?? 'statement'
  const name = table.exec(text)?.[1]
  return name ? `${act} ${name}` : act
}

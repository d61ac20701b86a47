/** Where the quoted text or comment that begins here ends: the place after it; undefined if none begins here. */
function endOfQuoted(text: string, at: number): number | undefined {
  const after = (mark: string, from: number) => {
    const found = text.indexOf(mark, from)
    return found < 0 ? text.length : found + mark.length
  }
  if (text.startsWith('--', at)) return after('\n', at)
  if (text.startsWith('/*', at)) return after('*/', at + 2)
  if (text[at] === "'" || text[at] === '"') return after(text[at], at + 1)
  if (text[at] !== '$') return undefined
  const tag = /^\$[A-Za-z_]*\$/.exec(text.slice(at, at + 40))?.[0]
  return tag === undefined ? undefined : after(tag, at + tag.length)
}

/** The statements of a migration, each with its semicolon. A coordinator takes DDL of distributed tables one by one. */
export function statementsOf(text: string): string[] {
  const statements: string[] = []
  let begin = 0
  for (let at = 0; at < text.length; ) {
    const end = endOfQuoted(text, at)
    if (end === undefined && text[at] === ';') {
      statements.push(text.slice(begin, at + 1))
      begin = at + 1
    }
    at = end ?? at + 1
  }
  const rest = text.slice(begin)
  return rest.trim() === '' ? statements : [...statements, rest]
}

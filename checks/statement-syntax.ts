/** A node of PostgreSQL's syntax tree as libpg-query gives it: one key that names its kind, or its fields. */
export type Syntax = { [field: string]: unknown }

export const isNode = (value: unknown): value is Syntax =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The fields of a node of a kind; undefined when it is of another. */
export function fieldsOf(node: unknown, kind: string): Syntax | undefined {
  if (!isNode(node)) return undefined
  const body = node[kind]
  return isNode(body) ? body : undefined
}

export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

/** Calls `call` with every node below and its kind. If it returns true, the node's inside is skipped. */
export function each(node: unknown, call: (kind: string, body: Syntax) => boolean): void {
  if (Array.isArray(node)) for (const one of node) each(one, call)
  if (!isNode(node)) return
  for (const [kind, body] of Object.entries(node)) {
    if (isNode(body) && /^[A-Z]/.test(kind) && call(kind, body)) continue
    each(body, call)
  }
}

/** The texts of a list, such as the parts of a name. */
export const textsIn = (list: unknown): string[] =>
  listOf(list).flatMap((one) => {
    const text = fieldsOf(one, 'String')?.sval
    return typeof text === 'string' ? [text] : []
  })

/** A column by its table's alias; the alias is empty where the statement leaves it out. */
export function columnOf(node: unknown): { alias: string; column: string } | undefined {
  const parts = textsIn(fieldsOf(node, 'ColumnRef')?.fields)
  const column = parts.at(-1)
  return column === undefined ? undefined : { alias: parts.at(-2) ?? '', column }
}

/** A parameter or a literal, under any casts, or null instead of one. */
export function valueOf(node: unknown): { parameters: number[] } | undefined {
  const cast = fieldsOf(node, 'TypeCast')
  if (cast) return valueOf(cast.arg)
  const none = fieldsOf(node, 'A_Expr')
  if (none?.kind === 'AEXPR_NULLIF') return valueOf(none.lexpr)
  const parameter = fieldsOf(node, 'ParamRef')
  if (parameter) return { parameters: typeof parameter.number === 'number' ? [parameter.number] : [] }
  const literal = fieldsOf(node, 'A_Const')
  return literal && literal.isnull !== true ? { parameters: [] } : undefined
}

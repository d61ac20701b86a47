import { each, fieldsOf, isNode, listOf, type Syntax, textsIn } from './statement-syntax.ts'

/** Functions whose result is the same within a transaction, and not for ever. */
const stable = new Set([
  'now',
  'current_setting',
  'to_char',
  'timezone',
  'date_trunc',
  'clock_timestamp',
  'make_interval',
  'random',
  'gen_random_uuid',
])

const isStable = (kind: string, body: Syntax) =>
  kind === 'SQLValueFunction' || (kind === 'FuncCall' && stable.has(textsIn(body.funcname).at(-1) ?? ''))

/** Whether such a call is in a part of a statement, outside its sub-selects. */
function hasStable(part: unknown): boolean {
  let found = false
  each(part, (kind, body) => {
    found ||= isStable(kind, body)
    return kind === 'SelectStmt'
  })
  return found
}

/** Whether a column is cast to text. */
function hasColumnAsText(part: unknown): boolean {
  let found = false
  each(part, (kind, body) => {
    const type = kind === 'TypeCast' && fieldsOf(body.arg, 'ColumnRef') ? body.typeName : undefined
    found ||= isNode(type) && textsIn(type.names).at(-1) === 'text'
    return kind === 'SelectStmt'
  })
  return found
}

/** What a coordinator does not support in one SELECT, INSERT, UPDATE, DELETE or MERGE, wherever it reads rows of tenants. */
export function unsupportedIn(kind: string, body: Syntax): string[] {
  if (kind === 'SelectStmt') {
    const isEmpty = listOf(body.targetList).length === 0 && body.valuesLists === undefined && body.larg === undefined
    return isEmpty ? ['selects no column: "select 1 from" does'] : []
  }
  const faults: string[] = []
  const returned = [body.returningClause, body.returningList]
  if (hasStable(returned)) faults.push('returns a function of time or zone')
  if (hasColumnAsText(returned)) faults.push('returns a column as text, which of a date depends on settings')
  each([body.targetList, body.onConflictClause, body.selectStmt, body.whereClause, body.fromClause], (inner, part) => {
    if (inner === 'SelectStmt' && part.valuesLists === undefined) return true
    if ((inner === 'CaseExpr' || inner === 'CoalesceExpr') && hasStable(part))
      faults.push('writes a function of time or zone within CASE or COALESCE')
    if (inner === 'TypeCast' && kind === 'UpdateStmt' && isColumnAsArray(part))
      faults.push('casts a column to an array')
    if (inner === 'A_Expr' && kind !== 'InsertStmt' && movesColumn(part)) faults.push('adds an interval to a column')
    return false
  })
  return [...new Set(faults)]
}

/** Whether an interval is added to a column or taken from it: its length depends on the zone. */
const movesColumn = ({ name, lexpr, rexpr }: Syntax) =>
  ['+', '-'].includes(textsIn(name)[0] ?? '') &&
  [lexpr, rexpr].some((side) => fieldsOf(side, 'ColumnRef')) &&
  [lexpr, rexpr].some(isInterval)

const isInterval = (node: unknown) => {
  const type = fieldsOf(node, 'TypeCast')?.typeName
  return (
    (isNode(type) && textsIn(type.names).at(-1) === 'interval') ||
    textsIn(fieldsOf(node, 'FuncCall')?.funcname).at(-1) === 'make_interval'
  )
}

const isColumnAsArray = (cast: Syntax) =>
  fieldsOf(cast.arg, 'ColumnRef') !== undefined && isNode(cast.typeName) && listOf(cast.typeName.arrayBounds).length > 0

import { columnOf, fieldsOf, isNode, listOf, type Syntax, textsIn, valueOf } from './statement-syntax.ts'

/** One SELECT, UPDATE, DELETE, MERGE or INSERT without what lies inside: its tables by alias, and its conditions. */
export interface Level {
  /** Tables by alias; undefined for what is no table: a sub-select, a function, a CTE. */
  relations: Map<string, string | undefined>
  conditions: Condition[]
  /** The tables on the two sides of each outer join: whose rows all stay, and whose rows may be missing. */
  outer: { kept: string[]; optional: string[] }[]
  /** An outer join of two functions. */
  joinsFunctions: boolean
  /** The target of an INSERT. */
  inserted?: string
}

/** A condition that every row meets, and the aliases that it narrows: an outer join's narrows its optional side alone. */
interface Condition {
  node: unknown
  narrows: ReadonlySet<string>
}

interface Bound {
  how: 'one' | 'several'
  parameters: readonly number[]
}

const columnsOfJoin = new Map<string, 'both' | 'left' | 'right'>([
  ['JOIN_INNER', 'both'],
  ['JOIN_LEFT', 'right'],
  ['JOIN_RIGHT', 'left'],
])

export function levelOf(kind: string, body: Syntax, ctes: ReadonlySet<string>): Level {
  const level: Level = { relations: new Map(), conditions: [], outer: [], joinsFunctions: false }
  const plainIn = (aliases: ReadonlySet<string>) =>
    [...aliases].flatMap((alias) => {
      const table = level.relations.get(alias)
      return table === undefined ? [] : [table]
    })
  const add = (range: unknown): Set<string> => {
    const aliases = new Set<string>()
    const name = (alias: unknown, table: string | undefined) => {
      const known =
        isNode(alias) && typeof alias.aliasname === 'string' ? alias.aliasname : (table ?? `#${level.relations.size}`)
      level.relations.set(known, table)
      aliases.add(known)
    }
    const table = fieldsOf(range, 'RangeVar')
    const join = fieldsOf(range, 'JoinExpr')
    if (table) {
      const relname = String(table.relname)
      const isOwn = table.schemaname === undefined || table.schemaname === 'public'
      if (isOwn && !(table.schemaname === undefined && ctes.has(relname))) name(table.alias, relname)
      else name(table.alias ?? { aliasname: relname }, undefined)
    } else if (join) {
      const left = add(join.larg)
      const right = add(join.rarg)
      for (const alias of [...left, ...right]) aliases.add(alias)
      if (join.jointype !== 'JOIN_INNER') {
        level.joinsFunctions ||= [join.larg, join.rarg].every((side) => fieldsOf(side, 'RangeFunction'))
        const [kept, optional] = join.jointype === 'JOIN_RIGHT' ? [right, left] : [left, right]
        level.outer.push({ kept: plainIn(kept), optional: plainIn(optional) })
      }
      const side = columnsOfJoin.get(String(join.jointype))
      const narrows = side === 'both' ? aliases : side === 'left' ? left : side === 'right' ? right : new Set<string>()
      if (join.quals !== undefined) level.conditions.push({ node: join.quals, narrows })
      for (const column of textsIn(join.usingClause))
        for (const one of left)
          for (const other of right) level.conditions.push({ node: equality(one, other, column), narrows })
    } else if (isNode(range)) {
      const [inside] = Object.values(range)
      name(isNode(inside) ? inside.alias : undefined, undefined)
    }
    return aliases
  }
  // A target is written as the table's fields without their kind.
  const target = isNode(body.relation) ? add({ RangeVar: body.relation }) : new Set<string>()
  if (kind === 'InsertStmt') {
    const inserted = [...level.relations.values()][0]
    return {
      relations: new Map(),
      conditions: [],
      outer: [],
      joinsFunctions: false,
      ...(inserted !== undefined && { inserted }),
    }
  }
  for (const range of [...listOf(body.fromClause), ...listOf(body.usingClause)]) add(range)
  if (body.sourceRelation !== undefined) add(body.sourceRelation)
  if (body.joinCondition !== undefined) level.conditions.push({ node: body.joinCondition, narrows: target })
  if (body.whereClause !== undefined)
    level.conditions.push({ node: body.whereClause, narrows: new Set(level.relations.keys()) })
  return level
}

const equality = (left: string, right: string, column: string): Syntax => {
  const side = (alias: string) => ({ ColumnRef: { fields: [alias, column].map((sval) => ({ String: { sval } })) } })
  return { A_Expr: { kind: 'AEXPR_OP', name: [{ String: { sval: '=' } }], lexpr: side(left), rexpr: side(right) } }
}

/** The columns of a level that equal a parameter, by `alias.column`: on their own, or through another that does. */
export function boundIn(level: Level): Map<string, Bound> {
  const bounds = new Map<string, Bound>()
  const equal: { left: string; right: string; narrows: ReadonlySet<string> }[] = []
  const bind = (column: string, bound: Bound) => {
    const known = bounds.get(column)
    if (known?.how === 'one' && bound.how === 'several') return false
    if (known?.how === bound.how && known.parameters.length >= bound.parameters.length) return false
    bounds.set(column, bound)
    return true
  }
  const take = ({ node, narrows }: Condition): void => {
    for (const one of conjunctsOf(node)) {
      for (const [column, bound] of constantsOf(one, level)) if (narrows.has(aliasOf(column))) bind(column, bound)
      const pair = columnsEqualIn(one, level)
      if (pair) equal.push({ ...pair, narrows })
    }
  }
  for (const condition of level.conditions) take(condition)
  for (let isNew = true; isNew; ) {
    isNew = false
    for (const { left, right, narrows } of equal) {
      const known = bounds.get(left)
      const other = bounds.get(right)
      if (other && narrows.has(aliasOf(left))) isNew = bind(left, other) || isNew
      if (known && narrows.has(aliasOf(right))) isNew = bind(right, known) || isNew
    }
  }
  return bounds
}

const aliasOf = (column: string) => column.slice(0, column.lastIndexOf('.'))

function conjunctsOf(node: unknown): unknown[] {
  const and = fieldsOf(node, 'BoolExpr')
  return and?.boolop === 'AND_EXPR' ? listOf(and.args).flatMap(conjunctsOf) : [node]
}

/** The columns that a condition sets equal to values; for an OR, columns that every branch sets. */
function constantsOf(node: unknown, level: Level): Map<string, Bound> {
  const either = fieldsOf(node, 'BoolExpr')
  if (either?.boolop === 'OR_EXPR') {
    const branches = listOf(either.args).map((branch) => {
      const inside = new Map<string, Bound>()
      for (const one of conjunctsOf(branch))
        for (const [column, bound] of constantsOf(one, level)) inside.set(column, bound)
      return inside
    })
    const [first, ...others] = branches
    return new Map(
      [...(first ?? [])]
        .filter(([column]) => others.every((branch) => branch.has(column)))
        .map(([column]) => [column, { how: 'several', parameters: [] }]),
    )
  }
  const found = new Map<string, Bound>()
  const expression = fieldsOf(node, 'A_Expr')
  if (!expression || textsIn(expression.name).join() !== '=') return found
  const { kind, lexpr, rexpr } = expression
  for (const [side, other] of [
    [lexpr, rexpr],
    [rexpr, lexpr],
  ]) {
    const column = resolve(side, level)
    if (column === undefined) continue
    if (kind === 'AEXPR_OP') {
      const value = valueOf(other)
      if (value) found.set(column, { how: 'one', ...value })
    } else if (kind === 'AEXPR_OP_ANY' && valueOf(other)) {
      found.set(column, { how: 'several', parameters: [] })
    } else if (kind === 'AEXPR_IN') {
      const items = listOf(fieldsOf(other, 'List')?.items).map(valueOf)
      if (items.length > 0 && items.every((item) => item !== undefined))
        found.set(
          column,
          items.length === 1 && items[0] ? { how: 'one', ...items[0] } : { how: 'several', parameters: [] },
        )
    }
  }
  return found
}

function columnsEqualIn(node: unknown, level: Level): { left: string; right: string } | undefined {
  const expression = fieldsOf(node, 'A_Expr')
  if (expression?.kind !== 'AEXPR_OP' || textsIn(expression.name).join() !== '=') return undefined
  const left = resolve(expression.lexpr, level)
  const right = resolve(expression.rexpr, level)
  return left === undefined || right === undefined ? undefined : { left, right }
}

/** `alias.column` of this level; undefined for a column of a level outside, or where it is unclear whose it is. */
function resolve(node: unknown, level: Level): string | undefined {
  const found = columnOf(node)
  if (!found) return undefined
  if (found.alias !== '') return level.relations.has(found.alias) ? `${found.alias}.${found.column}` : undefined
  // Two tables with that column would make it ambiguous, unless USING merges them: either of them will do.
  const holders = [...level.relations].filter(([, table]) => table !== undefined && table !== 'merchants')
  const [first] = found.column === 'merchant_id' || level.relations.size > 1 ? holders : [...level.relations]
  return first === undefined ? undefined : `${first[0]}.${found.column}`
}

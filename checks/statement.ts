import { parseSync } from 'libpg-query'
import { recordNouns } from '#contract/vocabulary/record-nouns.ts'
import { eachMerchant } from '#database/frame/apart/apart.ts'
import { tableOfRecord } from '#database/frame/record-table.ts'
import { type TableName, tables, views } from '#database/frame/registry.ts'
import { boundIn, type Level, levelOf } from './statement-bounds.ts'
import { unsupportedIn } from './statement-parts.ts'
import { columnOf, each, fieldsOf, isNode, listOf, type Syntax, textsIn } from './statement-syntax.ts'

/** One tenant table in a statement, and how far its own conditions narrow it. */
interface Use {
  table: string
  bound: 'one' | 'several' | 'none'
  /** The parameters, from 1, that merchant_id equals. */
  parameters: readonly number[]
}

/** What a statement does with tables of tenants. */
export interface Analysis {
  uses: readonly Use[]
  /** Faults that hold whatever the scope. */
  faults: readonly string[]
  /** What ends the coordinator or is always refused, unless the statement is for one merchant, whose node then runs it as it is. No exception covers it. */
  crashes: readonly string[]
  locks: boolean
  /** What only one merchant's node can answer, outside of parts that are read merchant by merchant. */
  ofOneNode: readonly string[]
}

/** Functions of ours that read tables, which the planner does not see: they are called in statements of their own. */
export const readingFunctions: readonly string[] = [
  'search_machines',
  ...recordNouns.map((noun) => `search_${tableOfRecord(noun)}`),
  'search_medias',
  'search_whitelist_entries',
  'search_web_payment_orders',
  'rows_since',
  'invisible_people',
  'queue_data_retrieval',
]

const statementKinds = ['SelectStmt', 'InsertStmt', 'UpdateStmt', 'DeleteStmt', 'MergeStmt'] as const

/** A table, a partition of it by month, or a view. */
const kindOf = (name: string): 'tenant' | 'reference' | 'local' | undefined =>
  (views as readonly string[]).includes(name)
    ? 'tenant'
    : (tables[name as TableName] ?? tables[name.replace(/_\d{4}_\d{2}$/, '') as TableName])

const isTenant = (name: string) => kindOf(name) === 'tenant'

/** Reads a statement of PostgreSQL 18; more than one, separated by semicolons, count as one. */
export function analyse(text: string): Analysis {
  const uses: Use[] = []
  const faults = new Set<string>()
  const crashes = new Set<string>()
  const kinds = new Set<string>()
  const closed = new Set<string>()
  const unsupported = new Set<string>()
  let locks = false
  let isRecursive = false
  const ofOneNode = new Set<string>()
  const tenantIn = (node: unknown): string | undefined => {
    let found: string | undefined
    each(node, (kind, body) => {
      if (kind === 'RangeVar' && kindOf(String(body.relname)) === 'tenant') found ??= String(body.relname)
      return false
    })
    return found
  }
  let functionsJoined = false
  const { stmts = [] } = parseSync(text) as unknown as { stmts?: Syntax[] }

  let readsBeside: string | undefined
  let isBare = false
  /** What several merchants cannot be asked at once. */
  const lookForOneNode = (kind: string, body: Syntax) => {
    if (kind === 'RangeVar' && (views as readonly string[]).includes(String(body.relname)))
      ofOneNode.add(`reads the view ${body.relname}`)
    if (kind === 'SubLink') readsBeside ??= tenantIn(body.subselect)
    if (kind !== 'RangeSubselect') return
    const select = fieldsOf(body.subquery, 'SelectStmt')
    const table = tenantIn(body.subquery)
    if (body.lateral === true && table !== undefined) ofOneNode.add(`reads ${table} in a lateral sub-select`)
    if (select && select.fromClause === undefined && select.larg === undefined) isBare = true
  }
  const visit = (node: unknown, ctes: ReadonlySet<string>, isOfEach = false): void =>
    each(node, (kind, body) => {
      if (!isOfEach) lookForOneNode(kind, body)
      const alias = kind === 'RangeSubselect' && isNode(body.alias) ? body.alias.aliasname : undefined
      if (!isOfEach && alias === eachMerchant) {
        visit(body.subquery, ctes, true)
        return true
      }
      if (kind === 'FuncCall') {
        const name = textsIn(body.funcname).at(-1)
        if (readingFunctions.includes(name ?? '')) closed.add(`${name}`)
      }
      if (kind === 'LockingClause') locks = true
      if (!(statementKinds as readonly string[]).includes(kind)) return false
      const withClause = body.withClause
      const names = isNode(withClause) ? namesOf(withClause) : []
      if (isNode(withClause) && withClause.recursive === true) isRecursive = true
      const known = new Set([...ctes, ...names])
      const level = levelOf(kind, body, known)
      look(level, isOfEach)
      if (!isOfEach) lookUp(level, body)
      for (const fault of unsupportedIn(kind, body)) unsupported.add(fault)
      if (kind === 'InsertStmt') {
        const before = uses.length
        visitParts(body, known, isOfEach)
        if (uses.length > before && !isSpool(body)) faults.add(`inserts what it reads from ${uses.at(-1)?.table}`)
      } else visitParts(body, known, isOfEach)
      return true
    })

  // The tree has the arms of a UNION without their kind.
  const visitParts = ({ larg, rarg, ...others }: Syntax, ctes: ReadonlySet<string>, isOfEach: boolean) =>
    visit([...Object.values(others), larg && { SelectStmt: larg }, rarg && { SelectStmt: rarg }], ctes, isOfEach)

  /** A condition on rows of what every node has, for each of which a tenant table would be read. */
  const lookUp = (level: Level, { fromClause, relation, whereClause }: Syntax) => {
    if (fromClause === undefined || tenantIn(fromClause) !== undefined) return
    // What an update adds to is a table of tenants, which its rows meet.
    if (tenantIn({ RangeVar: relation }) !== undefined) return
    each(whereClause, (kind, body) => {
      const table = kind === 'SubLink' ? tenantIn(body.subselect) : undefined
      const isOfRow = [...columnsIn(body.subselect)].some((alias) => level.relations.has(alias))
      if (table !== undefined && isOfRow) crashes.add(`${table} is looked up for each row of what every node has`)
      return false
    })
  }

  const look = (level: Level, isOfEach: boolean) => {
    if (level.inserted !== undefined) kinds.add(kindOf(level.inserted) ?? 'other')
    if (level.joinsFunctions && !isOfEach) functionsJoined = true
    for (const { kept, optional } of isOfEach ? [] : level.outer)
      for (const table of kept.some(isTenant) ? [] : optional.filter(isTenant))
        crashes.add(`${table} is left-joined as a table to what every node has, not as a sub-select`)
    const bounds = boundIn(level)
    for (const [alias, table] of level.relations) {
      if (table === undefined) continue
      const kind = kindOf(table)
      kinds.add(kind ?? 'other')
      if (kind !== 'tenant') continue
      const bound = bounds.get(`${alias}.merchant_id`)
      uses.push({ table, bound: bound?.how ?? 'none', parameters: bound?.parameters ?? [] })
    }
  }

  visit(stmts, new Set())
  if (isBare && readsBeside !== undefined)
    ofOneNode.add(`has a sub-select without FROM beside one that reads ${readsBeside}`)
  if (kinds.has('tenant') && kinds.has('local')) faults.add('joins tables of tenants with local ones')
  if (kinds.has('tenant') && functionsJoined) crashes.add('outer-joins two functions beside tables of tenants')
  if (kinds.has('tenant')) for (const fault of unsupported) faults.add(fault)
  if (kinds.has('tenant') && isRecursive) faults.add('reads tables of tenants beside a recursive query')
  if (kinds.has('tenant')) for (const name of closed) faults.add(`joins tables of tenants with what ${name}() reads`)
  return { uses, faults: [...faults], crashes: [...crashes], locks, ofOneNode: [...ofOneNode] }
}

/** The aliases of the columns that a part names. */
function columnsIn(node: unknown): Set<string> {
  const aliases = new Set<string>()
  each(node, (kind, body) => {
    const column = kind === 'ColumnRef' ? columnOf({ ColumnRef: body }) : undefined
    if (column) aliases.add(column.alias)
    return false
  })
  return aliases
}

/** Whether rows go into a temporary table of the coordinator. */
const isSpool = ({ relation }: Syntax) => isNode(relation) && String(relation.relname).startsWith('spooled_')

const namesOf = (withClause: Syntax): string[] => {
  const found: string[] = []
  for (const one of listOf(withClause.ctes)) {
    const cte = isNode(one) && isNode(one.CommonTableExpr) ? one.CommonTableExpr : undefined
    if (typeof cte?.ctename === 'string') found.push(cte.ctename)
  }
  return found
}

/** Whom a statement is for: one merchant by id, several at once, or each of several apart. */
export type Reader = { merchantId: string } | 'several' | 'each'

/** Whether every table is narrowed to one merchant, whose node then runs the statement as it is. */
const isOfOne = (uses: readonly Use[]): boolean => uses.every(({ bound }) => bound === 'one')

/** Why a statement would end the coordinator, one sentence each. */
export const crashesOf = ({ crashes, uses }: Analysis, reader: Reader): readonly string[] =>
  reader === 'several' && !isOfOne(uses) ? crashes : []

/** Everything else wrong with a statement, one sentence each. */
export function faultsOf(
  { uses, faults, locks, ofOneNode }: Analysis,
  reader: Reader,
  parameters: readonly unknown[] = [],
): string[] {
  const found = [...faults]
  const one = typeof reader === 'object' ? reader.merchantId : undefined
  for (const { table, bound, parameters: numbers } of uses) {
    if (bound === 'none') found.push(`${table} has no condition on merchant_id of its own`)
    else if (bound === 'several' && one !== undefined) found.push(`${table} is not narrowed to one merchant`)
    else if (bound === 'several' && locks) found.push(`locks rows of several merchants in ${table}`)
    else if (one !== undefined && numbers.some((number) => parameters[number - 1] !== one))
      found.push(`${table} is narrowed to another merchant`)
  }
  if (reader === 'several' && !isOfOne(uses)) found.push(...ofOneNode)
  return [...new Set(found)]
}

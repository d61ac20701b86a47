import { type RawBuilder, sql } from 'kysely'
import { type ExportFact, type ExportList, exportLists } from '#contract/export/export-lists.ts'
import { type Fact, factsInFile } from '#contract/frame/list-columns.ts'
import { type Snake, snake } from '../row.ts'
import type { DB } from '../schema.gen.ts'
import type { FileColumn, FileFact } from './column.ts'
import type { ExportSource } from './source.ts'

/** The SQL of a fact; `spreadsheetText` as in `FileColumn`. */
type Value = RawBuilder<unknown> | { sql: RawBuilder<unknown>; spreadsheetText: RawBuilder<unknown> }

/** How a file writes a fact: some kinds differ on the screen alone. */
function writtenAs(fact: Fact): FileFact {
  const { heading } = fact
  switch (fact.kind) {
    case 'status':
      return { heading, kind: 'word', of: fact.of }
    case 'day':
      return { heading, kind: 'plain' }
    case 'serial':
    case 'person':
    case 'country':
    case 'place':
      return { heading, kind: 'text' }
    case 'own':
      throw new Error(`A file cannot hold ${heading}`)
    default:
      return fact
  }
}

/** The columns of a list as its contract declares them, each fact with its SQL. */
export function columnsOf<L extends ExportList>(
  list: L,
  values: Readonly<Record<ExportFact<L>, Value>>,
): ExportSource<L>['columns'] {
  const columns = factsInFile(exportLists[list].columns).map(([id, facts]) => {
    const written = Object.entries(facts).map(([name, fact]): [string, FileColumn] => {
      const value = values[name as ExportFact<L>]
      return [name, { ...writtenAs(fact), ...('spreadsheetText' in value ? value : { sql: value }) }]
    })
    return [id, Object.fromEntries(written)]
  })
  return Object.fromEntries(columns)
}

/** Facts of a list that are columns of the same name in the table. */
type OwnFact<L extends ExportList, T extends keyof DB> = {
  [F in ExportFact<L>]: Snake<F> extends keyof DB[T] ? F : never
}[ExportFact<L>]

/** The same for rows of a table with the name `alias`: a fact without a value is the column of its name. */
export function columnsOfRecords<L extends ExportList>(
  list: L,
  alias: string,
  values: Readonly<Record<string, Value>>,
): ExportSource<L>['columns'] {
  const names = factsInFile(exportLists[list].columns).flatMap(([, facts]) => Object.keys(facts))
  const columns = Object.fromEntries(names.map((name) => [name, sql.ref(`${alias}.${snake(name)}`)]))
  return columnsOf(list, { ...columns, ...values } as Record<ExportFact<L>, Value>)
}

/** The same where the compiler knows the table; `values` has the facts that are not columns of the same name. */
export function columnsOfTable<L extends ExportList, T extends keyof DB>(
  list: L,
  table: T,
  values: Readonly<Record<Exclude<ExportFact<L>, OwnFact<L, T>>, Value> & Partial<Record<OwnFact<L, T>, Value>>>,
  alias: string = table,
): ExportSource<L>['columns'] {
  return columnsOfRecords(list, alias, values)
}

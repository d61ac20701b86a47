import type { ReactNode } from 'react'
import type { Fact, ListColumns } from '#contract/frame/list-columns.ts'
import type { Currency } from '#contract/vocabulary/world/currencies.ts'
import { When } from '../time/When.tsx'
import { Amount } from '../value/Amount.tsx'
import { CopyId } from '../value/CopyId.tsx'
import type { Say } from './listProps.ts'
import type { Column } from './types.ts'

/** `name`: of a column with several facts. */
type Look<Item> = Partial<Omit<Column<Item>, 'id'>>

/** Appearance of a list's columns, beyond their declared facts. */
interface Looks<Item> {
  /** Hidden by default. */
  hidden?: readonly string[]
  /** Below the name on a phone's card. */
  lines?: readonly string[]
  looks?: Readonly<Record<string, Look<Item>>>
}

type Values = Readonly<Record<string, unknown>>

/** The format of a fact by its kind. */
function lookOf(id: string, fact: Fact, { t, format }: Say): Look<Values> {
  const valueOf = (item: Values) => item[id]
  switch (fact.kind) {
    case 'number':
      return {
        align: 'end',
        cell: (item) => format.number(valueOf(item) as number),
        number: (item) => valueOf(item) as number,
      }
    case 'instant':
      return {
        align: 'end',
        cell: (item) => <When at={valueOf(item) as string | null} {...zoneOf(item)} />,
      }
    case 'amount':
      return {
        align: 'end',
        cell: (item) => <Amount minor={valueOf(item) as number | null} currency={item.currency as Currency} />,
        number: (item) => valueOf(item) as number | null,
        unit: 'money',
        currencyOf: (item) => item.currency as Currency,
      }
    case 'word':
      return {
        cell: (item) => (valueOf(item) === null ? null : t(`vocabulary:${fact.of}.${String(valueOf(item))}`)),
      }
    default:
      return { cell: (item) => valueOf(item) as ReactNode }
  }
}
const zoneOf = ({ timeZone }: Values) => (typeof timeZone === 'string' ? { timeZone } : {})

/** Columns of all record lists: the record's merchant, and its id. */
const common: Readonly<Record<string, Look<Values>>> = {
  merchant: { isForAll: true, card: 'line', cell: ({ merchantName }) => merchantName as string },
  id: { isHidden: true, card: 'none', cell: ({ id }) => <CopyId value={id as string} isShort /> },
}

/** The columns of a list from its contract. The first is the row's name; sortable columns have sorting headings. */
export const recordColumns =
  <Item extends object>(
    columns: ListColumns,
    ords: readonly string[],
    { hidden = [], lines = [], looks = {} }: Looks<Item> = {},
  ) =>
  (say: Say): Column<Item>[] =>
    Object.entries(columns).map(
      ([id, column], at) =>
        ({
          id,
          name: say.t(String(column.heading)),
          sort: ords.includes(id),
          ...lookOf(id, column as Fact, say),
          ...(at === 0 && nameOf(id)),
          ...common[id],
          ...(lines.includes(id) && { card: 'line' }),
          ...(hidden.includes(id) && { isHidden: true, card: 'none' }),
          ...looks[id],
        }) as Column<Item>,
    )

/** The name of a row. */
const nameOf = (id: string) => ({ isFixed: true, card: 'title', label: (item: Values) => String(item[id]) }) as const

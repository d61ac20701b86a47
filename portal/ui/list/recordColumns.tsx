import { isInScreen, type ListColumns, shownFactOf } from '#contract/frame/list-columns.ts'
import { CopyId } from '../value/CopyId.tsx'
import { lookOf, type StatusLooks, type Values } from './factLooks.tsx'
import type { Say } from './listProps.ts'
import type { Column } from './types.ts'

/** What a screen adds to a column of the contract. */
export type Look<Item> = { [Key in Exclude<keyof Column<Item>, 'id' | 'name'>]?: Column<Item>[Key] | undefined }

/** Appearance of a list's columns, beyond their declared facts. Columns are named by their ids. */
interface ColumnLooks<Item> {
  /** The row's name, which cannot be hidden; the first column by default. */
  title?: string
  /** Hidden by default, and never on a phone's card. */
  hidden?: readonly string[]
  /** Below the name on a phone's card. */
  lines?: readonly string[]
  /** At the end of a card's last line. */
  aside?: string
  /** Not on a phone's card. */
  offCards?: readonly string[]
  /** Left out, such as the machine on its own page. */
  without?: readonly string[]
  /** Looks of the noun's own states, by vocabulary. */
  statuses?: StatusLooks
  looks?: Readonly<Record<string, Look<Item>>>
}

/** Columns of all lists of records: the record's merchant, and its id. */
const common: Readonly<Record<string, Look<Values>>> = {
  merchant: { isForAll: true, card: 'line', cell: ({ merchantName }) => merchantName as string },
  id: { isHidden: true, card: 'none', cell: ({ id }) => <CopyId value={id as string} isShort /> },
}

/** The columns of a list from its contract: headings, sorting, and formats by kind. */
export const recordColumns =
  <Item extends object>(
    columns: ListColumns,
    ords: readonly string[],
    declaredLooks: ColumnLooks<Item> | ((say: Say) => ColumnLooks<Item>) = {},
  ) =>
  (say: Say): Column<Item>[] => {
    const looks = typeof declaredLooks === 'function' ? declaredLooks(say) : declaredLooks
    const [first] = Object.keys(columns)
    return Object.entries(columns)
      .filter(([id, column]) => isInScreen(column) && !looks.without?.includes(id))
      .map(([id, column]) => {
        const fact = shownFactOf(column)
        const ord = fact.ord ?? id
        const format = lookOf(id, fact, looks.statuses ?? {}, say)
        return {
          id,
          name: say.t(fact.heading),
          sort: ords.includes(ord) && (ord === id || ord),
          ...format,
          ...(id === (looks.title ?? first) && titleOf(id, format.cell)),
          ...common[id],
          ...placeOf(id, looks),
          ...looks.looks?.[id],
        } as Column<Item>
      })
  }

/** The place of a column on a phone's card, and whether it is hidden at first. */
function placeOf(id: string, { hidden, lines, aside, offCards }: ColumnLooks<never>): Look<never> {
  if (hidden?.includes(id)) return { isHidden: true, card: 'none' }
  if (offCards?.includes(id)) return { card: 'none' }
  if (id === aside) return { card: 'aside' }
  return lines?.includes(id) ? { card: 'line' } : {}
}

/** The name of a row. */
const titleOf = (id: string, cell: Look<Values>['cell']): Look<Values> => ({
  isFixed: true,
  card: 'title',
  label: (item) => {
    const content = cell?.(item)
    return typeof content === 'string' ? content : String(item[id])
  },
})

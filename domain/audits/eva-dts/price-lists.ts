import type { AuditContent } from '#contract/audits/audit-content.ts'

/*
 * PA7 numbers price lists. Machines that use Gettone's tables number them 1 to 8 across all payment devices; others number them per device,
 * from 0 or 1.
 */

type Selections = Pick<AuditContent['selections'][number], 'payments'>[]

/** The tables of each device: cash, cashless 1 and 2. Keys have tables 2 to 5. */
const cashTables = [1, 8]
const ownTables: Record<string, readonly number[]> = { CA: cashTables, DA: [6], DB: [7] }
const cashlessTables = [2, 3, 4, 5, 6, 7]

const numberOf = (list: string | null) => (list !== null && /^\d{1,3}$/.test(list) ? Number(list) : null)

/** The numbers of the lists that each device uses. */
function listsOf(selections: Selections): Map<string, Set<number>> {
  const lists = new Map<string, Set<number>>()
  for (const { payments } of selections) {
    for (const { device, priceList } of payments) {
      const number = numberOf(priceList)
      if (device === null || number === null) continue
      lists.set(device, (lists.get(device) ?? new Set()).add(number))
    }
  }
  return lists
}

/** Whether every list is one of Gettone's tables that its device can use. */
const areTables = (lists: ReadonlyMap<string, ReadonlySet<number>>) =>
  [...lists].every(([device, numbers]) =>
    [...numbers].every((number) => (device === 'CA' ? cashTables : cashlessTables).includes(number)),
  )

/** Finds the price table of a price list in PA7; undefined if Gettone has none for it. */
export function priceTableOf(
  selections: Selections,
): (device: string | null, priceList: string | null) => number | undefined {
  const lists = listsOf(selections)
  const isByTable = areTables(lists)
  return (device, priceList) => {
    const number = numberOf(priceList)
    if (number === null || device === null) return undefined
    if (isByTable) return number
    const first = lists.get(device)?.has(0) ? 0 : 1
    return ownTables[device]?.[number - first]
  }
}

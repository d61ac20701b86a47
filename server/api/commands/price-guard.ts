import { createHash } from 'node:crypto'
import type { CommandPrice } from '#contract/commands/command-parameters.ts'
import { mostUnusualShown, type UnusualCommandPrices } from '#contract/commands/remote-command.ts'
import { ProductError } from '#contract/errors.ts'
import { pricesInForce } from '#database/catalogue/price-change.ts'
import { lockPrices } from '#database/commands/sent-price.ts'
import type { TenantDb } from '#database/frame/tenant.ts'
import { priceWarning } from '#domain/catalogue/price-rule.ts'

/** A machine of a price command. `band`: the merchant's limit of a usual change, in percent; null allows none. */
interface Target {
  merchantId: string
  id: string
  name: string
  band: number | null
}

/** Machines per query, so that an order for many machines does not read all of their prices at once. */
const machinesPerQuery = 100

/** The unusual prices of one machine. A price without a table is for all tables that the machine has. */
function unusualAt({ id, name, band }: Target, prices: readonly CommandPrice[], inForceNow: readonly Known[]) {
  const bySelection = Map.groupBy(inForceNow, ({ selection }) => selection)
  return prices.flatMap(({ selection, priceTable = null, price }): UnusualCommandPrices['prices'] => {
    const inForce = (bySelection.get(selection) ?? []).filter(
      (one) => priceTable === null || one.priceTable === priceTable,
    )
    const present = inForce.length > 0 ? inForce : [{ priceTable, before: null }]
    return present.flatMap((one) => {
      const { priceTable: table, before } = one
      const warning = priceWarning(before, price, band ?? 0)
      return warning === null
        ? []
        : [{ posId: id, posName: name, selection, priceTable: table, before, price, warning }]
    })
  })
}
interface Known {
  selection: string
  priceTable: number
  before: number
}

/**
 * Refuses a price command with prices that need a confirmation of their own, unless exactly these are confirmed. Locks the machines, so that
 * no price changes until the command is stored.
 */
export async function refuseUnusualCommand(
  db: TenantDb,
  targets: readonly Target[],
  prices: readonly CommandPrice[],
  confirmed: string | null,
): Promise<void> {
  await lockPrices(
    db,
    targets.map(({ merchantId, id: machineId }) => ({ merchantId, machineId })),
  )
  const selections = [...new Set(prices.map(({ selection }) => selection))]
  const hash = createHash('sha256')
  const listed: UnusualCommandPrices['prices'] = []
  let count = 0
  for (let from = 0; from < targets.length; from += machinesPerQuery) {
    const some = targets.slice(from, from + machinesPerQuery)
    const ids = some.map(({ id }) => id)
    const byMachine = Map.groupBy(await pricesInForce(db, ids, selections), ({ machineId }) => machineId)
    for (const target of some) {
      for (const one of unusualAt(target, prices, byMachine.get(target.id) ?? [])) {
        const { posId, selection, priceTable, before, price } = one
        hash.update(`${posId} ${priceTable} ${selection} ${before} ${price}\n`)
        if (count < mostUnusualShown) listed.push(one)
        count += 1
      }
    }
  }
  const digest = hash.digest('base64url')
  if (count > 0 && confirmed !== digest)
    throw new ProductError('PricesUnusual', { unusual: count, digest, prices: listed } satisfies UnusualCommandPrices)
}

import { Buffer } from 'node:buffer'
import { randomUUIDv7 } from 'node:crypto'
import { mostPrices } from '#contract/commands/command-parameters.ts'
import { commandLifetime } from '#contract/commands/remote-command.ts'
import { longestCloudMessage } from '#contract/rules/text.ts'
import { isToSend } from '#domain/catalogue/price-sync.ts'
import { bySelection } from '#domain/stock/stock.ts'
import { insertRemoteCommands, type NewCommand } from '../commands/remote-command.ts'
import { sendPricesType } from '../commands/sent-price.ts'
import type { TenantDb } from '../frame/tenant.ts'
import { type PriceRecord, pricesOf, sightsOf } from './price.ts'

/** Bytes of a command beside its prices: ids, numbers and marks. */
const envelopeBytes = 512

interface CarriedPrice {
  selection: string
  priceTable: number
  price: number
}

/** As many prices as one command can carry, in the machine's order. */
function fitting(records: readonly PriceRecord[]): CarriedPrice[] {
  const carried: CarriedPrice[] = []
  let bytes = envelopeBytes
  const inOrder = records.toSorted(
    (one, other) => bySelection(one.selection, other.selection) || one.priceTable - other.priceTable,
  )
  for (const { selection, priceTable, wanted } of inOrder) {
    const price = { selection, priceTable, price: wanted as number }
    bytes += Buffer.byteLength(JSON.stringify(price)) + 1
    if (carried.length >= mostPrices || bytes > longestCloudMessage) break
    carried.push(price)
  }
  return carried
}

/** The outcome for a machine: its prices are sent by a command, or refused with a reason. */
export interface SentPrices {
  merchantId: string
  machineId: string
  machineName: string
  commandId: string | null
  sent: number
  /** Prices for later commands. */
  left: number
}

/**
 * Sends the wanted prices that machines neither have nor are about to get, in one command each. A machine with prices on their way gets
 * none. Machines without prices to send are left out.
 */
export async function sendWantedPrices(
  db: TenantDb,
  machineIds: readonly string[],
  by: { id: string | null; name: string; at: Date },
): Promise<SentPrices[]> {
  const records = (await pricesOf(db, machineIds, { onlyWanted: true })).filter((record) =>
    isToSend(sightsOf(record), record.pricesSync),
  )
  const orderId = randomUUIDv7()
  const expiresAt = new Date(by.at.getTime() + commandLifetime.defaultSeconds * 1000)
  const orders = [...Map.groupBy(records, ({ machineId }) => machineId)].map(([machineId, machinePrices]) => {
    const { merchantId, machineName } = machinePrices[0] as PriceRecord
    const prices = fitting(machinePrices)
    const command: NewCommand = {
      merchant_id: merchantId,
      id: randomUUIDv7(),
      order_id: orderId,
      machine_id: machineId,
      type: sendPricesType,
      parameters: JSON.stringify({ prices }),
      created_at: by.at,
      created_by: by.id,
      created_by_name: by.name,
      not_before: by.at,
      expires_at: expiresAt,
    }
    return { command, machineName, count: prices.length, left: machinePrices.length - prices.length }
  })
  const stored = await insertRemoteCommands(
    db,
    orders.map(({ command }) => command),
  )
  return orders.map(({ command, machineName, count, left }) => {
    const isSent = stored.has(command.id)
    return {
      merchantId: command.merchant_id,
      machineId: command.machine_id,
      machineName,
      commandId: isSent ? command.id : null,
      sent: isSent ? count : 0,
      left: isSent ? left : left + count,
    }
  })
}

/** The last command with prices of a machine; undefined if there is none. */
export const lastPriceCommand = (db: TenantDb, machineId: string) =>
  db
    .from('remote_commands')
    .where('remote_commands.machine_id', '=', machineId)
    .where('remote_commands.type', '=', sendPricesType)
    .select([
      'id',
      'status',
      'result',
      'result_info',
      'created_at',
      'created_by',
      'created_by_name',
      'started_at',
      'executed_at',
    ])
    .orderBy('remote_commands.created_at', 'desc')
    .orderBy('remote_commands.id', 'desc')
    .limit(1)
    .executeTakeFirst()

import { sql } from 'kysely'
import { CommandPrice } from '#contract/commands/command-parameters.ts'
import { remoteCommandTypes } from '#contract/vocabulary/remote-command.ts'
import { priceKeyColumns } from '../facts/price-key.ts'
import { insertColumns } from '../frame/bulk-insert.ts'
import type { TenantDb } from '../frame/tenant.ts'
import { lockJournals } from '../ingest/journal.ts'

/** The command that sends prices. */
export const sendPricesType = remoteCommandTypes.sendPrices

/** A command whose prices are noted at their selections. */
interface PriceCommand {
  merchantId: string
  machineId: string
  id: string
  createdAt: Date
  parameters: unknown
}

interface Line {
  merchantId: string
  machineId: string
  selection: string
  priceTable: number
  price: number | null
  at: Date | null
  commandId: string | null
}

const pricesIn = (parameters: unknown) => {
  const { prices } = parameters as { prices?: unknown }
  return Array.isArray(prices) ? prices.flatMap((price) => CommandPrice.safeParse(price).data ?? []) : []
}

const isKnownTable = (priceTable: number | undefined) => priceTable !== undefined && priceTable >= 1 && priceTable <= 8

/** Locks machines against reports and sales, in the order of all transactions. */
export const lockPrices = (db: TenantDb, commands: readonly Pick<PriceCommand, 'merchantId' | 'machineId'>[]) =>
  lockJournals(
    db,
    commands.map(({ merchantId, machineId: id }) => ({ merchantId, id })),
  )

/** Notes what commands carry at the prices of their machines, which the caller has locked. */
export async function noteSentPrices(db: TenantDb, commands: readonly PriceCommand[]): Promise<void> {
  const lines = commands.flatMap((command) => linesOf(command, pricesIn(command.parameters)))
  await writeSent(db, lines)
  for (const { merchantId, machineId, id, createdAt, parameters } of commands) {
    // Without a table the price is for all tables that the machine has.
    const ofAllTables = pricesIn(parameters).filter(({ priceTable }) => priceTable === undefined)
    if (ofAllTables.length === 0) continue
    await sql`update machine_prices price set sent = carried.price, sent_at = ${createdAt}, command_id = ${id}::uuid
      from unnest(${ofAllTables.map(({ selection }) => selection)}::text[], ${ofAllTables.map(({ price }) => price)}::bigint[])
        as carried (selection, price)
      where ${db.own('price')} and price.merchant_id = ${merchantId}::uuid and price.machine_id = ${machineId}::uuid
        and price.selection = carried.selection`.execute(db.query)
  }
}

function linesOf({ merchantId, machineId, id, createdAt }: PriceCommand, prices: readonly CommandPrice[]): Line[] {
  return prices.flatMap(({ selection, priceTable, price }) =>
    isKnownTable(priceTable)
      ? { merchantId, machineId, selection, priceTable: priceTable as number, price, at: createdAt, commandId: id }
      : [],
  )
}

async function writeSent(db: TenantDb, lines: readonly Line[]): Promise<void> {
  if (lines.length === 0) return
  await insertColumns(db.query, {
    table: 'machine_prices',
    columns: [
      ...priceKeyColumns(lines),
      { name: 'gone', type: 'boolean', value: false },
      { name: 'epoch', type: 'int', value: 0 },
      { name: 'seq', type: 'bigint', value: 0 },
      { name: 'sent', type: 'bigint', values: lines.map(({ price }) => price) },
      { name: 'sent_at', type: 'timestamptz', values: lines.map(({ at }) => at?.toISOString()) },
      { name: 'command_id', type: 'uuid', values: lines.map(({ commandId }) => commandId) },
    ],
    tail: `on conflict (merchant_id, machine_id, selection, price_table) do update set
      sent = excluded.sent, sent_at = excluded.sent_at, command_id = excluded.command_id`,
  })
}

/** Earlier commands that are searched for what was sent before. */
const earlierCommands = 20

/**
 * Takes back what cancelled commands carried: each price gets what the machine's last claimed command carried. The caller has locked the
 * machines.
 */
export async function takeBackPrices(
  db: TenantDb,
  cancelled: readonly Pick<PriceCommand, 'merchantId' | 'machineId' | 'id'>[],
): Promise<void> {
  if (cancelled.length === 0) return
  const machineIds = cancelled.map(({ machineId }) => machineId)
  const lines = await db
    .from('machine_prices')
    .where(sql<boolean>`machine_prices.machine_id = any(${machineIds}::uuid[])`)
    .where(sql<boolean>`machine_prices.command_id = any(${cancelled.map(({ id }) => id)}::uuid[])`)
    .select(['merchant_id as merchantId', 'machine_id as machineId', 'selection', 'price_table as priceTable'])
    .execute()
  if (lines.length === 0) return
  const { rows: earlier } = await sql<PriceCommand>`
    select merchant_id as "merchantId", machine_id as "machineId", id, created_at as "createdAt", parameters from (
      select command.*, row_number() over (partition by command.machine_id order by command.created_at desc, command.id desc) as place
      from remote_commands command
      where ${db.own('command')} and command.machine_id = any(${machineIds}::uuid[])
        and command.type = ${sendPricesType} and command.started_at is not null) command
    where place <= ${earlierCommands} order by created_at, id`.execute(db.query)
  const last = new Map<string, Line>()
  for (const command of earlier) {
    for (const price of pricesIn(command.parameters)) {
      const tables = isKnownTable(price.priceTable)
        ? [price.priceTable]
        : price.priceTable === undefined
          ? allTables
          : []
      for (const priceTable of tables)
        for (const line of linesOf(command, [{ ...price, priceTable }]))
          last.set(`${line.machineId} ${line.priceTable} ${line.selection}`, line)
    }
  }
  await writeSent(
    db,
    lines.map(
      (line) =>
        last.get(`${line.machineId} ${line.priceTable} ${line.selection}`) ?? {
          ...line,
          price: null,
          at: null,
          commandId: null,
        },
    ),
  )
}
const allTables = [1, 2, 3, 4, 5, 6, 7, 8] as const

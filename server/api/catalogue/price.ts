import {
  PriceChange,
  type PriceEdit,
  type PriceFilters,
  type PriceRow,
  type PriceSummary,
  type priceOrds,
  type prices,
  type TablePrice,
  type UnusualPrices,
} from '#contract/catalogue/price.ts'
import { ProductError } from '#contract/errors.ts'
import { toWire, toWireOrNull } from '#contract/frame/instant.ts'
import { priceSyncs } from '#contract/vocabulary/catalogue/price.ts'
import { remoteCommandStatuses } from '#contract/vocabulary/remote-command.ts'
import { type PriceRecord, pricesOf, sightsOf } from '#database/catalogue/price.ts'
import { type PriceStep, writeWanted } from '#database/catalogue/price-edit.ts'
import { lastPriceChanges, listPriceChanges } from '#database/catalogue/price-history.ts'
import { lastPriceCommand, sendWantedPrices } from '#database/catalogue/price-sending.ts'
import { selectionsOfMachines } from '#database/catalogue/reported-selections.ts'
import { cancelRemoteCommands, commandsOf } from '#database/commands/remote-command.ts'
import type { Sorted } from '#database/frame/list.ts'
import type { TenantDb } from '#database/frame/tenant.ts'
import { lockJournals } from '#database/ingest/journal.ts'
import { findSettings } from '#database/merchants/merchant-settings.ts'
import { recordChange, recordChanges } from '#database/platform/change-log.ts'
import { priceWarning } from '#domain/catalogue/price-rule.ts'
import { type DatedPrice, isToSend, priceSyncOf, worstSync } from '#domain/catalogue/price-sync.ts'
import type { Handlers, TenantCall } from '#server/http/handler.ts'
import { withShownNames } from '#server/http/redact-names.ts'
import { machineOf } from '#server/http/refuse.ts'
import { isFound, pageIn, sortedRows } from '#server/http/short-list.ts'
import { wireOf } from '#server/http/wire.ts'
import { presentRemoteCommand } from '../commands/remote-command.ts'

const presentSeen = (price: DatedPrice | null) => price && { price: price.price, at: toWire(price.at) }

const lossOf = ({ wrongSince, wrongSales, lost }: PriceRecord): TablePrice['loss'] =>
  wrongSince && wrongSales > 0 ? { since: toWire(wrongSince), sales: wrongSales, lost } : null

function presentPrice(record: PriceRecord): TablePrice {
  const sights = sightsOf(record)
  return {
    priceTable: record.priceTable,
    wanted: record.wanted,
    wantedAt: toWireOrNull(record.wantedAt),
    sent: record.sent === null || !record.sentAt ? null : { price: record.sent, at: toWire(record.sentAt) },
    reported: presentSeen(sights.reported),
    audited: presentSeen(sights.audited),
    charged: presentSeen(sights.charged),
    sync: priceSyncOf(sights, record.pricesSync),
    loss: lossOf(record),
    planned: record.planned.map((one) => ({ ...one, startsAt: toWire(new Date(one.startsAt)) })),
  }
}

const shownPrice = ({ wanted, reported, audited }: TablePrice) => wanted ?? reported?.price ?? audited?.price ?? null

/** One row of a selection for all of its tables. */
function presentRow(selection: string, records: readonly PriceRecord[]): PriceRow {
  const presented = records.map(presentPrice)
  const reports = records.flatMap(({ reportedAt }) => reportedAt?.getTime() ?? [])
  const amounts = presented.map(shownPrice).filter((price) => price !== null)
  return {
    selection,
    product: records.find(({ product }) => product !== null)?.product ?? null,
    productId: records.find(({ productId }) => productId !== null)?.productId ?? null,
    currency: (records[0] as PriceRecord).currency,
    prices: presented,
    sync: worstSync(presented.map(({ sync }) => sync)),
    isDiffering: new Set(amounts).size > 1,
    updatedAt: reports.length > 0 ? toWire(new Date(Math.max(...reports))) : null,
  }
}

/** What a column shows: prices in their table, and how far a selection has come by the rank of its state. */
function valueOf({ prices, ...row }: PriceRow, ord: (typeof priceOrds)[number]) {
  if (ord === 'differing') return row.isDiffering
  if (ord === 'sync') return priceSyncs.indexOf(row.sync)
  if (ord === 'selection' || ord === 'product' || ord === 'updatedAt') return row[ord]
  const price = prices.find(({ priceTable }) => `list${priceTable}` === ord)
  return price ? shownPrice(price) : null
}

/** The prices of a machine by selection, and of them what matches, in order; with its records and price tables. */
export async function pricesMatching(
  db: TenantDb,
  machineId: string,
  query: PriceFilters & Sorted<(typeof priceOrds)[number]>,
) {
  const { search, differing, syncs, selections, ord = 'selection' } = query
  const records = await pricesOf(db, [machineId])
  const all = [...Map.groupBy(records, ({ selection }) => selection)].map(([selection, ofSelection]) =>
    presentRow(selection, ofSelection),
  )
  const matching = all
    .filter(({ isDiffering }) => differing === undefined || isDiffering === differing)
    .filter(({ prices: selectionPrices }) => !syncs?.length || selectionPrices.some(({ sync }) => syncs.includes(sync)))
    .filter(({ selection }) => !selections?.length || selections.includes(selection))
    .filter((row) => isFound(search, row))
  const tables = [...new Set(records.map(({ priceTable }) => priceTable))].sort((one, other) => one - other)
  return { records, all, matching: sortedRows(matching, ord, query, (row) => valueOf(row, ord)), tables }
}

async function summaryOf(call: TenantCall, machineId: string, records: readonly PriceRecord[]): Promise<PriceSummary> {
  const syncs = records.map((record) => priceSyncOf(sightsOf(record), record.pricesSync))
  const count = (sync: (typeof syncs)[number]) => syncs.filter((one) => one === sync).length
  const last = await lastPriceCommand(call.db, machineId)
  const [command] = last ? await withShownNames(call, [last], 'created_by', 'created_by_name') : []
  return {
    sync: count('sync'),
    pending: count('pending'),
    editedOnDevice: count('editedOnDevice'),
    chargedOtherwise: count('chargedOtherwise'),
    unsent: records.filter((record) => isToSend(sightsOf(record), record.pricesSync)).length,
    command: command
      ? {
          id: command.id,
          status: command.status as NonNullable<PriceSummary['command']>['status'],
          result: command.result as NonNullable<PriceSummary['command']>['result'],
          resultInfo: command.result_info,
          createdAt: toWire(command.created_at),
          createdBy: command.created_by_name,
          startedAt: toWireOrNull(command.started_at),
          executedAt: toWireOrNull(command.executed_at),
        }
      : null,
  }
}

/** A machine of which no other user, report or sale writes prices until the transaction ends. */
async function heldMachine({ db, params }: TenantCall & { params: { posId: string } }) {
  const machine = await machineOf(db, params.posId)
  const journals = await lockJournals(db, [{ merchantId: machine.merchant_id, id: machine.id }])
  if (!journals.has(machine.id)) throw new ProductError('MachineNotFound')
  return { merchantId: machine.merchant_id, machineId: machine.id }
}

const keyOf = ({ priceTable, selection }: { priceTable: number; selection: string }) => `${priceTable} ${selection}`
const logged = ({ selection, priceTable }: PriceEdit, price: number | null) => ({ selection, priceTable, price })

/** Refuses target prices of selections that the machine does not have. A machine that has reported none takes any. */
async function refuseUnknown(db: TenantDb, machineId: string, edits: readonly PriceEdit[]): Promise<void> {
  const machineSelections = (await selectionsOfMachines(db, [machineId])).get(machineId)
  const unknown = edits.filter(
    ({ selection, price }) => price !== null && machineSelections !== undefined && !machineSelections.has(selection),
  )
  const selections = [...new Set(unknown.map(({ selection }) => selection))].join(', ')
  if (selections !== '') throw new ProductError('SelectionsNotFound', { selections })
}

/** Refuses prices that need a confirmation of their own and have none. */
async function refuseUnusual(
  db: TenantDb,
  merchantId: string,
  edits: readonly PriceEdit[],
  records: ReadonlyMap<string, PriceRecord>,
): Promise<void> {
  const band = (await findSettings(db, merchantId))?.priceBandPercent
  if (band === undefined) throw new ProductError('MachineNotFound')
  const unusual = edits.flatMap((edit): UnusualPrices['prices'] => {
    const { selection, priceTable, price, isConfirmed } = edit
    if (price === null || isConfirmed) return []
    const record = records.get(keyOf(edit))
    const before = record?.wanted ?? record?.reported ?? record?.audited ?? null
    const warning = priceWarning(before, price, band)
    return warning === null ? [] : [{ selection, priceTable, before, price, warning }]
  })
  if (unusual.length > 0) throw new ProductError('PricesUnusual', { prices: unusual } satisfies UnusualPrices)
}

/** Log and announcements of commands that were sent. */
export async function announceSent(call: Pick<TenantCall, 'db' | 'user' | 'now' | 'live'>, ids: readonly string[]) {
  const { db, user, now, live } = call
  const commands = (await commandsOf(db, [...ids])).map(presentRemoteCommand)
  await recordChanges(
    db,
    commands.map((command) => ({
      merchantId: command.merchantId,
      at: now,
      user,
      action: 'remoteCommand.send',
      subjectType: 'remoteCommand',
      subjectId: command.id,
      after: command,
    })),
  )
  db.afterCommit(() => {
    for (const { merchantId, posId } of commands) {
      live.announce(merchantId, 'command', posId)
      live.announce(merchantId, 'price', posId)
      live.announceToGateways(merchantId, 'commandWaiting', posId)
    }
  })
}

export const priceHandlers: Handlers<typeof prices> = {
  listPrices: async (call) => {
    const { db, params, query } = call
    await machineOf(db, params.posId)
    const { records, all, matching, tables } = await pricesMatching(db, params.posId, query)
    return {
      ...pageIn(matching, query),
      priceTables: tables,
      differing: all.filter(({ isDiffering }) => isDiffering).length,
      summary: await summaryOf(call, params.posId, records),
    }
  },

  updatePrices: async (call) => {
    const { db, body, user, now, live } = call
    const machine = await heldMachine(call)
    const records = new Map((await pricesOf(db, [machine.machineId])).map((record) => [keyOf(record), record]))
    const currentOf = (edit: PriceEdit) => records.get(keyOf(edit))?.wanted ?? null
    // Another user's change to the same price is no conflict.
    const isOvertaken = (edit: PriceEdit) => currentOf(edit) !== edit.before && currentOf(edit) !== edit.price
    const changed = body.edits.filter((edit) => !isOvertaken(edit) && currentOf(edit) !== edit.price)
    await refuseUnknown(db, machine.machineId, changed)
    await refuseUnusual(db, machine.merchantId, changed, records)
    const steps = changed.map(
      ({ selection, priceTable, before, price }): PriceStep => ({
        ...machine,
        selection,
        priceTable,
        before,
        after: price,
      }),
    )
    await writeWanted(db, steps, { at: now, source: 'edit', user })
    if (steps.length > 0) {
      await recordChange(db, {
        merchantId: machine.merchantId,
        at: now,
        user,
        action: 'price.update',
        subjectType: 'price',
        subjectId: machine.machineId,
        before: { prices: changed.map((edit) => logged(edit, edit.before)) },
        after: { prices: changed.map((edit) => logged(edit, edit.price)) },
      })
      db.afterCommit(() => live.announce(machine.merchantId, 'price', machine.machineId))
    }
    const overtaken = body.edits.filter(isOvertaken)
    const last = await withShownNames(
      call,
      await lastPriceChanges(
        db,
        machine.machineId,
        overtaken.map(({ selection }) => selection),
      ),
      'changed_by',
      'changed_by_name',
    )
    return {
      saved: body.edits.length - overtaken.length,
      conflicts: overtaken.map((edit) => {
        const by = last.find(
          ({ selection, price_table }) => selection === edit.selection && price_table === edit.priceTable,
        )
        return {
          selection: edit.selection,
          priceTable: edit.priceTable,
          current: currentOf(edit),
          changedBy: by?.changed_by_name ?? null,
          changedAt: by ? toWire(by.at) : null,
        }
      }),
    }
  },

  sendPrices: async (call) => {
    const { db, user, now } = call
    const { machineId } = await heldMachine(call)
    const [outcome] = await sendWantedPrices(db, [machineId], { ...user, at: now })
    if (!outcome) throw new ProductError('NothingToSend')
    const { commandId, sent, left } = outcome
    if (commandId === null) throw new ProductError('RemoteCommandPending')
    await announceSent(call, [commandId])
    return { commandId, sent, left }
  },

  cancelPrices: async (call) => {
    const { db, user, now, live } = call
    const { merchantId, machineId } = await heldMachine(call)
    const last = await lastPriceCommand(db, machineId)
    const isUnderWay =
      last && (last.status === remoteCommandStatuses.scheduled || last.status === remoteCommandStatuses.running)
    if (!isUnderWay) throw new ProductError('NothingToSend')
    if (!(await cancelRemoteCommands(db, [last.id])).has(last.id)) throw new ProductError('RemoteCommandNotCancellable')
    const [command] = (await commandsOf(db, [last.id])).map(presentRemoteCommand)
    await recordChange(db, {
      merchantId,
      at: now,
      user,
      action: 'remoteCommand.cancel',
      subjectType: 'remoteCommand',
      subjectId: last.id,
      after: command,
    })
    db.afterCommit(() => {
      for (const topic of ['command', 'price'] as const) live.announce(merchantId, topic, machineId)
    })
    return undefined
  },

  listPriceChanges: async (call) => {
    const { db, params, query } = call
    await machineOf(db, params.posId)
    const { rows, total, capped } = await listPriceChanges(db, params.posId, query)
    const named = await withShownNames(call, rows, 'changed_by', 'changed_by_name')
    const items = named.map((row) => wireOf(PriceChange, row, { changedBy: row.changed_by_name }))
    return { items, total, capped }
  },
}

import { ProductError } from '#contract/errors.ts'
import {
  PosSums,
  type StatsFilters,
  type StatsStep,
  Sums,
  SumsBefore,
  type transactions,
  type UsedCode,
} from '#contract/sales/transaction.ts'
import { countLimit, type Page } from '#database/frame/list.ts'
import type { TenantDb } from '#database/frame/tenant.ts'
import { firstDayOf } from '#database/sales/first-day.ts'
import {
  codesUsed,
  noPriceTable,
  priceTablesUsed,
  productsUsed,
  type SumsRecord,
  seriesOfPeriod,
  sumsBefore,
  sumsByMachine,
  totalsOfPeriod,
  type UsedColumn,
} from '#database/sales/sales-stats.ts'
import { findTransaction, listTransactions } from '#database/sales/transaction.ts'
import { stepFor } from '#domain/sales/stats-step.ts'
import { comparedPeriods, periodsWithData } from '#domain/time/comparison.ts'
import type { Handlers } from '#server/http/handler.ts'
import { refuseReversed } from '#server/http/refuse.ts'
import type { Principal } from '#server/http/scope.ts'
import { wireOf } from '#server/http/wire.ts'
import { presentTransaction } from './present-transaction.ts'

const presentSums = (row: SumsRecord): Sums => wireOf(Sums, row)

/** A machine without sales in the compared periods had none. */
const presentBefore = (row: { value: number; count: number; free_count: number; error_count: number } | undefined) =>
  row ? wireOf(SumsBefore, row) : { value: 0, count: 0, freeCount: 0, errorCount: 0 }

async function used(db: TenantDb, query: StatsFilters, column: UsedColumn): Promise<UsedCode[]> {
  refuseReversed(query)
  const rows = await codesUsed(db, query, column)
  return rows.map((row) => ({ ...presentSums(row), code: row.code }))
}

/** One page of matching transactions. */
async function pageOfTransactions({
  db,
  query,
  user,
}: {
  db: TenantDb
  user: Principal
  query: Parameters<typeof listTransactions>[1] & Page
}) {
  refuseReversed(query)
  const { rows, ...page } = await listTransactions(db, query, query)
  return { items: rows.map((row) => presentTransaction(row, user)), ...page }
}

export const transactionHandlers: Handlers<typeof transactions> = {
  listTransactions: pageOfTransactions,
  listTransactionPages: pageOfTransactions,

  listAllTransactions: async ({ db, query, config, user }) => {
    const size = Math.min(config.EXPORT_MAX_RESULTS, countLimit)
    const { items, next } = await pageOfTransactions({ db, user, query: { ...query, page: 1, size } })
    return { items, total: items.length, capped: next !== null }
  },

  getTransaction: async ({ db, params, user }) => {
    const transaction = await findTransaction(db, params.transactionId)
    if (!transaction) throw new ProductError('TransactionNotFound')
    return presentTransaction(transaction, user)
  },

  statsOfPeriod: async ({ db, query }) => {
    refuseReversed(query)
    const step: StatsStep = query.step ?? stepFor(query)
    const totals = await totalsOfPeriod(db, query)
    const series = await seriesOfPeriod(db, query, step)
    return {
      step,
      totals: totals.map(presentSums),
      series: series.map((row) => ({ ...presentSums(row), start: row.start })),
    }
  },

  dataBegins: async ({ db, query }) => ({ firstDay: await firstDayOf(db, query) }),

  statsByPos: async ({ db, query }) => {
    refuseReversed(query)
    const { compare, preset, ...filters } = query
    const periods = compare
      ? periodsWithData(comparedPeriods(compare, filters, preset), await firstDayOf(db, filters))
      : []
    const { rows, total, capped } = await sumsByMachine(db, filters, filters, periods)
    const ids = rows.map((row) => row.machine_id)
    const before = await sumsBefore(db, filters, periods, ids)
    const items = rows.map((row) =>
      wireOf(PosSums, row, {
        before: periods.length > 0 ? presentBefore(before.get(row.machine_id)) : null,
        posId: row.machine_id,
        posName: row.name,
        posSerial: row.serial,
      }),
    )
    return { items, total, capped }
  },

  typesUsed: ({ db, query }) => used(db, query, 'type'),
  mediaTypesUsed: ({ db, query }) => used(db, query, 'media_type'),
  mediaSourcesUsed: ({ db, query }) => used(db, query, 'media_source'),

  productsUsed: async ({ db, query }) => {
    refuseReversed(query)
    const rows = await productsUsed(db, query)
    return rows.map((row) => ({ ...presentSums(row), product: row.product === '' ? null : row.product }))
  },

  priceTablesUsed: async ({ db, query }) => {
    refuseReversed(query)
    const rows = await priceTablesUsed(db, query)
    return rows.map((row) => ({ ...presentSums(row), code: row.code === noPriceTable ? null : row.code }))
  },
}

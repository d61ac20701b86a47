import { Deposit, DepositedCollection, DepositRow, type deposits, NewDeposit } from '#contract/cash/deposit.ts'
import { ProductError } from '#contract/errors.ts'
import { allMerchants } from '#contract/vocabulary/merchant.ts'
import {
  type DepositRecord,
  depositList,
  findDeposit,
  holdDepositable,
  writeDeposited,
} from '#database/cash/deposit.ts'
import { depositStatusOf, mayDeposit } from '#domain/cash/deposit.ts'
import { editable } from '#server/http/editable.ts'
import type { Handlers, TenantCall } from '#server/http/handler.ts'
import { refuseReversed } from '#server/http/refuse.ts'
import { wireOf } from '#server/http/wire.ts'
import { refuseField } from './refuse-field.ts'

/** Bank deposits. */
export const depositRecord = editable({
  noun: 'deposit',
  rows: { ...depositList, find: findDeposit },
  fields: NewDeposit,
  storedApart: { collectionIds: writeDeposited },
  present: (deposit: DepositRecord): Deposit =>
    wireOf(Deposit, deposit, {
      status: depositStatusOf(deposit),
      collections: deposit.collections.map((row) =>
        wireOf(DepositedCollection, row, { posId: row.machine_id, posName: row.machine_name }),
      ),
    }),
  presentRow: (row: Awaited<ReturnType<typeof depositList.list>>['rows'][number]) =>
    wireOf(DepositRow, row, { status: depositStatusOf(row) }),
  duplicates: { deposits_by_reference: ['DepositReferenceTaken', 'reference'] },
})

/** Refuses a credit without its day, and a day without a credit. */
function refuseHalfCredit({ day, credited, creditedOn }: NewDeposit) {
  if ((credited === null) !== (creditedOn === null))
    refuseField(credited === null ? 'credited' : 'creditedOn', 'required')
  if (creditedOn !== null && creditedOn < day) refuseField('day', 'smallerOrEqual', { other: creditedOn })
}

/** Refuses collections that are not counted, or whose money is in another deposit. `id`: of the deposit itself. */
async function refuseUndepositable({ db, body }: TenantCall & { body: NewDeposit }, merchantId: string, id?: string) {
  if (body.collectionIds.length === 0) return
  const held = await holdDepositable(db, merchantId, body.collectionIds)
  if (held.length < body.collectionIds.length) throw new ProductError('CollectionNotFound')
  for (const { status, deposit } of held) {
    if (!mayDeposit(status)) throw new ProductError('CollectionNotCounted')
    if (deposit && deposit.id !== id) throw new ProductError('CollectionDeposited', { reference: deposit.reference })
  }
}

export const depositHandlers: Handlers<typeof deposits> = {
  ...depositRecord.handlers,

  listDeposits: async (call) => {
    refuseReversed(call.query)
    return depositRecord.handlers.listDeposits(call)
  },

  createDeposit: async (call) => {
    if (call.params.merchantId === allMerchants) throw new ProductError('MerchantNotSelected')
    refuseHalfCredit(call.body)
    await refuseUndepositable(call, call.params.merchantId)
    return depositRecord.create(call, call.params.merchantId, call.body)
  },

  updateDeposit: async (call) => {
    const { merchant_id: merchantId, id } = await depositRecord.of(call.db, call.params.depositId)
    refuseHalfCredit(call.body)
    await refuseUndepositable(call, merchantId, id)
    return depositRecord.update(call, id, call.body)
  },
}

import { randomUUID } from 'node:crypto'
import type { TestClient } from '#testkit/api.ts'
import type { TestDatabase } from '#testkit/database.ts'
import type { Visited } from './machine-days.ts'

/** Technicians save their visits: what they loaded at managed machines, and the bag number. */
export async function saveVisits(admin: TestDatabase['admin'], as: TestClient, visits: readonly Visited[]) {
  const machines = await admin<{ serial: string; id: string; merchant_id: string; managed: boolean }>(
    `select m.serial, m.id, m.merchant_id, m.manage_stock as managed from machines m
     join merchant_features f on f.merchant_id = m.merchant_id and 'productStock' = any(f.features) where m.serial = any($1)`,
    [visits.map(({ serial }) => serial)],
  )
  for (const { serial, at, loaded, bagNumber } of visits) {
    const machine = machines.find((one) => one.serial === serial)
    if (!machine) continue
    const { selections } = await as.getVisitPlan({ params: { merchantId: machine.merchant_id, posId: machine.id } })
    const offered = new Set(selections.map(({ selection }) => selection))
    const lines = loaded
      .filter(({ selection }) => machine.managed && offered.has(selection))
      .map(({ selection, pieces }) => ({ selection, planned: pieces, loaded: pieces, waste: 0, counted: null }))
    if (lines.length === 0 && bagNumber === null) continue
    await as.createVisit({
      params: { merchantId: machine.merchant_id, posId: machine.id },
      body: {
        id: randomUUID(),
        at: new Date(at).toISOString(),
        lines,
        cashTaken: bagNumber !== null,
        bagNumber,
      },
    })
  }
}

/** The counting room counts the day's bags: most are right, one lacks money. Those that are right are closed. */
export async function countBags(as: TestClient, merchantIds: readonly string[], from: Date) {
  for (const merchantId of merchantIds) {
    const { items } = await as.listCashCollections({ params: { merchantId }, query: { statuses: ['open'], size: 100 } })
    const today = items.filter(({ at, expected }) => new Date(`${at}Z`) >= from && expected !== null)
    for (const [place, { id, version, expected }] of today.entries()) {
      // The fourth bag stays uncounted, so that open and closed ones are compared.
      if (place % 4 === 3) continue
      const params = { merchantId, collectionId: id }
      const { lines } = await as.getCashCollection({ params })
      let left = Math.max(0, (expected ?? 0) - (place % 4 === 1 ? 5000 : 0))
      const pieces = lines
        .map(({ value }) => value)
        .sort((one, other) => other - one)
        .map((value) => {
          const count = Math.floor(left / value)
          left -= count * value
          return { value, count }
        })
      const body = { version, pieces: pieces.filter(({ count }) => count > 0), close: place % 4 !== 1 }
      await as.countCashCollection({ params, body })
    }
  }
}

/** Staff refund charged vends that failed, each once, and give some media a little in a batch. */
export async function refundFailedVends(admin: TestDatabase['admin'], as: TestClient, from: Date) {
  const failed = await admin<{ merchant_id: string; id: string; value: number; media_id: string; currency: 'EUR' }>(
    `select t.merchant_id, t.id, t.value::int, d.id as media_id, m.currency from transactions t
     join medias d on d.merchant_id = t.merchant_id and d.serial = t.media_serial join merchants m on m.id = t.merchant_id
     where t.saved_at >= $1 and t.error_sale and t.value > 0 and d.status = 0
     order by t.created_at, t.id limit 4`,
    [from],
  )
  for (const { merchant_id: merchantId, media_id: mediaId, id: transactionId, value: amount, currency } of failed) {
    const refund = { amount, currency, reason: 'The product got stuck' }
    await as.refundMedia({ params: { merchantId, mediaId }, body: { id: randomUUID(), refund, transactionId } })
  }
  const [first] = failed
  if (!first) return
  const media = await admin<{ serial: string }>(
    `select serial from medias where merchant_id = $1 and status = 0 order by serial limit 3`,
    [first.merchant_id],
  )
  await as.refundBatch({
    params: { merchantId: first.merchant_id },
    body: {
      id: randomUUID(),
      mediaSerials: media.map(({ serial }) => serial),
      refund: { amount: 50, currency: first.currency, reason: 'Sorry for yesterday' },
    },
  })
}

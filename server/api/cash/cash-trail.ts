import { type CashTrail, type cashTrails, mostTrailDays } from '#contract/cash/cash-trail.ts'
import { ProductError } from '#contract/errors.ts'
import { toWire, toWireOrNull } from '#contract/frame/instant.ts'
import type { Currency } from '#contract/vocabulary/world/currencies.ts'
import { endBefore, readingAt, type TrailEnd, trailEnd, trailFacts } from '#database/cash/cash-trail.ts'
import { findCollections } from '#database/cash/collection-list.ts'
import type { TenantDb } from '#database/frame/tenant.ts'
import { type TrailReading, trailOf } from '#domain/cash/cash-trail.ts'
import { differenceOf } from '#domain/cash/collection-count.ts'
import { localDayOf } from '#domain/time/local-hour.ts'
import type { Handlers } from '#server/http/handler.ts'
import { machineOf, refuseBoxes } from '#server/http/refuse.ts'

const dayMs = 86_400_000
const wireOfMs = (ms: number) => toWire(new Date(ms))

interface Home {
  id: string
  merchant_id: string
  currency: Currency
  time_zone: string
}

const presentReading = ({ at, box, tubes }: TrailReading) => ({ at: wireOfMs(at), box: box ?? 0, tubes })

/** The trail from the collection before `end`, or from the machine's last one to now. */
async function trailBefore(
  db: TenantDb,
  home: Home,
  now: Date,
  end?: TrailEnd,
): Promise<Omit<CashTrail, 'collection'>> {
  const { currency, time_zone: timeZone, id: posId } = home
  const from = await endBefore(db, home, end)
  const until = end?.until ?? now
  const common = { currency, timeZone, posId, until: toWireOrNull(end?.until ?? null) }
  if (!from) return { ...common, from: null, isCut: false, base: null, steps: [], parted: null }
  const earliest = new Date(until.getTime() - mostTrailDays * dayMs)
  const isCut = from.until < earliest
  const atCollection = isCut ? null : await readingAt(db, home, from)
  // What the report at the collection says is before.
  const after = isCut ? earliest : atCollection ? new Date(atCollection.at) : from.until
  // A later report is of the emptied box.
  const readUntil = end ? new Date(Math.min(end.until.getTime(), (end.reading_since ?? end.at).getTime())) : until
  const facts = await trailFacts(db, home, { after, readUntil, until })
  const { base, steps, parted } = trailOf(
    { base: atCollection, ...facts },
    (one, other) => localDayOf(one, timeZone) === localDayOf(other, timeZone),
  )
  return {
    ...common,
    from: { collectionId: from.id, at: toWire(isCut ? earliest : from.until) },
    isCut,
    base: base && presentReading(base),
    steps: steps.map(({ reading, ...step }) => ({
      ...step,
      at: reading && wireOfMs(reading.at),
      box: reading && reading.box,
      tubes: reading && reading.tubes,
    })),
    parted: parted && { ...parted, after: wireOfMs(parted.after), at: wireOfMs(parted.at) },
  }
}

export const cashTrailHandlers: Handlers<typeof cashTrails> = {
  getCashTrail: async ({ db, params, now }) => {
    const machine = await machineOf(db, params.posId)
    refuseBoxes(db, machine.merchant_id)
    const home = { ...machine, currency: machine.currency as Currency }
    return { ...(await trailBefore(db, home, now)), collection: null }
  },

  getCollectionTrail: async ({ db, params, now }) => {
    const { collectionId } = params
    const end = await trailEnd(db, collectionId)
    const row = (await findCollections(db, [collectionId], false)).get(collectionId)
    if (!end || !row) throw new ProductError('CollectionNotFound')
    if (row.is_withheld) throw new ProductError('CountedBlind')
    const home = { id: row.machine_id, merchant_id: row.merchant_id, currency: row.currency, time_zone: row.time_zone }
    const { id, at, status, expected, counted_total } = row
    return {
      ...(await trailBefore(db, home, now, end)),
      collection: {
        id,
        at: toWire(at),
        status,
        expected,
        counted: counted_total,
        difference: differenceOf(counted_total, expected),
      },
    }
  },
}

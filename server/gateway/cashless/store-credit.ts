import { createHash } from 'node:crypto'
import type { CreditItem } from '#contract/device-protocol.ts'
import { ownMediaTypes } from '#contract/vocabulary/cashless.ts'
import { addCredit, type NewCredit } from '#database/cashless/credit.ts'
import { type Finding, insertFindings } from '#database/cashless/finding.ts'
import { type NewReading, noteReadings } from '#database/cashless/key-reading.ts'
import { accountsOf } from '#database/cashless/ledger.ts'
import type { SeenMedia } from '#database/cashless/media.ts'
import { type MediaUse, noteMedia, noteUses } from '#database/cashless/media-sight.ts'
import { type Claim, settleClaims, successorsOf } from '#database/cashless/reservation.ts'
import { type TenantDb, withinScope } from '#database/frame/tenant.ts'
import type { ItemHead, SaleRow } from '#database/ingest/ingest.ts'
import type { KnownMachine } from '#database/machines/machine-directory.ts'
import { keyChangeOf } from '#domain/cashless/key-counter.ts'
import { mediaSerialOf } from '#domain/cashless/media-serial.ts'

export interface CreditRow extends ItemHead {
  credit: CreditItem
  /** Refuses the item: it is set aside as a complete copy. */
  refuse(detail: string): void
}

/** What a sale or a credit item says about a medium. */
interface Said {
  machineId: string
  at: number
  sourceId: string
  serial: string | null
  type: number
  /** Of its merchant's media; without the feature nothing is registered. */
  isOwn: boolean
  claim: Claim | null
  key: { credit: number; counter: number; change: number } | null
  recharge: { row: CreditRow; amount: number } | null
}

/**
 * Settles, releases and collects reservations, credits recharges, and notes media, their last use and their keys. A batch locks in this order:
 * journals (the caller), new media, accounts of the ledger, media. Returns the machines that had to do with media.
 */
export async function storeCredit(
  db: TenantDb,
  { sale, credit }: { sale: readonly SaleRow[]; credit: readonly CreditRow[] },
  machines: ReadonlyMap<string, KnownMachine>,
  now: Date,
): Promise<{ merchantId: string; machineId: string }[]> {
  const reported = [
    ...sale.flatMap((row) => {
      const { mediaSerial, reservationId } = row.sale
      return mediaSerial === undefined && reservationId === undefined ? [] : [[row, saidBySale(row)] as const]
    }),
    ...credit.map((row) => [row, saidByItem(row)] as const),
  ]
  if (reported.length === 0) return []
  const byMerchant = [...Map.groupBy(reported, ([{ merchantId }]) => merchantId)]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([merchantId, some]) => ({
      merchantId,
      tenantDb: withinScope(db, [{ merchantId, groups: 'all' }]),
      some: some.map(([, each]) => ({
        ...each,
        isOwn: each.isOwn && (machines.get(each.machineId)?.hasMedia ?? false),
      })),
    }))
  // New media of all merchants before any account is locked.
  const ids = new Map<string, Map<string, string>>()
  for (const { merchantId, tenantDb, some } of byMerchant)
    ids.set(
      merchantId,
      await noteMedia(
        tenantDb,
        merchantId,
        some.flatMap((each) => seenOf(each, machines, now)),
      ),
    )
  const uses: MediaUse[] = []
  for (const { merchantId, tenantDb, some } of byMerchant) {
    const mediaIds = ids.get(merchantId) ?? new Map<string, string>()
    const idOf = ({ serial, isOwn }: Said) => (isOwn && serial !== null ? mediaIds.get(serial) : undefined)
    const recharges = await rechargesOf(tenantDb, merchantId, some, idOf)
    await settle(tenantDb, merchantId, some, { idOf, recharges })
    if (recharges.length > 0) await addCredit(tenantDb, merchantId, recharges, now)
    const readings: NewReading[] = []
    for (const each of some) {
      const mediaId = idOf(each)
      if (!mediaId) continue
      const { machineId: posId, serial, type, at, key, sourceId } = each
      uses.push({ merchantId, mediaId, serial: serial as string, type, posId, at, key })
      if (key) readings.push({ ...key, mediaId, posId, at, sourceId })
    }
    await noteReadings(tenantDb, merchantId, readings)
    await insertFindings(
      tenantDb,
      merchantId,
      readings.flatMap((reading) => implausible(reading, machines.get(reading.posId))),
    )
  }
  await noteUses(db, uses)
  return reported.map(([{ merchantId, machineId }]) => ({ merchantId, machineId }))
}

/** Money on a key is the machine's own; above the limits of credit in the cloud it is stored as read, with a finding. */
function implausible(
  { mediaId, posId, at, sourceId, credit, change }: NewReading,
  machine: KnownMachine | undefined,
): Finding[] {
  if (!machine || (credit <= machine.limits.largestBalance && change <= machine.limits.largestRecharge)) return []
  const key = `keyCreditAboveLimit ${sourceId}`
  return [{ mediaId, kind: 'keyCreditAboveLimit', key, at: new Date(at), posId, amount: credit }]
}

const keyOf = (credit: number | undefined, counter: number | undefined, change: number) =>
  credit === undefined || counter === undefined ? null : { credit, counter, change }

function saidBySale({ sale, ...row }: SaleRow): Said {
  const { reservationId, mediaSerial, mediaType: type, value, keyCredit, keyCounter } = sale
  const { machineId, at, id: sourceId } = row
  return {
    machineId,
    at,
    sourceId,
    type,
    serial: mediaSerialOf(mediaSerial),
    isOwn: ownMediaTypes.includes(type),
    claim:
      reservationId === undefined
        ? null
        : {
            reservationId,
            posId: machineId,
            paid: Math.max(0, value),
            at: new Date(at),
            sourceId,
            transactionId: sourceId,
          },
    key: keyOf(keyCredit, keyCounter, keyChangeOf(sale)),
    recharge: null,
  }
}

function saidByItem(row: CreditRow): Said {
  const { credit, machineId, at } = row
  const sourceId = sourceOf(row)
  const claimOf = (reservationId: string, paid: number): Claim => ({
    reservationId,
    posId: machineId,
    paid,
    at: new Date(at),
    sourceId,
  })
  const base = { machineId, at, sourceId, serial: null, type: 0, isOwn: false, claim: null, key: null, recharge: null }
  if (credit.action === 'release') return { ...base, claim: claimOf(credit.reservationId, 0) }
  const serial = mediaSerialOf(credit.mediaSerial)
  const { keyCredit, keyCounter } = credit
  if (credit.action === 'collected') {
    const { reservationId, amount } = credit
    // A medium that collects is registered: it had credit.
    const key = keyOf(keyCredit, keyCounter, amount)
    return { ...base, serial, type: 2, isOwn: true, claim: claimOf(reservationId, amount), key }
  }
  const mediaRow = { ...base, serial, type: credit.mediaType, isOwn: ownMediaTypes.includes(credit.mediaType) }
  if (credit.action === 'key') return { ...mediaRow, key: keyOf(keyCredit, keyCounter, 0) }
  const { amount, to } = credit
  if (to === 'key') return { ...mediaRow, key: keyOf(keyCredit, keyCounter, amount) }
  return { ...mediaRow, key: keyOf(keyCredit, keyCounter, 0), recharge: { row, amount } }
}

/** The id of an item by its number: an item that is replayed has the same effect once. */
function sourceOf({ machineId, epoch, seq }: CreditRow): string {
  const digest = createHash('sha256').update(`credit ${machineId} ${epoch} ${seq}`).digest('hex')
  return `${digest.slice(0, 8)}-${digest.slice(8, 12)}-8${digest.slice(13, 16)}-8${digest.slice(17, 20)}-${digest.slice(20, 32)}`
}

function seenOf(each: Said, machines: ReadonlyMap<string, KnownMachine>, at: Date): SeenMedia[] {
  const { serial, type, isOwn, machineId: posId } = each
  if (serial === null || !isOwn) return []
  const originSerial = machines.get(posId)?.serial
  return [{ serial, type, origin: 'machine', originSerial, posId, at }]
}

/** Recharges of media in the cloud; those of a lost medium are its replacement's. Others are refused. */
async function rechargesOf(
  db: TenantDb,
  merchantId: string,
  some: readonly Said[],
  idOf: (each: Said) => string | undefined,
): Promise<NewCredit[]> {
  const paid = some.filter(({ recharge }) => recharge !== null)
  if (paid.length === 0) return []
  const successors = await successorsOf(db, merchantId, [...new Set(paid.flatMap((each) => idOf(each) ?? []))])
  return paid.flatMap((each) => {
    const { recharge, machineId: posId, sourceId, at } = each
    const mediaId = idOf(each)
    if (!recharge) return []
    if (!mediaId) {
      recharge.row.refuse('a recharge in the cloud of no medium that its merchant could register')
      return []
    }
    return {
      kind: 'machineRecharge',
      key: `recharge ${sourceId}`,
      mediaId: successors.get(mediaId) ?? mediaId,
      credit: recharge.amount,
      from: { kind: 'machine', ownerId: posId },
      cause: { at: new Date(at), posId },
    } satisfies NewCredit
  })
}

async function settle(
  db: TenantDb,
  merchantId: string,
  some: readonly Said[],
  { idOf, recharges }: { idOf: (each: Said) => string | undefined; recharges: readonly NewCredit[] },
): Promise<void> {
  const claims = some.flatMap(({ claim }) => claim ?? [])
  if (claims.length === 0) return
  const furtherAccounts = recharges.flatMap(({ mediaId, from }) => [...accountsOf(mediaId), from])
  const unknown = new Set(await settleClaims(db, merchantId, claims, furtherAccounts))
  await insertFindings(
    db,
    merchantId,
    some.flatMap((each) => {
      const mediaId = idOf(each)
      const { claim } = each
      if (!mediaId || !claim || !unknown.has(claim) || claim.paid === 0) return []
      const { reservationId, sourceId, at, posId, paid } = claim
      return {
        mediaId,
        kind: 'settlementWithoutReservation' as const,
        at,
        posId,
        amount: paid,
        key: `settlementWithoutReservation ${reservationId} ${sourceId}`,
        facts: { reservationId },
      }
    }),
  )
}

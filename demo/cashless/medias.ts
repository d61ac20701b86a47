import { sql } from 'kysely'
import { mediaTypes } from '#contract/vocabulary/transaction.ts'
import { addCredit, type NewCredit, replaceMedia } from '#database/cashless/credit.ts'
import { insertFindings } from '#database/cashless/finding.ts'
import { changeMediaStatus } from '#database/cashless/media.ts'
import { moveOwner } from '#database/cashless/media-acts.ts'
import { insertRefunds, type StoredRefund } from '#database/cashless/refund.ts'
import { settleClaims } from '#database/cashless/reservation.ts'
import { insertRows } from '#database/frame/bulk-insert.ts'
import type { Doors, TenantDb } from '#database/frame/tenant.ts'
import { type Random, randomFrom } from '#simulator/random.ts'
import { type DemoMerchant, demoMerchants } from '../operators/merchants.ts'
import { authorsAt } from '../operators/people.ts'
import { uuidAt } from '../write/uuid.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const mostMedias = 120

const people = {
  it: 'Giulia Conti,Marco Ferri,Sara Galli,Luca Marini,Elena Riva,Paolo Testa,Anna Villa,Davide Serra,Chiara Monti,Andrea Longo',
  es: 'Lucía Torres,Diego Ramos,Elena Cruz,Javier Soto,Carmen Vega,Pablo Ríos,Sofía Luna,Andrés Mora,Marta Gil,Hugo Peña',
  en: 'Jana Novak,Petr Svoboda,Eva Dvorak,Tomas Cerny,Lucie Kral,Jan Horak,Marie Nemec,Karel Benes,Alena Urban,Milan Fiala',
} as const
const reasons = { it: 'Lattina incastrata', es: 'La lata se atascó', en: 'The can got stuck' } as const

/** A key or card as the history used it. */
interface Used {
  serial: string
  type: number
  count: number
  first: Date
  last: Date
  pos_id: string
}

interface Seeding {
  db: TenantDb
  merchant: DemoMerchant
  random: Random
  until: number
}

/**
 * Media of the demo's history: those most used are registered, with customers, recharges, refunds in each state, a blocked card and a lost
 * key. Does nothing for a merchant that has media, or lacks the feature.
 */
export async function addMedias(doors: Doors, { until, seed }: { until: number; seed: string }): Promise<void> {
  for (const merchant of demoMerchants.filter(({ features }) => features.includes('customerMedia')))
    await doors.withTenant([{ merchantId: merchant.id, groups: 'all' }], async (db) => {
      if (await db.from('medias').select('id').limit(1).executeTakeFirst()) return
      const seeding = { db, merchant, random: randomFrom(`${seed} medias ${merchant.id}`), until }
      const medias = await insertMedias(seeding)
      if (medias.length < 20) return
      await recharge(seeding, medias)
      await refund(seeding, medias)
      await lose(seeding, medias)
    })
}

async function usedMedias({ db, merchant, until }: Seeding): Promise<Used[]> {
  const { rows } = await sql<Used>`
    select t.media_serial as serial, min(t.media_type)::int as type, count(*)::int as count, min(t.created_at) as first,
      max(t.created_at) as last, (array_agg(t.machine_id order by t.created_at desc))[1] as pos_id
    from transactions t
    where ${db.own('t')} and t.merchant_id = ${merchant.id} and t.media_type in (${sql.join([mediaTypes.key, mediaTypes.card, mediaTypes.mifare].map((type) => sql.lit(type)))})
      and t.media_serial is not null and t.media_serial <> 'FFFFFFFF' and t.created_at > ${new Date(until - 5 * dayMs)}
    group by 1
    order by bool_or(t.error_sale and t.value > 0 and t.created_at > ${new Date(until - dayMs)}) desc, count(*) desc, 1
    limit ${mostMedias}`.execute(db.query)
  return rows
}

interface Medium extends Used {
  id: string
}

async function insertMedias(seeding: Seeding): Promise<Medium[]> {
  const { db, merchant, random, until } = seeding
  const used = await usedMedias(seeding)
  const names = people[merchant.speech].split(',')
  const customers = names.map((name, index) => ({ id: uuidAt(until - (90 - index) * dayMs, random), name }))
  await insertRows(
    db.query,
    'customers',
    [
      'merchant_id',
      'id',
      'name',
      'email',
      'language',
      'external_user_id',
      'consent_analysis',
      'consent_analysis_at',
      'consent_communications',
      'consent_communications_at',
      'consent_quality',
      'created_at',
    ],
    customers.map(({ id, name }, index) => {
      const at = new Date(until - (90 - index) * dayMs)
      const email = `${name
        .normalize('NFD')
        .replace(/[^\w ]/g, '')
        .toLowerCase()
        .replace(' ', '.')}@example.com`
      const consents = [index % 3 !== 0, index % 3 === 0 ? null : at, index % 2 === 0, index % 2 === 0 ? at : null]
      return [
        merchant.id,
        id,
        name,
        email,
        merchant.language === 'it' ? 'it' : 'es',
        `U-${1000 + index}`,
        ...consents,
        false,
        at,
      ]
    }),
  )
  await insertRows(
    db.query,
    'customer_cards',
    [
      'merchant_id',
      'id',
      'customer_id',
      'type',
      'last_four',
      'expiry_month',
      'expiry_year',
      'is_saved',
      'provider_token',
      'last_used_at',
      'created_at',
    ],
    customers
      .filter((_, index) => index % 3 === 0)
      .map(({ id }, index) => [
        merchant.id,
        uuidAt(until, random),
        id,
        index % 2 ? 'Mastercard' : 'Visa',
        String(1111 + index * 731).slice(0, 4),
        (index % 12) + 1,
        2029,
        true,
        `demo-${index}`,
        new Date(until - (index + 1) * dayMs),
        new Date(until - 60 * dayMs),
      ]),
  )
  const medias = used.map((one) => ({ ...one, id: uuidAt(one.first.getTime(), random) }))
  await insertRows(
    db.query,
    'medias',
    [
      'merchant_id',
      'id',
      'serial',
      'type',
      'customer_id',
      'origin_type',
      'key_credit',
      'key_counter',
      'key_read_at',
      'bonus_free_sales',
      'last_used_at',
      'last_pos_id',
      'registered_at',
    ],
    medias.map((one, index) => {
      const isKey = one.type !== mediaTypes.card
      const credit = isKey ? Math.floor(random.next() * 40) * 50 : null
      const customerId = index % 4 === 0 ? (customers[(index / 4) % customers.length]?.id ?? null) : null
      return [
        merchant.id,
        one.id,
        one.serial,
        one.type,
        customerId,
        'machine',
        credit,
        isKey ? one.count * 7 : null,
        isKey ? one.last : null,
        index % 9 === 0 ? 1 : 0,
        one.last,
        one.pos_id,
        one.first,
      ]
    }),
  )
  const findings = medias.slice(5, 6).map(({ id, last, pos_id }) => ({
    mediaId: id,
    kind: 'counterReused' as const,
    key: 'demo',
    at: last,
    posId: pos_id,
    amount: 250,
  }))
  await insertFindings(db, merchant.id, findings)
  return medias
}

/** Recharges at machines, some with a bonus. */
async function recharge({ db, merchant, random, until }: Seeding, medias: readonly Medium[]): Promise<void> {
  const news = medias.slice(0, 60).map(
    ({ id, pos_id }, index): NewCredit => ({
      kind: 'machineRecharge',
      key: `demo recharge ${id}`,
      mediaId: id,
      credit: random.pick(merchant.recharges),
      ...(index % 5 === 0 && { bonus: Math.round((merchant.recharges[0] ?? 500) / 10) }),
      from: { kind: 'machine', ownerId: pos_id },
      cause: { at: new Date(until - (index % 20) * dayMs - hourMs), posId: pos_id },
    }),
  )
  await addCredit(db, merchant.id, news, new Date(until))
}

/** Refunds in each state: done, waiting at a machine, collected there. */
async function refund({ db, merchant, random, until }: Seeding, medias: readonly Medium[]): Promise<void> {
  const [author] = authorsAt({ merchant, group: '' }, 'refund.write')
  const user = author ?? { id: merchant.id, name: merchant.name }
  const at = (index: number) => new Date(until - (index + 1) * 3 * hourMs)
  const amount = Math.round(merchant.maximumRefund / 10)
  const refunds = medias.slice(10, 20).map(
    ({ id, pos_id }, index): StoredRefund => ({
      merchant_id: merchant.id,
      id: uuidAt(at(index).getTime(), random),
      batch_id: null,
      media_id: id,
      ...(index < 6 ? ({ kind: 'cloud', state: 'done' } as const) : ({ kind: 'machine', state: 'waiting' } as const)),
      amount,
      reason: reasons[merchant.speech],
      transaction_id: null,
      transaction_at: null,
      pos_id: index < 6 ? null : pos_id,
      created_at: at(index),
      created_by: user.id,
      created_by_name: user.name,
    }),
  )
  await insertRefunds(db, refunds)
  await addCredit(
    db,
    merchant.id,
    refunds.map(({ id, media_id, pos_id, created_at, reason }) => ({
      kind: 'refund',
      key: `refund ${id}`,
      mediaId: media_id,
      credit: amount,
      from: { kind: 'refunds', ownerId: merchant.id },
      cause: { at: created_at, posId: pos_id ?? undefined, refundId: id, user, note: reason },
      ...(pos_id && { collectAt: { posId: pos_id, refundId: id, expiresAt: new Date(until + dayMs) } }),
    })),
    new Date(until),
  )
  const collected = refunds.filter(({ kind }) => kind === 'machine').slice(0, 2)
  await settleClaims(
    db,
    merchant.id,
    collected.map(({ id, pos_id }) => ({
      reservationId: id,
      posId: pos_id ?? '',
      paid: amount,
      at: new Date(until - hourMs),
      sourceId: id,
    })),
  )
}

/** A blocked medium, and a lost key with its replacement. */
async function lose({ db, merchant, random, until }: Seeding, medias: readonly Medium[]): Promise<void> {
  const lost = medias[8]
  const blocked = medias[9]
  if (!lost || !blocked) return
  const now = new Date(until - 2 * hourMs)
  await changeMediaStatus(db, merchant.id, [blocked.id], 1, now)
  const [author] = authorsAt({ merchant, group: '' }, 'media.write')
  const newId = uuidAt(now.getTime(), random)
  await insertRows(
    db.query,
    'medias',
    ['merchant_id', 'id', 'serial', 'type', 'origin_type', 'registered_at'],
    [[merchant.id, newId, `N${lost.serial}`.slice(0, 40), 2, 'staff', now]],
  )
  await moveOwner(db, merchant.id, lost.id, newId)
  const user = author ?? { id: merchant.id, name: merchant.name }
  await replaceMedia(db, merchant.id, { lostId: lost.id, newId, user }, now)
}

import { createHash, randomUUIDv7 } from 'node:crypto'
import type { InsertObject } from 'kysely'
import {
  defaultColours,
  type NewScreenConfiguration,
  type ScreenPage,
} from '#contract/configurations/screen-content.ts'
import { pictureOf } from '#database/catalogue/product-picture.ts'
import { keepVersion } from '#database/configurations/screen-configuration.ts'
import { insertScreenFile, screenBlob } from '#database/configurations/screen-file.ts'
import { storeWhitelist } from '#database/configurations/screen-whitelist.ts'
import { columnsOf } from '#database/frame/records.ts'
import type { DB } from '#database/frame/schema.gen.ts'
import type { Doors, TenantDb } from '#database/frame/tenant.ts'
import { documentOf } from '#server/api/configurations/screen-document.ts'
import { sendScreen } from '#server/api/configurations/send-screen.ts'
import type { Blobs } from '#server/files/blobs.ts'
import type { MachinePlan } from '#simulator/plan.ts'
import { demoMerchants } from '../operators/merchants.ts'

const dayMs = 24 * 3_600_000
const author = { id: '018e0a3c-5c00-7a10-8000-00000000f001', name: 'Gettone demo' }
/** Fields that are stored as JSON. */
const json = new Set(['idle', 'pages', 'colours', 'schedule'])

interface Member {
  plan: MachinePlan
}

/** A page with the first selections of a machine that are products of the catalogue. */
const pageOf = (
  title: Partial<Record<'it' | 'en', string>>,
  plan: MachinePlan,
  ids: ReadonlyMap<string, string>,
): ScreenPage => ({
  titles: title,
  buttons: plan.selections
    .filter(({ code }, at, all) => ids.has(code) && all.findIndex((one) => one.code === code) === at)
    .slice(0, 6)
    .map(({ line, code }) => ({
      selection: String(line),
      productId: ids.get(code) ?? '',
      texts: {},
      picture: 'product' as const,
      fileId: null,
    })),
})

/**
 * Adds two screen configurations to the first merchant with euros, with pictures and a whitelist, and sends them to some of its machines,
 * unless the merchant has some.
 */
export async function addScreens(
  doors: Doors,
  blobs: Blobs,
  publicUrl: string,
  members: readonly Member[],
  now: Date,
): Promise<void> {
  const owner = demoMerchants.find(({ currency }) => currency === 'EUR')
  if (!owner || members.length === 0) return
  await doors.withTenant([{ merchantId: owner.id, groups: 'all' }], async (db) => {
    const existing = await db
      .from('screen_configurations')
      .select('screen_configurations.id')
      .limit(1)
      .executeTakeFirst()
    if (existing) return
    const products = await db.from('products').select(['products.id', 'products.code']).execute()
    const ids = new Map(products.map(({ id, code }) => [code, id]))
    const machines = await db
      .from('machines')
      .select(['machines.id', 'machines.serial'])
      .where('machines.hidden', '=', false)
      .execute()
    const idBySerial = new Map(machines.map(({ id, serial }) => [serial, id]))
    const isTried = ({ plan }: Member) => idBySerial.has(plan.serial) && plan.behaviour === 'success'
    const of = (kind: MachinePlan['kind']) =>
      members.filter((one) => isTried(one) && one.plan.kind === kind).slice(0, 4)
    const hot = of('hot')
    const snack = of('snack')
    if (!hot[0] || !snack[0]) return
    await db.query
      .insertInto('merchant_details')
      .values({ merchant_id: owner.id, screen_configuration: true })
      .onConflict((conflict) => conflict.column('merchant_id').doUpdateSet({ screen_configuration: true }))
      .execute()
    const call = { db, blobs, now }
    const fileIds = await addPictures(call, owner.id, [ids.get('C05'), ids.get('C03')])
    const serials = [...hot, ...snack].map(({ plan }) => ({ id: randomUUIDv7(), serial: plan.serial }))
    const until = new Date(now.getTime() + 30 * dayMs)
    await storeWhitelist(db, owner.id, serials, { by: author.name, now, until })
    const shared = { showPrices: true, languages: ['it', 'en'] as ('it' | 'en')[], schedule: [] }
    const bar: NewScreenConfiguration = {
      ...shared,
      name: 'Bar in ufficio',
      size: 'portrait10',
      idle: { kind: 'pictures', fileIds, seconds: 8, after: 30 },
      pages: [pageOf({ it: 'Bevande calde', en: 'Hot drinks' }, hot[0].plan, ids)],
      colours: {
        ...defaultColours,
        background: '#2b1d14',
        text: '#f6ede4',
        button: '#f6ede4',
        buttonText: '#2b1d14',
        accent: '#d99a2b',
      },
    }
    const hall: NewScreenConfiguration = {
      ...shared,
      name: 'Atrio stazione',
      size: 'landscape10',
      idle: { kind: 'none', fileIds: [], seconds: 8, after: 30 },
      pages: [pageOf({ it: 'Snack', en: 'Snacks' }, snack[0].plan, ids)],
      colours: defaultColours,
      schedule: [{ days: [1, 2, 3, 4, 5, 6, 7], from: '05:30', to: '23:30' }],
    }
    for (const [content, at] of [
      [bar, hot],
      [hall, snack],
    ] as const) {
      const key = { merchant_id: owner.id, id: randomUUIDv7() }
      const row = { ...columnsOf(content, json), ...key, created_at: now } as InsertObject<DB, 'screen_configurations'>
      await db.query.insertInto('screen_configurations').values(row).execute()
      await keepVersion(db, key, 1, content, author, now)
      const screen = { ...key, version: 1 }
      const document = await documentOf(call, screen, content)
      const machineIds = at.map(({ plan }) => idBySerial.get(plan.serial) ?? '')
      await sendScreen({ db, now, user: { id: null, name: author.name }, publicUrl }, screen, document, machineIds)
    }
  })
}

/** Stores the pictures of products as idle pictures. */
async function addPictures(
  { db, blobs, now }: { db: TenantDb; blobs: Blobs; now: Date },
  merchantId: string,
  productIds: readonly (string | undefined)[],
): Promise<string[]> {
  const stored: string[] = []
  for (const productId of productIds) {
    const picture = productId ? await pictureOf(db, productId) : undefined
    if (!picture) continue
    const id = randomUUIDv7()
    await blobs.put(screenBlob(merchantId, id), [picture.bytes])
    await insertScreenFile(db, {
      merchant_id: merchantId,
      id,
      origin: 'upload',
      name: `Idle ${stored.length + 1}.${picture.kind}`,
      kind: 'picture',
      type: picture.kind === 'jpeg' ? 'jpg' : picture.kind,
      bytes: picture.bytes.length,
      sha256: createHash('sha256').update(picture.bytes).digest('hex'),
      created_at: now,
    })
    stored.push(id)
  }
  return stored
}

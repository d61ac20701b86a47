import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type pg from 'pg'
import type { Allergen, ProductType } from '#contract/vocabulary/catalogue/product.ts'
import { remoteCommandStatuses } from '#contract/vocabulary/remote-command.ts'
import { sendPricesType } from '#database/commands/sent-price.ts'
import type { CopyValue } from '#database/platform/copy-line.ts'
import type { MachineKind } from '#simulator/plan.ts'
import { type Random, randomFrom } from '#simulator/random.ts'
import type { MachinePast } from '../history/write-history.ts'
import { type DemoMerchant, demoMerchants } from '../operators/merchants.ts'
import { authorsAt } from '../operators/people.ts'
import { uuidAt } from '../write/uuid.ts'
import { products } from './products.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs
const iso = (at: number) => new Date(at).toISOString()

type Row = Record<string, CopyValue>
type Copy = (table: string, rows: readonly Row[]) => Promise<void>
type Past = { pasts: readonly MachinePast[]; until: number; seed: string }

/** Sold by the machines and not in the catalogue yet, so that their codes wait for a product. */
const notInCatalogue = new Set(['C10', 'S19'])

/** Drinks of snack machines. */
const coldSnacks = new Set(['S23', 'S24', 'S25'])
const typeOf = { hot: 'A', snack: 'C', cold: 'B' } as const satisfies Record<MachineKind, ProductType>

const allergensOf: Readonly<Record<string, readonly Allergen[]>> = {
  C03: ['milk'],
  C04: ['milk'],
  C05: ['milk'],
  C06: ['milk', 'soybeans'],
  C07: ['milk', 'soybeans'],
  C10: ['gluten'],
  S11: ['milk'],
  S12: ['gluten', 'sesame'],
  S13: ['gluten', 'eggs', 'milk'],
  S14: ['milk', 'nuts', 'soybeans'],
  S15: ['gluten', 'milk', 'nuts'],
  S16: ['gluten', 'sesame'],
  S17: ['nuts', 'peanuts'],
  S18: ['gluten', 'nuts'],
  S21: ['gluten', 'fish', 'eggs'],
  S22: ['gluten', 'milk'],
  D39: ['milk'],
}

const vatOf: Readonly<Record<string, number>> = { IT: 10, MX: 16, CZ: 12 }
const parameterOf = {
  it: { name: 'Fornitore', hot: 'Torrefazione Bassi', snack: 'Dolciaria Nord', cold: 'Bevande Riva' },
  es: { name: 'Proveedor', hot: 'Tostadora Altura', snack: 'Botanas Maíz', cold: 'Bebidas del Valle' },
  en: { name: 'Supplier', hot: 'Moravia Roasters', snack: 'Snack Works', cold: 'Vltava Drinks' },
} as const
const planogramNames = {
  it: { hot: 'Caffè e bevande calde', snack: 'Snack standard', cold: 'Bibite fredde' },
  es: { hot: 'Café y bebidas calientes', snack: 'Botanas estándar', cold: 'Bebidas frías' },
  en: { hot: 'Coffee and hot drinks', snack: 'Standard snacks', cold: 'Cold drinks' },
} as const satisfies Record<DemoMerchant['speech'], Record<MachineKind, string>>

/** A GTIN-13 for use inside a company (GS1 prefix 2), with its check digit. */
function gtinOf(place: number): string {
  const digits = `20${String(place).padStart(10, '0')}`
  const sum = [...digits].reduce((total, digit, at) => total + Number(digit) * (at % 2 === 0 ? 1 : 3), 0)
  return `${digits}${(10 - (sum % 10)) % 10}`
}

const pictures = join(import.meta.dirname, 'pictures')
const pictureOf = (code: string, suffix = '') => readFileSync(join(pictures, `${code}${suffix}.webp`))

/** The products that a merchant sells, once by name: two lists have the same water. */
function productsOf(merchant: DemoMerchant) {
  const all = (Object.entries(products) as [MachineKind, (typeof products)[MachineKind]][]).flatMap(([kind, list]) =>
    list.map((product) => ({ kind, product, name: product[merchant.speech] })),
  )
  return all.filter(({ name }, at) => all.findIndex((other) => other.name === name) === at)
}

/** Ids of a merchant's products, by the name that its machines send. */
export type ProductIds = ReadonlyMap<string, string>

/** Which planogram each machine has, by its id. */
export type PlanogramOf = ReadonlyMap<string, string>

/** Products with pictures, and the codes under which machines sell them. Returns the ids by merchant. */
export async function insertProducts(
  client: pg.Client,
  copy: Copy,
  { pasts, seed }: Past,
  { createdAt, groupIds }: { createdAt: Date; groupIds: ReadonlyMap<string, string> },
): Promise<ReadonlyMap<string, ProductIds>> {
  const groupsOf = ({ id }: DemoMerchant, name: string) => {
    const sellers = pasts.filter(
      ({ machine }) => machine.merchant.id === id && machine.plan.selections.some((one) => one.product === name),
    )
    return [...new Set(sellers.flatMap(({ machine }) => groupIds.get(`${id} ${machine.group}`) ?? []))]
  }
  const random = randomFrom(`${seed} products`)
  const ids = new Map<string, Map<string, string>>()
  for (const merchant of demoMerchants) {
    const first = pasts.find(({ machine }) => machine.merchant.id === merchant.id)
    if (!first) continue
    const productIds = new Map<string, string>()
    ids.set(merchant.id, productIds)
    const parameter = parameterOf[merchant.speech]
    const rows = productsOf(merchant)
      .filter(({ product }) => !notInCatalogue.has(product.code))
      .map(({ kind: soldIn, product, name }, at): Row => {
        const kind = coldSnacks.has(product.code) ? 'cold' : soldIn
        const id = uuidAt(createdAt.getTime(), random)
        productIds.set(name, id)
        const price = product.prices[merchant.priceColumn] * 100
        return {
          merchant_id: merchant.id,
          id,
          code: product.code,
          name,
          product_type: typeOf[kind],
          vat: vatOf[merchant.country] ?? null,
          gtin: kind === 'hot' ? null : gtinOf(1000 + at),
          cost: Math.round(price * (0.28 + random.next() * 0.2)),
          allergens: `{${(allergensOf[product.code] ?? []).join(',')}}`,
          parameters: JSON.stringify([{ name: parameter.name, value: parameter[kind] }]),
          thumbnail: `data:image/webp;base64,${pictureOf(product.code, '-64').toString('base64')}`,
          created_at: createdAt.toISOString(),
        }
      })
    await copy('products', rows)
    await copy(
      'product_pictures',
      rows.map(({ id, code }) => ({
        merchant_id: merchant.id,
        product_id: id,
        kind: 'webp',
        bytes: `\\x${pictureOf(String(code)).toString('hex')}`,
      })),
    )
    const codes = productsOf(merchant).map(
      ({ product, name }): Row => ({
        merchant_id: merchant.id,
        id: uuidAt(createdAt.getTime(), random),
        code: name,
        machine_code: product.code,
        product_id: productIds.get(name) ?? null,
        first_seen_at: createdAt.toISOString(),
        seen_at_machine: first.machine.id,
        seen_in_groups: `{${groupsOf(merchant, name).join(',')}}`,
      }),
    )
    await copy('product_codes', codes)
  }
  await client.query('analyze products, product_codes')
  return ids
}

/** A planogram for each kind of machine. Returns its id by merchant and kind. */
export async function insertPlanograms(
  copy: Copy,
  ids: ReadonlyMap<string, ProductIds>,
  { pasts, seed }: Past,
  createdAt: Date,
): Promise<ReadonlyMap<string, string>> {
  const random = randomFrom(`${seed} planograms`)
  const planograms = new Map<string, string>()
  for (const merchant of demoMerchants) {
    const productIds = ids.get(merchant.id)
    if (!productIds) continue
    for (const kind of Object.keys(products) as MachineKind[]) {
      const model = pasts.find(({ machine }) => machine.merchant.id === merchant.id && machine.plan.kind === kind)
      if (!model) continue
      const id = uuidAt(createdAt.getTime(), random)
      planograms.set(`${merchant.id} ${kind}`, id)
      await copy('planograms', [
        {
          merchant_id: merchant.id,
          id,
          name: planogramNames[merchant.speech][kind],
          planogram_type: kind === 'hot' ? 'A' : 'B',
          created_at: createdAt.toISOString(),
        },
      ])
      await copy(
        'planogram_lines',
        model.machine.plan.selections.map((selection, at): Row => {
          const usual = products[kind].find(({ code }) => code === selection.code)?.prices[merchant.priceColumn] ?? 0
          const price = Math.round((usual * 100) / merchant.priceStep) * merchant.priceStep
          const keyPrice = price > 4 * merchant.priceStep ? price - merchant.priceStep : price
          return {
            merchant_id: merchant.id,
            planogram_id: id,
            selection: String(selection.line),
            position: at,
            product_id: productIds.get(selection.product) ?? null,
            capacity: selection.capacity,
            warning_level: Math.ceil(selection.capacity / 5),
            refill_value: selection.capacity,
            prices: JSON.stringify({ 1: price, 2: keyPrice, 6: price }),
          }
        }),
      )
    }
  }
  return planograms
}

/** How the prices of some machines are wrong: the wanted price was never sent, or a technician changed it at the machine. */
type WrongPrice = { kind: 'notSent' | 'editedOnDevice'; selection: number; agoMs: number; steps: number }
/** By the machine's place among those of its merchant. */
const wrongPrices: Readonly<Record<number, WrongPrice>> = {
  1: { kind: 'editedOnDevice', selection: 0, agoMs: 4 * dayMs, steps: 1 },
  12: { kind: 'notSent', selection: 1, agoMs: 9 * hourMs, steps: 1 },
  18: { kind: 'editedOnDevice', selection: 3, agoMs: 2 * dayMs + 5 * hourMs, steps: -1 },
  33: { kind: 'notSent', selection: 2, agoMs: 3 * dayMs, steps: 2 },
}

/** Machines without a planogram: their merchant has not got to them yet. */
const isWithoutPlanogram = (place: number) => place % 9 === 5

/** Which machine has which planogram, and the wanted prices of these machines beside the reported ones. */
export function plannedMachines({ pasts, until, seed }: Past, planograms: ReadonlyMap<string, string>) {
  const random = randomFrom(`${seed} wanted prices`)
  const places = new Map<string, number>()
  const planogramOf = new Map<string, string>()
  const wantedOf = new Map<string, (selection: string, priceTable: number, reported: number) => Row>()
  const changes: Row[] = []
  const commands: Row[] = []
  for (const { machine } of pasts) {
    const { merchant, plan } = machine
    const place = places.get(merchant.id) ?? 0
    places.set(merchant.id, place + 1)
    const planogramId = planograms.get(`${merchant.id} ${plan.kind}`)
    if (!planogramId || isWithoutPlanogram(place)) continue
    planogramOf.set(machine.id, planogramId)
    const wrong = wrongPrices[place]
    const wrongLine = wrong && plan.selections[wrong.selection % plan.selections.length]?.line
    const wantedAt = until - random.int(20, 40) * dayMs
    const commandId = uuidAt(wantedAt + minuteMs, random)
    wantedOf.set(machine.id, (selection, priceTable, reported) => {
      const isWrong = wrong !== undefined && selection === String(wrongLine) && priceTable === 1
      const wantedPrice = isWrong ? reported + wrong.steps * merchant.priceStep : reported
      const isSent = !isWrong || wrong.kind === 'editedOnDevice'
      const since = isWrong ? until - wrong.agoMs : null
      const editedAt = isWrong && wrong.kind === 'notSent' ? until - wrong.agoMs : wantedAt
      if (isWrong)
        changes.push(
          changeOf(machine, random, { selection, priceTable, at: editedAt, before: reported, after: wantedPrice }),
        )
      const isApplied = isWrong && isSent
      if (isApplied)
        commands.push(
          sentPrices(machine, random, {
            id: commandId,
            at: editedAt + minuteMs,
            price: { selection, priceTable, price: wantedPrice },
          }),
        )
      return {
        wanted: wantedPrice,
        wanted_at: iso(editedAt),
        sent: isSent ? wantedPrice : null,
        sent_at: isSent ? iso(editedAt + minuteMs) : null,
        command_id: isApplied ? commandId : null,
        wrong_since: since === null ? null : iso(since),
      }
    })
  }
  return { planogramOf, wantedOf, changes, commands }
}

const nothingWanted: Row = {
  wanted: null,
  wanted_at: null,
  sent: null,
  sent_at: null,
  command_id: null,
  wrong_since: null,
}
/** The wanted part of a row of prices. */
export const wantedPart = (
  wantedOf: ReturnType<typeof plannedMachines>['wantedOf'],
  machineId: string,
  selection: string,
  priceTable: number,
  reported: number,
): Row => wantedOf.get(machineId)?.(selection, priceTable, reported) ?? nothingWanted

function changeOf(
  machine: MachinePast['machine'],
  random: Random,
  change: { selection: string; priceTable: number; at: number; before: number; after: number },
): Row {
  const author = random.pick(authorsAt(machine, 'price.write'))
  return {
    merchant_id: machine.merchant.id,
    id: uuidAt(change.at, random),
    machine_id: machine.id,
    selection: change.selection,
    price_table: change.priceTable,
    at: iso(change.at),
    source: 'edit',
    before: change.before,
    after: change.after,
    changed_by: author.id,
    changed_by_name: author.name,
  }
}

/** The command with a price, which the machine received and applied. */
function sentPrices(
  machine: MachinePast['machine'],
  random: Random,
  { id, at, price }: { id: string; at: number; price: { selection: string; priceTable: number; price: number } },
): Row {
  const sender = random.pick(authorsAt(machine, 'remoteCommand.write'))
  return {
    merchant_id: machine.merchant.id,
    id,
    machine_id: machine.id,
    type: sendPricesType,
    parameters: JSON.stringify({ prices: [price] }),
    status: remoteCommandStatuses.received,
    result: 0,
    result_info: null,
    cancel_requested: false,
    attempts: 1,
    created_at: iso(at),
    created_by: sender.id,
    created_by_name: sender.name,
    not_before: iso(at),
    expires_at: iso(at + dayMs),
    next_attempt_at: iso(at),
    started_at: iso(at + 2000),
    executed_at: iso(at + 5000),
  }
}

/** Counts what was sold at a wrong price since it is wrong, and the last price that was charged. */
export const countWrongSales = (client: pg.Client) =>
  client.query(
    `update machine_prices p set wrong_sales = found.sales, lost = found.lost, charged = found.charged, charged_at = found.at
     from (
       select w.merchant_id, w.machine_id, w.selection, w.price_table, count(*) filter (where t.value <> w.wanted) as sales,
         coalesce(sum(w.wanted - t.value), 0) as lost, (array_agg(t.value order by t.created_at desc))[1] as charged,
         max(t.created_at) as at
       from machine_prices w
       join transactions t on t.merchant_id = w.merchant_id and t.machine_id = w.machine_id and t.created_at >= w.wrong_since
         and t.price_line::text = w.selection and t.price_table = w.price_table and t.value > 0 and not t.free_sale
       where w.wrong_since is not null
       group by 1, 2, 3, 4
     ) found
     where p.merchant_id = found.merchant_id and p.machine_id = found.machine_id and p.selection = found.selection
       and p.price_table = found.price_table`,
  )

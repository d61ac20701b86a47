import { createHmac } from 'node:crypto'
import { type DeviceType, deviceTypeNames } from '#contract/vocabulary/device.ts'
import type { PosSector } from '#contract/vocabulary/pos-sector.ts'
import type { Behaviour, MachineKind, MachinePlan } from '#simulator/plan.ts'
import { fixedChance, type Random, randomFrom } from '#simulator/random.ts'
import { products } from '../catalogue/products.ts'
import { type DemoMerchant, demoMerchants } from '../operators/merchants.ts'
import { type Place, sectorOf, spots } from '../operators/places.ts'
import { runningFirmware } from '../updates/running-firmware.ts'
import { validatorsOf } from '../updates/validators.ts'
import { uuidAt } from '../write/uuid.ts'
import { habits, paymentsOf, rhythmOf } from './rhythm.ts'

/** A machine of the demo: `plan` is for the simulator, the rest is its merchant's data. */
export type DemoMachine = {
  id: string
  merchant: DemoMerchant
  group: string
  name: string
  address: string
  sector: PosSector
  latitude: number
  longitude: number
  deviceType: DeviceType
  keepsHolidays: boolean
  createdAt: number
  warrantyUntil: string
  /** Vends before the history starts, by selection. */
  earlier: number[]
  /** Days without a visit. */
  neglectedDays: number
  /** A fault that started this many hours before the history's end and is still open. */
  openFault: { code: string; hours: number } | null
  /** Why its audits differ from the transmitted sales. */
  mishap: Mishap | null
  plan: MachinePlan
}

/** Long ago enough that every machine existed when the history starts. */
const beginning = Date.parse('2024-03-04T08:00:00Z')
const dayMs = 86_400_000

/** Machines with an unusual response to commands, by their position among the merchant's machines. */
const specialBehaviours: Record<number, Behaviour> = {
  3: 'warning',
  5: 'error',
  7: 'unsupported',
  9: 'mute',
  11: 'offline',
  13: 'slow',
  22: 'warning',
  29: 'error',
  35: 'unsupported',
  43: 'offline',
}

/** Open faults, so that every merchant has some at any time: by position among the merchant's machines. */
const openFaults: Record<number, { code: string; hours: number }> = {
  1: { code: 'ENC', hours: 1.4 },
  2: { code: 'EFL', hours: 0.6 },
  16: { code: 'EDJ_2', hours: 5 },
  19: { code: 'EEA', hours: 19 },
  24: { code: 'EOH', hours: 60 },
}

export type Mishap = 'lostSale' | 'reset' | 'boardSwap'

/** One of each merchant's machines has lost a sale, one its counters, one its board. */
const mishaps: Record<number, Mishap> = { 0: 'boardSwap', 2: 'lostSale', 4: 'reset' }
export const mishapHours = 40

const hotTypes: readonly DeviceType[] = ['AZVT', 'AZNE', 'CEMB', 'AZNS', 'CUNI', 'AZVT', 'CENG']
const otherTypes: readonly DeviceType[] = ['LITHOS', 'CHEX', 'CELY', 'CUNI', 'CDUK', 'CENG', 'CHEX']

/** The merchant of the next machine: each twenty machines are divided by the merchants' shares, in mixed order. */
function ownerOf(index: number): DemoMerchant {
  const slots = demoMerchants.flatMap((merchant) =>
    Array.from({ length: merchant.share }, (_, turn) => ({ merchant, at: (turn + 0.5) / merchant.share })),
  )
  slots.sort((a, b) => a.at - b.at)
  const slot = slots[index % slots.length]
  if (!slot) throw new Error('No merchant has a share of machines.')
  return slot.merchant
}

/**
 * The demo's machines, always the same for a seed. `salesPerDay` is the average of all machines together. Secrets are
 * derived from the deployment's key, so they need not be stored.
 */
export function planFleet(options: {
  seed: string
  machines: number
  salesPerDay: number
  secretKey: string
}): DemoMachine[] {
  const ordinals = new Map<string, number>()
  const drafts = Array.from({ length: options.machines }, (_, index) => {
    const merchant = ownerOf(index)
    const ordinal = ordinals.get(merchant.id) ?? 0
    ordinals.set(merchant.id, ordinal + 1)
    return draftMachine(merchant, index, ordinal, options.seed)
  })
  const popularity = drafts.reduce((sum, draft) => sum + draft.popularity, 0)
  return drafts.map((draft) => {
    const perDay = (draft.popularity / popularity) * options.salesPerDay
    return finishMachine(draft, perDay, options.secretKey)
  })
}

/** A snack machine sells some 40 pieces a day, a machine for hot drinks three times as many. */
const kindPopularity: Record<MachineKind, number> = { hot: 1.3, snack: 0.4, cold: 0.4 }

function draftMachine(merchant: DemoMerchant, index: number, ordinal: number, seed: string) {
  const random = randomFrom(`${seed} machine ${index}`)
  const place = merchant.places[ordinal % merchant.places.length]
  if (!place) throw new Error(`${merchant.name} has no places.`)
  const round = Math.floor(ordinal / merchant.places.length)
  const inside = spots[merchant.speech][place.kind]
  const spot = `${inside[round % inside.length]}${round >= inside.length ? ` ${Math.floor(round / inside.length) + 1}` : ''}`
  const kind: MachineKind = random.chance([0.78, 0.12, 0.3][round % 3] ?? 0.4)
    ? 'hot'
    : random.chance(0.62)
      ? 'snack'
      : 'cold'
  const deviceType = random.pick(kind === 'hot' ? hotTypes : otherTypes)
  const popularity = habits[place.kind].popularity * kindPopularity[kind] * random.around(0.35)
  return { random, merchant, index, ordinal, place, name: `${place.name}, ${spot}`, kind, deviceType, popularity }
}

function finishMachine(draft: ReturnType<typeof draftMachine>, perDay: number, secretKey: string): DemoMachine {
  const { random, merchant, index, ordinal, place, kind, deviceType } = draft
  const createdAt = beginning + index * 7 * 3_600_000 + random.int(0, 3 * 3_600_000)
  const serial = `${deviceType}-${String(20_000 + index * 37 + random.int(0, 36))}`
  const selections = selectionsOf(merchant, place, kind, random)
  const weights = selections.reduce((sum, { weight }) => sum + weight, 0)
  const vends = Math.round(perDay * random.int(60, 500))
  const behaviour = specialBehaviours[ordinal] ?? 'success'
  const payments = paymentsOf(place.kind, merchant.taste)
  const hasBills = random.chance(kind === 'hot' ? 0.35 : 0.65)
  if (!hasBills) payments[1] = 0
  if (random.chance(0.12)) payments[6] = 0
  return {
    id: uuidAt(createdAt, random),
    merchant,
    group: place.group,
    name: draft.name,
    address: place.address,
    sector: sectorOf[place.kind],
    latitude: place.latitude + (random.next() - 0.5) * 0.003,
    longitude: place.longitude + (random.next() - 0.5) * 0.004,
    deviceType,
    keepsHolidays: habits[place.kind].keepsHolidays,
    createdAt,
    warrantyUntil: new Date(createdAt + random.pick([730, 1095, 1460]) * dayMs).toISOString().slice(0, 10),
    earlier: selections.map(({ weight }) => Math.round((vends * weight) / weights)),
    openFault: openFaults[ordinal] ?? null,
    mishap: mishaps[ordinal] ?? null,
    neglectedDays: behaviour === 'success' && random.chance(0.04) ? random.int(4, 6) : 0,
    plan: {
      serial,
      secret: createHmac('sha256', secretKey).update(`demo machine ${serial}`).digest('base64url'),
      epoch: 1,
      kind,
      model: deviceTypeNames[deviceType],
      timeZone: merchant.timeZone,
      currency: merchant.currency,
      selections,
      rhythm: rhythmOf(place.kind, perDay),
      payments,
      coins: [...merchant.coins],
      tubes: merchant.tubes,
      bills: hasBills ? [...merchant.bills] : [],
      validators: validatorsOf(serial, hasBills),
      recharges: [...merchant.recharges],
      boxCapacity: merchant.boxCapacity,
      site: merchant.places.indexOf(place),
      keys: Math.round(20 + perDay * 4),
      trouble: 0.6 + random.next() * 0.9,
      driftSeconds: random.chance(0.12) ? random.pick([-3600, -420, -95, 140, 610, 3600]) : random.int(0, 2),
      behaviour,
      signalPercent: random.chance(0.07) ? random.int(28, 44) : random.int(55, 96),
      auditMinute: Math.floor(fixedChance(`${serial} audit`) * 1440),
      boot: bootOf(merchant, place, deviceType, index, random),
    },
  }
}

/**
 * What a selection holds. Spirals of snack machines hold 5 to 15 pieces, columns of cans and bottles up to 40; the ingredients of hot drinks
 * are enough for some 700 cups.
 */
function capacityOf(kind: MachineKind, weight: number): number {
  const weights = products[kind].map((product) => product.weight)
  if (kind === 'hot') {
    const sum = weights.reduce((total, one) => total + one, 0)
    return Math.max(40, Math.round((70 * weight) / sum) * 10)
  }
  const share = Math.sqrt(weight / Math.max(...weights))
  return kind === 'snack' ? Math.max(5, Math.round(15 * share)) : Math.max(12, Math.round(40 * share))
}

function selectionsOf(merchant: DemoMerchant, place: Place, kind: MachineKind, random: Random) {
  const list = products[kind]
  const step = merchant.priceStep
  return list.map((product, index) => {
    const exact = product.prices[merchant.priceColumn] * 100 * habits[place.kind].price
    const price = Math.max(step, Math.round(exact / step) * step)
    return {
      line: kind === 'hot' ? index + 1 : (Math.floor(index / 5) + 1) * 10 + (index % 5) + 1,
      product: product[merchant.speech],
      code: product.code,
      prices: pricesOf(price, price > 4 * step ? price - step : price),
      weight: product.weight * random.around(0.25),
      capacity: capacityOf(kind, product.weight),
    }
  })
}

/** By price table: keys (2 to 5) pay less than cash and cards. */
const pricesOf = (price: number, keyPrice: number) => [
  price,
  ...new Array<number>(4).fill(keyPrice),
  price,
  price,
  price,
]

function bootOf(merchant: DemoMerchant, place: Place, type: DeviceType, index: number, random: Random) {
  const isWired = ['office', 'airport'].includes(place.kind) && random.chance(0.5)
  const digits = (count: number) => Array.from({ length: count }, () => random.int(0, 9)).join('')
  const board = {
    firmwareVersion: random.pick(runningFirmware),
    boardSerial: `B${String(700_000 + index * 13)}`,
    boardManufacturer: 'Gettone',
    boardModel: `${type}-MB2`,
    boardVersion: random.pick(['1.4', '1.5', '2.0']),
    publicIp: `${merchant.network}.${random.int(1, 254)}.${random.int(1, 254)}`,
    telemetryBoardType: random.pick(['TLM-4', 'TLM-4', 'TLM-5']),
    telemetryBoardVersion: random.pick(['2.8.1', '2.8.4', '3.0.2']),
  }
  if (isWired) {
    const pair = () => random.int(0, 255).toString(16).padStart(2, '0').toUpperCase()
    return {
      ...board,
      ethernetManufacturer: 'Microchip',
      ethernetModel: 'LAN8742A',
      ethernetVersion: '1.2',
      macAddress: `00:1E:C0:${pair()}:${pair()}:${pair()}`,
      networkType: random.pick(['Ethernet', 'Wifi'] as const),
    }
  }
  const country = { IT: '3901', MX: '5202', CZ: '4203' }[merchant.country] ?? '0000'
  return {
    ...board,
    modemManufacturer: random.pick(['Quectel', 'u-blox', 'Telit']),
    modemModel: random.pick(['EG91', 'SARA-R5', 'LE910']),
    modemVersion: random.pick(['06.13', '02.06', '25.30']),
    simIccid: `89${country}${digits(13)}`,
    simImsi: `${{ IT: '22201', MX: '33420', CZ: '23003' }[merchant.country] ?? '00000'}${digits(10)}`,
    simOperator: merchant.simOperator,
    imei: `86${digits(13)}`,
    networkType: random.pick(['4G', '4G', '4G', '2G', '3G', '5G'] as const),
  }
}

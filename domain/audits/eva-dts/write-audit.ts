import { type Currency, currencies } from '#contract/vocabulary/world/currencies.ts'
import { crc16, crcText } from './crc.ts'

/*
 * Writes an audit as a machine of DTS 6 sends it. Amounts are in the machine's own decimals; every counter is since
 * initialisation, with what happened since the last reset beside it where the machine knows it.
 */

export type WrittenTally = { count: number; value: number; sinceReset?: { count: number; value: number } }

export type AuditCounters = {
  serial: string
  model: string
  software: string
  build?: string
  assetNumber?: string
  boardSerial?: string
  decimals: number
  currency: Currency
  /** The machine's own local clock, `2026-11-21T08:00:00`. */
  time: string
  selections: {
    selection: string
    name?: string
    price: number
    count: number
    value: number
    sinceReset?: { count: number; value: number }
    isAbsent?: boolean
    level?: number
    minimum?: number
    /** The same sales by payment device: CA cash, DA cashless 1, DB cashless 2, TA tokens. */
    payments?: (WrittenTally & { device: 'CA' | 'DA' | 'DB' | 'TA'; priceList: number; price?: number })[]
  }[]
  test?: WrittenTally
  free?: WrittenTally
  cash?: WrittenTally & {
    in?: { toBox: number; toTubes: number; bills: number }
    dispensed?: number
    dispensedByHand?: number
    overpaid?: number
    filled?: number
  }
  cashless?: WrittenTally & { serial?: string; model?: string; software?: string; credited?: number }
  tubes?: { type: number; value: number; count: number; isFull?: boolean }[]
  coins?: { value: number; toBox: number; toTubes: number; dispensed: number }[]
  bills?: { value: number; count: number }[]
  events?: { code: string; at: string; minutes?: number }[]
  eventCounters?: { code: string; count: number; isActive: boolean }[]
  reads?: number
  powerOutages?: number
}

/** Elements may not hold the separator, the escape sign or a control character: `^2A^`. */
const escaped = (text: string) =>
  text.replace(
    /[*^\u0000-\u001f\u007f]/g,
    (sign) => `^${sign.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}^`,
  )

type Element = string | number | undefined

/** One segment. Unavailable elements are empty; trailing ones are omitted. */
function segment(block: string, ...elements: Element[]): string {
  const last = elements.findLastIndex((element) => element !== undefined && element !== '')
  return [block, ...elements.slice(0, last + 1).map((element) => escaped(String(element ?? '')))].join('*')
}

const date = (local: string) => local.slice(0, 10).replaceAll('-', '')
const time = (local: string) => local.slice(11, 19).replaceAll(':', '')

const valueFirst = (tally: WrittenTally): Element[] => [
  tally.value,
  tally.count,
  tally.sinceReset?.value,
  tally.sinceReset?.count,
]
const countFirst = (tally: WrittenTally): Element[] => [
  tally.count,
  tally.value,
  tally.sinceReset?.count,
  tally.sinceReset?.value,
]

function sumOf(tallies: (WrittenTally | undefined)[]): WrittenTally {
  const present = tallies.filter((tally) => tally !== undefined)
  const total = (of: (tally: WrittenTally) => number) => present.reduce((sum, tally) => sum + of(tally), 0)
  const sum = { count: total((tally) => tally.count), value: total((tally) => tally.value) }
  if (!present.length || present.some((tally) => !tally.sinceReset)) return sum
  const sinceReset = {
    count: total((tally) => tally.sinceReset?.count ?? 0),
    value: total((tally) => tally.sinceReset?.value ?? 0),
  }
  return { ...sum, sinceReset }
}

function cashFlow(cash: NonNullable<AuditCounters['cash']>): string[] {
  if (!cash.in) return []
  const { toBox, toTubes, bills } = cash.in
  return [
    segment('CA3', '', '', '', '', toBox + toTubes + bills, toBox, toTubes, '', '', bills),
    segment('CA4', '', '', cash.dispensed ?? 0, cash.dispensedByHand ?? 0),
    segment('CA8', '', cash.overpaid ?? 0),
    segment('CA10', '', cash.filled ?? 0),
  ]
}

function cashSegments({ cash, tubes = [], coins = [], bills = [] }: AuditCounters): string[] {
  const tubeContents = tubes.reduce((total, tube) => total + tube.value * tube.count, 0)
  return [
    ...(cash ? [segment('CA2', ...valueFirst(cash)), ...cashFlow(cash)] : []),
    ...coins.flatMap(({ value, toBox, toTubes, dispensed }) => [
      segment('CA11', value, '', '', '', toBox + toTubes, toBox, toTubes),
      segment('CA12', value, '', '', dispensed),
    ]),
    ...bills.map(({ value, count }) => segment('CA14', value, '', '', count)),
    ...(tubes.length ? [segment('CA15', tubeContents)] : []),
    ...tubes.map((tube) => segment('CA17', tube.type, tube.value, tube.count, '', '', tube.isFull ? 1 : 0)),
  ]
}

function cashlessSegments({ cashless }: AuditCounters): string[] {
  if (!cashless) return []
  const { serial, model, software, credited } = cashless
  return [
    segment('DA1', serial, model, software),
    segment('DA2', ...valueFirst(cashless)),
    ...(credited === undefined ? [] : [segment('DA4', credited)]),
  ]
}

const selectionSegments = ({ selections }: AuditCounters): string[] =>
  selections.flatMap((sold) => {
    const status = sold.isAbsent === undefined ? undefined : sold.isAbsent ? 1 : 0
    return [
      segment('PA1', sold.selection, sold.price, sold.name, '', '', '', status, sold.level, sold.minimum),
      segment('PA2', ...countFirst(sold)),
      ...(sold.payments ?? []).map((payment) => {
        const { device, priceList, price = sold.price } = payment
        return segment('PA7', sold.selection, device, priceList, price, ...countFirst(payment))
      }),
    ]
  })

const eventSegments = ({
  events = [],
  eventCounters = [],
  reads,
  powerOutages,
  time: now,
}: AuditCounters): string[] => [
  ...events.map(({ code, at, minutes }) => segment('EA1', code, date(at), time(at), minutes)),
  ...eventCounters.map(({ code, count, isActive }) => segment('EA2', code, '', count, '', isActive ? 1 : 0)),
  ...(reads === undefined ? [] : [segment('EA3', '', date(now), time(now), '', '', '', '', '', reads)]),
  ...(powerOutages === undefined ? [] : [segment('EA7', '', powerOutages)]),
]

/**
 * The bytes of one audit file: DXS, ST, the segments, G85 with its right CRC, SE with its right count, DXE; lines end in CRLF,
 * text is UTF-8. VA1 is the sum of cash and cashless sales, or of the selections where neither is given.
 */
export function writeAudit(counters: AuditCounters): Uint8Array {
  const {
    serial,
    model,
    software,
    build,
    assetNumber,
    boardSerial,
    decimals,
    currency,
    time: now,
    test,
    free,
  } = counters
  const devices = [counters.cash, counters.cashless].filter((tally) => tally !== undefined)
  const numeric = String(currencies[currency].numeric).padStart(3, '0')
  const body = [
    segment('ST', '001', '0001'),
    segment('ID1', serial, model, build, '', '', assetNumber),
    segment('ID4', decimals, numeric, currency),
    segment('ID5', date(now), time(now)),
    segment('CB1', boardSerial, model, software),
    segment('VA1', ...valueFirst(sumOf(devices.length ? devices : counters.selections))),
    ...(test ? [segment('VA2', ...valueFirst(test))] : []),
    ...(free ? [segment('VA3', ...valueFirst(free))] : []),
    ...cashSegments(counters),
    ...cashlessSegments(counters),
    ...selectionSegments(counters),
    ...eventSegments(counters),
  ]
  const encoder = new TextEncoder()
  const lines = (rows: string[]) => encoder.encode(rows.map((row) => `${row}\r\n`).join(''))
  const checked = lines(body)
  const end = lines([
    segment('G85', crcText(crc16(checked))),
    // ST and everything below it, with G85 and SE themselves.
    segment('SE', body.length + 2, '0001'),
    segment('DXE', 1, 1),
  ])
  const start = lines([segment('DXS', serial, 'VA', 'V0/6', 1)])
  const file = new Uint8Array(start.length + checked.length + end.length)
  file.set(start)
  file.set(checked, start.length)
  file.set(end, start.length + checked.length)
  return file
}

import type { AuditWarningCode, Tallies, Tally } from '#contract/audits/audit-content.ts'
import type { Row } from './envelope.ts'
import { readMoment } from './moment.ts'
import type { Scale } from './scale.ts'

/*
 * The elements of one segment, by their number in the standard: VA101 is element 1 of VA1. An empty element, and the largest
 * 32-bit number, mean "not available".
 */

export type Remark = (code: AuditWarningCode, line: number | null, params?: Record<string, string | number>) => void

/** Far more than any block has; further elements are noise. */
const elementLimit = 100
const textLimit = 200
const notAvailable = 0xffff_ffff

/** Controls are kept visible as one replacement character, so that any store and any screen can hold the text. */
const controls = /[\u0000-\u001f\u007f-\u009f]/g
export const visible = (text: string) => text.replace(controls, '\ufffd')

/** The first characters, never half of one. */
export const clip = (text: string, length: number) => text.slice(0, length).toWellFormed()

/** `^2A^` is a character by its hex code. Those beyond ASCII were read with the line. */
const unescape = (text: string) =>
  text.replace(/\^([0-9A-F]{2})\^/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))

export const elementsOf = (text: string) =>
  text
    .split('*', elementLimit + 1)
    .slice(1)
    .map((element) => visible(unescape(element)).trim())

export type Elements = {
  block: string
  line: number
  all: string[]
  /** Null where empty. */
  text: (element: number) => string | null
  /** A whole number, null where empty or not available; anything else is remarked and null. */
  count: (element: number) => number | null
  /** An amount in the report's digits. */
  money: (element: number) => number | null
  /** A price: 65535 means that there is none. */
  price: (element: number) => number | null
  /** The value of a coin or bill: 0, and what was never set, are no value. */
  denomination: (element: number) => number | null
  /** Called for each counter since initialisation that is below the one since reset. */
  belowReset: () => void
  /** An amount that is not the element itself, such as whole units times a hundred. */
  scaled: (units: number) => number | null
  moment: (date: number, time: number) => string | null
  flag: (element: number) => boolean | null
  remark: (code: AuditWarningCode, params?: Record<string, string | number>) => void
}

/** A 16-bit number that was never set. */
const unset16 = 0xffff

export function readElements(
  row: Row,
  block: string,
  scale: Scale,
  { remark, belowReset }: { remark: Remark; belowReset: () => void },
): Elements {
  const all = elementsOf(row.text)
  const remarkHere: Elements['remark'] = (code, params) => remark(code, row.line, { block, ...params })
  const text = (element: number) => clip(all[element - 1] ?? '', textLimit) || null
  const tooLarge = (element: number, written: string) => {
    remarkHere('numberTooLarge', { element, text: clip(written, 40) })
    return null
  }
  const count = (element: number) => {
    const written = text(element)
    if (written === null || /^F{4,8}$/i.test(written)) return null
    if (!/^\d+$/.test(written)) {
      remarkHere('numberUnreadable', { element, text: clip(written, 40) })
      return null
    }
    const number = Number(written)
    if (number === notAvailable) return null
    return Number.isSafeInteger(number) ? number : tooLarge(element, written)
  }
  const scaled = (units: number) => {
    const amount = scale.convert(units)
    return Number.isSafeInteger(amount) ? amount : null
  }
  const amount = (element: number, units: number | null) =>
    units === null ? null : (scaled(units) ?? tooLarge(element, String(units)))
  const setOnly = (units: number | null) => (units === unset16 ? null : units)
  return {
    block,
    line: row.line,
    all,
    text,
    count,
    scaled,
    belowReset,
    money: (element) => amount(element, count(element)),
    price: (element) => amount(element, setOnly(count(element))),
    denomination: (element) => amount(element, setOnly(count(element)) || null),
    moment: (date, time) => {
      const day = text(date)
      const clock = text(time)
      const { at, isUnreadable } = readMoment(day, clock)
      if (isUnreadable) remarkHere('timeUnreadable', { text: clip([day, clock].filter(Boolean).join(' '), 40) })
      return at
    },
    flag: (element) => {
      const written = text(element)
      return written === '1' ? true : written === '0' ? false : null
    },
    remark: remarkHere,
  }
}

type Half = number | null | Record<string, number | null>

/** A counter since initialisation below the one since reset cannot be true: the machine does not keep it. */
function trueHalf<T extends Half>(read: Elements, initialisation: T, reset: T): T {
  if (typeof initialisation === 'number' && typeof reset === 'number') {
    if (initialisation >= reset) return initialisation
    read.belowReset()
    return null as T
  }
  if (typeof initialisation !== 'object' || typeof reset !== 'object' || !initialisation || !reset)
    return initialisation
  const parts = Object.entries(initialisation).map(([name, part]) => [
    name,
    trueHalf(read, part, (reset as Record<string, number | null>)[name] ?? null),
  ])
  return Object.fromEntries(parts) as T
}

export const bothHalves = <T extends Half>(read: Elements, sinceInitialisation: T, sinceReset: T) => ({
  sinceInitialisation: trueHalf(read, sinceInitialisation, sinceReset),
  sinceReset,
})

const valueAndCount = (read: Elements, from: number): Tally => ({
  value: read.money(from),
  count: read.count(from + 1),
})
const countAndValue = (read: Elements, from: number): Tally => ({
  value: read.money(from + 1),
  count: read.count(from),
})

/** Four elements, value before count: since initialisation, then since reset. */
export const valueFirst = (read: Elements, from: number): Tallies =>
  bothHalves(read, valueAndCount(read, from), valueAndCount(read, from + 2))

/** Four elements, count before value: since initialisation, then since reset. */
export const countFirst = (read: Elements, from: number): Tallies =>
  bothHalves(read, countAndValue(read, from), countAndValue(read, from + 2))

/** Four elements, value before count: since reset, then since initialisation. */
export const resetFirst = (read: Elements, from: number): Tallies =>
  bothHalves(read, valueAndCount(read, from + 2), valueAndCount(read, from))

type Take = (element: number) => number | null

/** Two elements of one kind. */
export const initialisationThenReset = (read: Elements, take: Take, from: number) =>
  bothHalves(read, take(from), take(from + 1))
export const resetThenInitialisation = (read: Elements, take: Take, from: number) =>
  bothHalves(read, take(from + 1), take(from))

import { z } from 'zod'
import { AuditOrigin, auditOrigins } from '#contract/vocabulary/audit.ts'
import type { StatedTime } from '#domain/audits/reading-time.ts'

/** What a modem reports about an audit beside the file. */
export interface ModemFacts {
  serial: string | null
  readAt: StatedTime | null
  origin: number | null
  /** The origin in the modem's own words; null if it sends a number. */
  originWord: string | null
}

const Envelope = z.looseObject({
  DexData: z.string().min(1),
  HWSerial: z.unknown().optional(),
  MachineDate: z.unknown().optional(),
  Origin: z.unknown().optional(),
})

/**
 * Opens the JSON envelope in which a modem maker sends audits: HWSerial, MachineDate, Origin, and the file in DexData as
 * text, base64 or hexadecimal. Returns undefined for any other JSON. Fields of an unexpected form are ignored.
 */
export function openModemEnvelope(json: unknown): { facts: ModemFacts; bytes: Uint8Array } | undefined {
  const read = Envelope.safeParse(json)
  if (!read.success) return undefined
  const { DexData, HWSerial, MachineDate, Origin } = read.data
  return {
    facts: { serial: serialOf(HWSerial), readAt: timeOf(MachineDate), ...originOf(Origin) },
    bytes: bytesOf(DexData),
  }
}

const segmentStart = /(?:^|[\r\n])[ \t]*(?:DXS|ST|ID1|VA1|PA1)\*/

function bytesOf(data: string): Uint8Array {
  if (segmentStart.test(data)) return textBytes(data)
  const dense = data.replace(/\s/g, '')
  const coded = /^(?:[\da-f]{2})+$/i.test(dense)
    ? Buffer.from(dense, 'hex')
    : /^[\w+/-]+={0,2}$/.test(dense)
      ? Buffer.from(dense, 'base64')
      : undefined
  return coded && segmentStart.test(coded.toString('latin1')) ? coded : textBytes(data)
}

/** Machines write one byte per character, which the modem converted to text. The checksum is over the bytes. */
const textBytes = (text: string) => Buffer.from(text, /^[\0-\xff]*$/.test(text) ? 'latin1' : 'utf8')

const serialOf = (value: unknown) =>
  (typeof value === 'string' && value.trim().slice(0, 100)) || (typeof value === 'number' ? String(value) : null)

/** Instants before are no milliseconds since 1970 but a number of something else. */
const firstEpoch = Date.UTC(2000, 0, 1)

/**
 * The time of a reading: `20261121 080000_123` or `2026-11-21T08:00:00` by the machine's clock, with or without milliseconds; an
 * instant if it ends in Z or an offset, or counts milliseconds since 1970.
 */
function timeOf(value: unknown): StatedTime | null {
  const text = String(value).trim()
  if (/^\d{12,14}$/.test(text) && Number(text) >= firstEpoch && Number(text) < firstEpoch * 4)
    return { at: Number(text) }
  const [, year, month, day, hour, minute, second = '00', part, zone] =
    /^(\d{4})-?(\d\d)-?(\d\d)[T ](\d\d):?(\d\d)(?::?(\d\d))?(?:[_.,](\d{1,9}))?\s*(Z|[+-]\d\d:?\d\d)?$/i.exec(text) ??
    []
  if (!year) return null
  const wall = `${year}-${month}-${day}T${hour}:${minute}:${second}${part ? `.${part.slice(0, 3).padEnd(3, '0')}` : ''}`
  if (!zone) return { wall }
  const at = Date.parse(`${wall}${/z/i.test(zone) ? 'Z' : `${zone.slice(0, 3)}:${zone.slice(-2)}`}`)
  return Number.isNaN(at) ? null : { at }
}

type OriginWord = keyof typeof auditOrigins
/** Words of modem makers for origins that have another name here. */
const originWords: Record<string, OriginWord> = { automatic: 'scheduled', cash: 'collection' }

function originOf(value: unknown): Pick<ModemFacts, 'origin' | 'originWord'> {
  const isText = typeof value === 'string' || typeof value === 'number'
  const word = isText ? String(value).trim().slice(0, 100).toWellFormed() : ''
  const isNumber = /^\d{1,3}$/.test(word)
  const meaning = originWords[word.toLowerCase()] ?? word
  const named = Object.entries(auditOrigins).find(([name]) => name.toLowerCase() === meaning.toLowerCase())
  const number = AuditOrigin.safeParse(named ? named[1] : isNumber ? Number(word) : null)
  return {
    origin: number.success ? number.data : null,
    originWord: isNumber || word === '' ? null : word.replace(/\p{Cc}/gu, '\ufffd'),
  }
}

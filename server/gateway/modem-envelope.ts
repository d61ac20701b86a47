import { z } from 'zod'
import { AuditOrigin, auditOrigins } from '#contract/vocabulary/audit.ts'

/** What a modem reports about an audit beside the file. `readAt` is the machine's clock, local and without a zone. */
export interface ModemFacts {
  serial: string | null
  readAt: string | null
  origin: number | null
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
    facts: { serial: serialOf(HWSerial), readAt: localTime(MachineDate), origin: originOf(Origin) },
    bytes: bytesOf(DexData),
  }
}

const segmentStart = /(?:^|[\r\n])\s*(?:DXS|ST|ID1|VA1|PA1)\*/

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

function localTime(value: unknown): string | null {
  if (typeof value !== 'string') return null
  const [, day, minute, second = '00'] = /^\s*(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d)(?::(\d\d))?/.exec(value) ?? []
  return day && minute ? `${day}T${minute}:${second}` : null
}

function originOf(value: unknown): number | null {
  const name = String(value).trim().toLowerCase()
  const named = Object.entries(auditOrigins).find(([, word]) => word.toLowerCase() === name)
  const number = AuditOrigin.safeParse(named ? Number(named[0]) : /^\d{1,3}$/.test(name) ? Number(name) : null)
  return number.success ? number.data : null
}

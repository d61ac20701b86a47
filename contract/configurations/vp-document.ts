import { z } from 'zod'
import { Text } from '../frame/shapes.ts'

/** The largest document, in characters of its JSON. */
export const vpDocumentBytes = 1024 * 1024

/** A JSON value. */
export type Json = string | number | boolean | null | Json[] | { [name: string]: Json }
export type JsonObject = { [name: string]: Json }

export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The canonical text of a document (RFC 8785): its SHA-256 is the same on every machine, in any order of keys. */
export function canonicalJson(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (!isJsonObject(value)) return JSON.stringify(value)
  const names = Object.keys(value).sort((one, other) => (one < other ? -1 : 1))
  return `{${names.map((name) => `${JSON.stringify(name)}:${canonicalJson(value[name] as Json)}`).join(',')}}`
}

const deepest = 12

/** Whether a database keeps a value unchanged: finite numbers, whole characters, no U+0000, and not too deep. */
function isStorable(value: unknown, depth = 0): value is Json {
  if (depth > deepest) return false
  if (typeof value === 'string') return value.isWellFormed() && !value.includes('\0')
  if (typeof value === 'number') return Number.isFinite(value)
  if (Array.isArray(value)) return value.every((one) => isStorable(one, depth + 1))
  if (isJsonObject(value))
    return Object.entries(value).every(([name, one]) => isStorable(name) && isStorable(one, depth + 1))
  return value === null || typeof value === 'boolean'
}

type AnyRecord = Record<string, unknown>
const record: z.ZodType<AnyRecord, AnyRecord> = z.record(Text, z.unknown())
/** A configuration of the visual programmer: any JSON object that can be stored. Its schema decides whether it can be sent. */
export const VpDocument = record.refine(
  (document) => isStorable(document) && JSON.stringify(document).length <= vpDocumentBytes,
) as z.ZodType<JsonObject, JsonObject>

import type { Json, JsonObject } from '#contract/configurations/vp-document.ts'
import { type VpDeviceType, vpDeviceTypes } from '#contract/vocabulary/device.ts'
import espresso from './vp-schemas/espresso.json' with { type: 'json' }
import instant from './vp-schemas/instant.json' with { type: 'json' }
import snack from './vp-schemas/snack.json' with { type: 'json' }

/** What a schema says of a value, in the keywords of JSON Schema 2020-12 that these schemas use. */
export interface VpNode {
  $ref?: string
  type?: 'object' | 'array' | 'string' | 'number' | 'integer' | 'boolean'
  properties?: Record<string, VpNode>
  required?: string[]
  items?: VpNode
  enum?: (string | number)[]
  minimum?: number
  maximum?: number
  multipleOf?: number
  pattern?: string
  minLength?: number
  maxLength?: number
  minItems?: number
  maxItems?: number
  uniqueItems?: boolean
  default?: Json
  /** The unit of a number, alike in every language. */
  'x-unit'?: string
  /** How a value is edited where its type does not say so. */
  'x-kind'?: 'money' | 'time' | 'choices' | 'weekdays' | 'entries' | 'steps' | 'step'
}

/** The schema of a family of models. A change of its content is a new version. */
export interface VpSchema extends VpNode {
  title: string
  'x-version': string
  $defs: Record<string, VpNode>
}

const schemaOfType: Record<VpDeviceType, VpSchema> = {
  AZVT: espresso as VpSchema,
  AZNE: espresso as VpSchema,
  AZNS: espresso as VpSchema,
  CEMB: espresso as VpSchema,
  CUNI: instant as VpSchema,
  CENG: instant as VpSchema,
  LITHOS: snack as VpSchema,
  CHEX: snack as VpSchema,
  CELY: snack as VpSchema,
}

export const isVpDeviceType = (type: string): type is VpDeviceType =>
  (vpDeviceTypes as readonly string[]).includes(type)

/** The current schema of a model; undefined for models without a visual programmer. */
export const vpSchemaOf = (deviceType: string): VpSchema | undefined =>
  isVpDeviceType(deviceType) ? schemaOfType[deviceType] : undefined

/** The schema of a version; undefined if the product does not ship this version any longer. */
export function vpSchemaVersion(deviceType: string, version: string): VpSchema | undefined {
  const schema = vpSchemaOf(deviceType)
  return schema?.['x-version'] === version ? schema : undefined
}

/** A node without its reference. */
export function nodeOf(schema: VpSchema, node: VpNode): VpNode {
  if (!node.$ref) return node
  const named = schema.$defs[node.$ref.replace('#/$defs/', '')]
  if (!named) throw new Error(`The schema ${schema.title} has no ${node.$ref}.`)
  return named
}

/** A new value of a node, from its defaults. */
export function defaultOf(schema: VpSchema, raw: VpNode): Json {
  const node = nodeOf(schema, raw)
  if (node.default !== undefined) return structuredClone(node.default)
  if (node.type === 'object')
    return Object.fromEntries(Object.entries(node.properties ?? {}).map(([name, of]) => [name, defaultOf(schema, of)]))
  if (node.type === 'array') return []
  return null
}

/** A new document of a schema. */
export const newVpDocument = (schema: VpSchema): JsonObject => defaultOf(schema, schema) as JsonObject

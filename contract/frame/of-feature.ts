import type { z } from 'zod'
import type { Feature } from '../vocabulary/feature.ts'
import type { AnyEndpoint } from './endpoint.ts'

/*
 * A field that belongs to a feature is declared once, in its schema: `signalPercent: ofFeature('network', z.int().nullable())`.
 * Answers of merchants without the feature lack the field; filters, sort orders, bodies and export columns that name it are refused.
 */

/** Keys of the declaration in the schema's metadata; the API documentation shows them. */
const featureKey = 'x-feature'
const columnKey = 'x-column'

/**
 * A field of a feature. It is optional: absent where the merchant lacks the feature. `column` is the list column that presents the
 * field, where its id is another than the field's name.
 */
export const ofFeature = <T extends z.ZodType>(feature: Feature, field: T, column?: string): z.ZodOptional<T> =>
  field.optional().meta({ [featureKey]: feature, ...(column && { [columnKey]: column }) })

export interface GatedField {
  feature: Feature | undefined
  column: string | undefined
  within: Gates | undefined
}
/** The places of feature fields in a schema: an object's fields by name, or a list's items. Lists count as their items. */
export type Gates = ReadonlyMap<string, GatedField>

// zod has a type for each kind of schema; this interface has the common properties.
interface Definition {
  type: string
  shape?: Record<string, z.ZodType>
  element?: z.ZodType
  innerType?: z.ZodType
  valueType?: z.ZodType
  in?: z.ZodType
  out?: z.ZodType
  options?: readonly z.ZodType[]
}

const gatesBySchema = new WeakMap<z.ZodType, Gates>()

/** The fields of features within a schema; an empty map where there are none. */
export function gatesOf(schema: z.ZodType | undefined): Gates {
  if (!schema) return new Map()
  const gates = gatesBySchema.get(schema) ?? readGates(schema)
  gatesBySchema.set(schema, gates)
  return gates
}

function readGates(schema: z.ZodType): Gates {
  const { type, shape, element, innerType, valueType, in: input, out, options = [] } = schema.def as Definition
  if (type === 'object' && shape) return new Map(Object.entries(shape).flatMap(([name, field]) => entryOf(name, field)))
  // Recursive schemas are free JSON without declared fields.
  if (type === 'lazy') return new Map()
  const parts = [element, innerType, valueType, input, out, ...options].filter((part) => part !== undefined)
  return merged(parts.map(gatesOf))
}

function entryOf(name: string, field: z.ZodType): [string, GatedField][] {
  const { [featureKey]: feature, [columnKey]: column } = field.meta() ?? {}
  const within = gatesOf(field)
  if (!feature && within.size === 0) return []
  return [
    [
      name,
      {
        feature: feature as Feature | undefined,
        column: column as string | undefined,
        within: within.size > 0 ? within : undefined,
      },
    ],
  ]
}

function merged(all: readonly Gates[]): Gates {
  const result = new Map<string, GatedField>()
  for (const [name, field] of all.flatMap((gates) => [...gates])) {
    const before = result.get(name)
    if (before && before.feature !== field.feature) throw new Error(`${name} is of two features.`)
    const within = merged([before?.within, field.within].filter((gates) => gates !== undefined))
    result.set(name, { ...field, within: within.size > 0 ? within : undefined })
  }
  return result
}

/** Every feature that fields within a schema belong to. */
export const featuresWithin = (gates: Gates): Set<Feature> =>
  new Set(
    [...gates.values()].flatMap(({ feature, within }) => [
      ...(feature ? [feature] : []),
      ...(within ? featuresWithin(within) : []),
    ]),
  )

/** The fields of a list's items. */
export function itemGates({ ok }: Pick<AnyEndpoint, 'ok'>): Gates {
  const gates = gatesOf(ok)
  return gates.get('items')?.within ?? gates
}

/** The feature of a list's sort order or column: that of the field with this name, or of the fields in this column. */
export function featureOfColumn(row: Pick<AnyEndpoint, 'ok'>, id: string): Feature | undefined {
  const items = itemGates(row)
  return items.get(id)?.feature ?? [...items.values()].find(({ column }) => column === id)?.feature
}

/** The feature of one of an endpoint's filters. */
export const featureOfFilter = ({ query }: Pick<AnyEndpoint, 'query'>, key: string): Feature | undefined =>
  gatesOf(query).get(key)?.feature

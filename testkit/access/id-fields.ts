import type { z } from 'zod'
import { type IdName, nounOfId } from '#contract/frame/ids.ts'

/** A place in a schema that takes an id. */
export interface IdField {
  /** `rows[].groupId`, `machines.matching.posIds[]`. */
  path: string
  /** Whose id it is; undefined for a plain uuid. */
  noun: IdName | undefined
  /**
   * A value of the whole schema with `id` in this place: `sample` where it has this place, else the smallest value that the
   * schema accepts. In an array, the id or its object is placed after `own`.
   */
  aimed(sample: unknown, id: string, own: string): unknown
}

type Definition = {
  type: string
  format?: string
  in?: z.ZodType
  out?: z.ZodType
  innerType?: z.ZodType
  element?: z.ZodType
  valueType?: z.ZodType
  getter?: () => z.ZodType
  shape?: Record<string, z.ZodType>
  options?: z.ZodType[]
  values?: unknown[]
  entries?: Record<string, unknown>
}

const definitionOf = (schema: z.ZodType) => schema.def as unknown as Definition
const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null
const fits = (schema: z.ZodType, value: unknown) => (schema.safeParse(value).success ? value : undefined)

/** Every place of a schema that takes an id. Visits each option of a union; each path to a place counts. */
export function idFields(schema: z.ZodType | undefined): IdField[] {
  if (!schema) return []
  const definition = definitionOf(schema)
  switch (definition.type) {
    case 'string':
      return definition.format === 'uuid' || definition.format === 'guid'
        ? [{ path: '', noun: nounOfId(schema), aimed: (_, id) => id }]
        : []
    case 'array':
      return idFields(definition.element).map(({ path, noun, aimed }) => ({
        noun,
        path: `[]${joined(path)}`,
        aimed: (sample, id, own) => {
          const before = Array.isArray(sample) && sample.length > 0 ? sample : path === '' ? [own] : []
          const one = aimed(before[0], id, own)
          // A row that names something is the row it was; an id of its own makes it another.
          return path === '' || path === 'id' ? [...before, one] : [one]
        },
      }))
    case 'object':
      return Object.entries(definition.shape ?? {}).flatMap(([key, value]) =>
        idFields(value).map(({ path, noun, aimed }) => ({
          noun,
          path: key + joined(path),
          aimed: (sample: unknown, id: string, own: string) => {
            const base = isObject(sample) ? sample : (leastOf(schema, own) as Record<string, unknown>)
            return { ...base, [key]: aimed(base[key], id, own) }
          },
        })),
      )
    case 'record':
      return idFields(definition.valueType).map(({ path, noun, aimed }) => ({
        noun,
        path: `*${joined(path)}`,
        aimed: (sample, id, own) => ({ ...(isObject(sample) ? sample : {}), any: aimed(undefined, id, own) }),
      }))
    case 'union':
      return (definition.options ?? []).flatMap((option) =>
        idFields(option).map(({ path, noun, aimed }) => ({
          noun,
          path,
          aimed: (sample: unknown, id: string, own: string) => aimed(fits(option, sample), id, own),
        })),
      )
    default: {
      const inner = innerOf(definition)
      return inner ? idFields(inner) : []
    }
  }
}

const joined = (path: string) => (path === '' || path.startsWith('[') ? path : `.${path}`)

/** The schema inside wrappers: optional, nullable, default, transformations. */
const innerOf = ({ type, in: before, out, innerType, getter }: Definition): z.ZodType | undefined => {
  if (type === 'pipe') return before && definitionOf(before).type === 'transform' ? out : before
  return innerType ?? getter?.()
}

/** The least that a schema takes; every id in it is `own`. What has rules of its own is left to the server, which refuses it. */
function leastOf(schema: z.ZodType, own: string): unknown {
  const definition = definitionOf(schema)
  switch (definition.type) {
    case 'object':
      return Object.fromEntries(
        Object.entries(definition.shape ?? {})
          .filter(([, value]) => !value.safeParse(undefined).success)
          .map(([key, value]) => [key, leastOf(value, own)]),
      )
    case 'string':
      return definition.format === 'uuid' ? own : definition.format === 'date' ? '2026-01-01' : 'x'
    case 'number':
    case 'int':
      return 1
    case 'boolean':
      return false
    case 'literal':
      return definition.values?.[0]
    case 'enum':
      return Object.values(definition.entries ?? {})[0]
    case 'array':
      return schema.safeParse([]).success ? [] : [leastOf(definition.element as z.ZodType, own)]
    case 'nullable':
      return null
    case 'union':
      return leastOf(definition.options?.[0] as z.ZodType, own)
    default: {
      const inner = innerOf(definition)
      return inner ? leastOf(inner, own) : undefined
    }
  }
}

import { randomUUID } from 'node:crypto'
import type { z } from 'zod'
import { type IdName, nounOfId } from '#contract/frame/ids.ts'

/** A place in a schema that takes an id. */
export interface IdField {
  /** `rows[].groupId`, `machines.matching.posIds[]`. */
  path: string
  /** The noun of the id; undefined for a plain uuid. */
  noun: IdName | undefined
  /**
   * A value of the whole schema with `id` at this place. It starts from `sample` if that has the place, else from the
   * smallest valid value. In an array, the id or its object follows `own`.
   */
  aimed(sample: unknown, id: string, ownId: string): unknown
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

/** Every place of a schema that takes an id, in each option of a union. */
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
        aimed: (sample, id, ownId) => {
          const before = Array.isArray(sample) && sample.length > 0 ? sample : path === '' ? [ownId] : []
          const one = aimed(before[0], id, ownId)
          // An id that identifies a row adds a row; any other id stays in its row.
          return path === '' || path === 'id' ? [...before, one] : [one]
        },
      }))
    case 'object':
      return Object.entries(definition.shape ?? {}).flatMap(([key, value]) =>
        idFields(value).map(({ path, noun, aimed }) => ({
          noun,
          path: key + joined(path),
          aimed: (sample: unknown, id: string, ownId: string) => {
            const base = isObject(sample) ? sample : (leastOf(schema, () => ownId) as Record<string, unknown>)
            return { ...base, [key]: aimed(base[key], id, ownId) }
          },
        })),
      )
    case 'record':
      return idFields(definition.valueType).map(({ path, noun, aimed }) => ({
        noun,
        path: `*${joined(path)}`,
        aimed: (sample, id, ownId) => ({ ...(isObject(sample) ? sample : {}), any: aimed(undefined, id, ownId) }),
      }))
    case 'union':
      return (definition.options ?? []).flatMap((option) =>
        idFields(option).map(({ path, noun, aimed }) => ({
          noun,
          path,
          aimed: (sample: unknown, id: string, ownId: string) => aimed(fits(option, sample), id, ownId),
        })),
      )
    default: {
      const inner = innerOf(definition)
      return inner ? idFields(inner) : []
    }
  }
}

const joined = (path: string) => (path === '' || path.startsWith('[') ? path : `.${path}`)

/** The schema inside its wrappers: optional, nullable, default, transformations. */
const innerOf = ({ type, in: before, out, innerType, getter }: Definition): z.ZodType | undefined => {
  if (type === 'pipe') return before && definitionOf(before).type === 'transform' ? out : before
  return innerType ?? getter?.()
}

/** A text that the schema accepts, different each time as far as its length allows. */
function textOf(schema: z.ZodType): string {
  const text = randomUUID()
  const tries = [text, text.slice(-12), text.slice(-6), `${text}@gettone.test`]
  return tries.find((one) => schema.safeParse(one).success) ?? 'x'
}

/** The smallest value of a schema, with the ids of `ownOf`. It may break custom rules; the server then refuses it. */
export function leastOf(schema: z.ZodType, ownOf: (noun: IdName | undefined) => string): unknown {
  const definition = definitionOf(schema)
  switch (definition.type) {
    case 'object':
      return Object.fromEntries(
        Object.entries(definition.shape ?? {})
          .filter(([, value]) => !value.safeParse(undefined).success)
          .map(([key, value]) => [key, leastOf(value, ownOf)]),
      )
    case 'string':
      return definition.format === 'uuid'
        ? ownOf(nounOfId(schema))
        : definition.format === 'date'
          ? '2026-01-01'
          : textOf(schema)
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
      return schema.safeParse([]).success ? [] : [leastOf(definition.element as z.ZodType, ownOf)]
    case 'nullable':
      return null
    case 'union':
      return leastOf(definition.options?.[0] as z.ZodType, ownOf)
    default: {
      const inner = innerOf(definition)
      return inner ? leastOf(inner, ownOf) : undefined
    }
  }
}

import type { Option } from '../../value/option.ts'
import type { Filter } from '../types.ts'

/** The options of a filter: values, or the names of codes, as in `{ offline: 0, online: 1 }`. */
type Values = readonly (string | number)[] | Readonly<Record<string, number>>

const optionsOf = <V extends Values>(values: V, labelOf: (one: NameIn<V>) => string): Option[] => {
  const pairs = Array.isArray(values) ? values.map((value) => [value, value]) : Object.entries(values)
  return pairs.map(([name, value]) => ({ value: String(value), label: labelOf(name as NameIn<V>) }))
}
/** The label key of an option: the value itself, or the code's name. */
type NameIn<V extends Values> = V extends readonly (infer One)[] ? One : keyof V & string

const choosing =
  (kind: 'multi' | 'select') =>
  <V extends Values>(key: string, name: string, values: V, labelOf: (one: NameIn<V>) => string): Filter => {
    const options = optionsOf(values, labelOf)
    return { key, kind, name, values: options.map(({ value }) => value), options }
  }

/** A filter by any of several values. */
export const anyOf = choosing('multi')
/** A filter by one of several values. */
export const oneOf = choosing('select')

/** A filter by yes or no. */
export const whether = (key: string, name: string, yes: string, no: string): Filter =>
  oneOf(key, name, ['true', 'false'], (value) => (value === 'true' ? yes : no))

/** A filter by any of the known values; without known values it has no options. */
export const anyKnown = (key: string, name: string, options: readonly Option[] = []): Filter[] =>
  options.length > 0 ? [{ key, kind: 'multi', name, options }] : []

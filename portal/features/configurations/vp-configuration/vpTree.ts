import type { Json, JsonObject } from '#contract/configurations/vp-document.ts'
import { vpValueAt } from '#domain/configurations/vp-document.ts'
import { nodeOf, type VpNode, type VpSchema } from '#domain/configurations/vp-schema.ts'

/** The node of a path, through lists: `recipes.3.steps.0.amount`. Undefined where the schema has none. */
export function nodeAt(schema: VpSchema, path: string): VpNode | undefined {
  let node: VpNode | undefined = schema
  for (const name of path === '' ? [] : path.split('.')) {
    const at: VpNode | undefined = node && nodeOf(schema, node)
    node = at?.type === 'array' ? at.items : at?.properties?.[name]
  }
  return node && nodeOf(schema, node)
}

/** The last name of a path that is not an index: its label. */
export const nameOfPath = (path: string) =>
  path
    .split('.')
    .filter((one) => !/^\d+$/.test(one))
    .at(-1) ?? path

/** A part of the document with fields of its own: a section, or an entry of a list such as a recipe. */
export interface VpPlace {
  path: string
  section: string
  /** The entry's own name; undefined for a section. */
  entry: string | undefined
}

export const isEntries = (node: VpNode | undefined) => node?.['x-kind'] === 'entries'

/** Sections in the order of the schema, each list followed by its entries. */
export function placesOf(schema: VpSchema, document: JsonObject): VpPlace[] {
  return Object.entries(schema.properties ?? {}).flatMap(([section, raw]) => {
    const place: VpPlace = { path: section, section, entry: undefined }
    const value = document[section]
    if (!isEntries(nodeOf(schema, raw)) || !Array.isArray(value)) return [place]
    return [
      place,
      ...value.map((one, index) => ({ path: `${section}.${index}`, section, entry: entryName(one, index) })),
    ]
  })
}

const entryName = (value: Json, index: number) => {
  const name = vpValueAt(value, 'name')
  return typeof name === 'string' && name !== '' ? name : String(index + 1)
}

/** Whether a path lies in a place; a section of entries has none of its entries' paths. */
export const isWithin = (place: VpPlace, path: string, hasEntries: boolean) =>
  hasEntries && place.entry === undefined
    ? path === place.path
    : path === place.path || path.startsWith(`${place.path}.`)

/** The place that has the field of a path. */
export const placeOfPath = (places: readonly VpPlace[], path: string): VpPlace | undefined =>
  places.findLast((place) => path === place.path || path.startsWith(`${place.path}.`))

/** Every field with a label, for the search; steps are found by their recipe. */
export function fieldsOf(schema: VpSchema, document: JsonObject): string[] {
  const paths: string[] = []
  const walk = (path: string, value: Json) => {
    const node = nodeAt(schema, path)
    if (node?.type === 'object' || isEntries(node)) {
      const parts = Array.isArray(value) ? [...value.entries()] : Object.entries(value as JsonObject)
      for (const [name, one] of parts) walk(path === '' ? String(name) : `${path}.${name}`, one)
    } else if (node && path !== '') paths.push(path)
  }
  walk('', document)
  return paths
}

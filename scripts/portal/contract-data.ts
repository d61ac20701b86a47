import { pathToFileURL } from 'node:url'

type Row = Record<string, unknown> & { method: string; path: string; needs: string }

const isRow = (value: unknown): value is Row =>
  typeof value === 'object' && value !== null && 'method' in value && 'path' in value && 'needs' in value

const isSchema = (value: unknown) => typeof value === 'object' && value !== null && '_zod' in value

const isPlain = (value: unknown): boolean =>
  value === null ||
  ['string', 'number', 'boolean'].includes(typeof value) ||
  (Array.isArray(value)
    ? value.every(isPlain)
    : typeof value === 'object' &&
      Object.getPrototypeOf(value) === Object.prototype &&
      !isSchema(value) &&
      Object.values(value).every(isPlain))

/** What an app needs of an endpoint to call it. */
export type DataOfRow = (row: Row) => Record<string, unknown>

/** What an app needs of an export: the data of endpoints, and plain data. Of schemas and functions there is none. */
export function dataOf(value: unknown, ofRow: DataOfRow): unknown {
  if (isRow(value)) return ofRow(value)
  if (isPlain(value)) return value
  if (typeof value !== 'object' || value === null || isSchema(value)) return undefined
  const rows = Object.entries(value)
  return rows.length > 0 && rows.every(([, one]) => isRow(one))
    ? Object.fromEntries(rows.map(([name, one]) => [name, ofRow(one)]))
    : undefined
}

/** The exports of a module of the contract that are data, by name. */
export async function dataOfModule(path: string, ofRow: DataOfRow): Promise<Map<string, unknown>> {
  const module = (await import(pathToFileURL(path).href)) as Record<string, unknown>
  const exports = Object.entries(module).map(([name, value]) => [name, dataOf(value, ofRow)] as const)
  return new Map(exports.filter(([, value]) => value !== undefined))
}

/** A module that exports this data. */
export const moduleOf = (data: ReadonlyMap<string, unknown>): string =>
  [...data]
    .map(([name, value]) => `export const ${name} = ${JSON.stringify(value)};`)
    .concat('export {};')
    .join('\n')

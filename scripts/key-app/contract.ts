import { pathToFileURL } from 'node:url'
import type { Plugin } from 'vite'

type Row = { method: string; path: string; needs: string }

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

/** What the customers' app needs of an export: method and path of endpoints, and plain data. Schemas and functions are left out. */
export function dataOf(value: unknown): unknown {
  if (isRow(value)) return { method: value.method, path: value.path, needs: value.needs }
  if (isPlain(value)) return value
  if (typeof value !== 'object' || value === null || isSchema(value)) return undefined
  const rows = Object.entries(value)
  return rows.length > 0 && rows.every(([, one]) => isRow(one))
    ? Object.fromEntries(rows.map(([name, one]) => [name, dataOf(one)]))
    : undefined
}

/**
 * Gives the customers' app the contract as data. The server checks what the app sends, so the app needs neither zod nor the rules
 * of fields. An import of a schema or a function fails the build.
 */
export const contractAsData = (): Plugin => ({
  name: 'contract-as-data',
  enforce: 'pre',
  async load(id) {
    if (!/\/contract\/.*\.ts$/.test(id)) return undefined
    const module = (await import(pathToFileURL(id).href)) as Record<string, unknown>
    return Object.entries(module)
      .map(([name, value]) => [name, dataOf(value)] as const)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => `export const ${name} = ${JSON.stringify(value)};`)
      .concat('export {};')
      .join('\n')
  },
})

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type PublicApi, publicApi } from './public-api.ts'
import { typeOf } from './schema-type.ts'

const place = join(import.meta.dirname, '..', '..', 'client', 'api.gen.ts')

/** The types of the client for integrations, and the paths that it calls. */
export function clientText(api: PublicApi = publicApi()): string {
  const calls = Object.entries(api.calls)
  const paramsOf = (path: string) => [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => `${name}: string`).join('; ')
  const types = calls.map(([name, { path, summary, query, requiredQuery, answer, produces, body, takes }]) => {
    const filters = Object.entries(query).map(
      ([filter, schema]) => `${filter}${requiredQuery.includes(filter) ? '' : '?'}: ${typeOf(schema)}`,
    )
    const result = produces !== undefined ? 'Uint8Array' : answer ? typeOf(answer) : 'undefined'
    const sent = takes !== undefined ? 'Uint8Array' : body ? typeOf(body) : 'undefined'
    return `  /** ${summary}. */
  ${name}: { params: { ${paramsOf(path)} }; query: { ${filters.join('; ')} }; body: ${sent}; answer: ${result} }`
  })
  const events = Object.entries(api.events).map(([event, schema]) => `  '${event}': ${typeOf(schema)}`)
  const paths = calls.map(([name, { path }]) => `  ${name}: '${path}',`)
  const changes = calls.flatMap(([name, { method, takes }]) =>
    method ? [`  ${name}: { method: '${method}'${takes ? `, takes: '${takes}'` : ''} },`] : [],
  )
  return `// Written by npm run generate from the contract.

/** The calls of API tokens, by their names. */
export interface Calls {
${types.join('\n')}
}

/** The facts of each event of webhooks. */
export interface Events {
${events.join('\n')}
}

/** The path of each call below \`/api/v1\`. */
export const paths = {
${paths.join('\n')}
} as const satisfies Record<keyof Calls, string>

/** How the calls are sent that change something; the others are GET. */
export const changes: Partial<Record<keyof Calls, { method: string; takes?: string }>> = {
${changes.join('\n')}
}
`
}

/** Writes the generated file of the client. */
export const writeClient = (): void => writeFileSync(place, clientText())

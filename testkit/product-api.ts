import { endpoints } from '#contract/endpoints.ts'
import type { AnyEndpoint } from '#contract/frame/endpoint.ts'
import type { Role } from '#contract/vocabulary/roles.ts'
import { demoAccounts } from '#demo/operators/people.ts'
import { apiPrefix } from '#server/http/prefix.ts'
import { signIn } from '../bench/client.ts'
import { type AnyInput, addressOf, type TestClient } from './api.ts'

/** The password of all users of the demo. */
const password = 'Gettone-demo-1'

/**
 * A typed client of a running product for the demo's user of a role, signed in through the embedded provider. A refusal throws its problem
 * document, whose `code` is the error; files are bytes.
 */
export async function productClient({ url }: { url: string }, role: Role): Promise<TestClient> {
  const account = demoAccounts.find((one) => one.role === role)
  if (!account) throw new Error(`The demo has no ${role}`)
  const authorization = `Bearer ${await signIn(url, { email: account.email, password })}`
  return new Proxy({} as TestClient, {
    get: (_, name: string) =>
      name === 'then'
        ? undefined
        : async (input: AnyInput) => {
            const row = endpoints[name as keyof typeof endpoints] as unknown as AnyEndpoint
            const answer = await fetch(url + apiPrefix + addressOf(row.path, input), {
              method: row.method,
              headers: { authorization, ...(input.body !== undefined && { 'content-type': 'application/json' }) },
              ...(input.body !== undefined && { body: JSON.stringify(input.body) }),
            })
            const isJson = answer.headers.get('content-type')?.includes('json') ?? false
            const body: unknown = isJson ? await answer.json() : Buffer.from(await answer.arrayBuffer())
            if (!answer.ok) throw body
            return body
          },
  })
}

import type { EndpointName } from '#contract/endpoints.ts'
import { isOfKiosk } from '#contract/frame/endpoint.ts'
import { aKiosk, shownBy } from '../nouns/kiosks.ts'
import { samples } from './access-samples.ts'
import { rowOf, type World } from './trial.ts'

/** The calls that a wall display may make. A row that is added to them must be added here too. */
export const openToKiosks: readonly EndpointName[] = ['getKiosk', 'getKioskDashboard', 'mapKiosk']

/** Two displays for all calls: of the whole merchant, and of one of its groups. */
const displays = new WeakMap<World, Promise<{ secret: string }[]>>()

async function made({ api, ownAim, users }: World) {
  const [creator] = await api.database.admin<{ id: string }>('select id from users where subject = $1', [
    users.superAdmin.subject,
  ])
  const creatorId = creator?.id as string
  return Promise.all(
    [null, ownAim.groupId].map((groupId) => aKiosk(api.database, ownAim.merchantId, { creatorId, groupId })),
  )
}

/**
 * Calls one endpoint as wall displays. Their own calls are answered; every other one is refused, also with the ids of their own merchant. Calls without any
 * sign-in are public. Returns what was wrong.
 */
export async function triedAsKiosk(name: EndpointName, world: World): Promise<string[]> {
  const row = rowOf(name)
  if (isOfKiosk(row) !== openToKiosks.includes(name)) return ['the list of what a display may call is another one']
  if (row.needs === 'anyone') return []
  const both = displays.get(world) ?? made(world)
  displays.set(world, both)
  const wrong: string[] = []
  for (const { secret } of await both) {
    const { statusCode, payload } = await world.api.send(name, {
      ...samples[name].input(world.ownAim),
      headers: shownBy(secret),
    })
    const expected = isOfKiosk(row) ? row.status : 403
    if (statusCode !== expected) wrong.push(`a display: ${statusCode} instead of ${expected} ${payload}`)
  }
  return wrong
}

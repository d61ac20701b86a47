import type { Adapter, AdapterPayload } from 'oidc-provider'
import type { Doors } from '#database/frame/tenant.ts'
import {
  consumeState,
  dropState,
  dropStateOfGrant,
  findState,
  type StoredState,
  saveState,
} from '#database/people/identity.ts'

/** Stores oidc-provider's state in PostgreSQL, so that any process may answer any step of a sign-in. */
export const postgresAdapter =
  ({ withSystem }: Pick<Doors, 'withSystem'>) =>
  (model: string): Adapter => ({
    async upsert(id, payload, expiresIn) {
      const expiresAt = expiresIn ? new Date(Date.now() + expiresIn * 1000) : null
      await withSystem('identity', (db) => saveState(db, { model, id, payload: { ...payload }, expiresAt }))
    },
    // Our ids contain no NUL, and the database refuses it.
    find: async (id) =>
      id.includes('\0')
        ? undefined
        : payloadOf(await withSystem('identity', (db) => findState(db, model, { id }, new Date()))),
    findByUid: async (uid) =>
      payloadOf(await withSystem('identity', (db) => findState(db, model, { uid }, new Date()))),
    // Only the device flow has user codes, and it is disabled.
    findByUserCode: async () => undefined,
    consume: (id) => withSystem('identity', (db) => consumeState(db, model, id, new Date())),
    destroy: (id) => withSystem('identity', (db) => dropState(db, model, id)),
    revokeByGrantId: (grantId) => withSystem('identity', (db) => dropStateOfGrant(db, grantId)),
  })

/** The provider reads `consumed` as seconds since 1970. */
function payloadOf(stored: StoredState | undefined): AdapterPayload | undefined {
  if (!stored) return undefined
  return stored.consumedAt
    ? { ...stored.payload, consumed: Math.floor(stored.consumedAt.getTime() / 1000) }
    : stored.payload
}

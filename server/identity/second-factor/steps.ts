import { z } from 'zod'
import type { Doors } from '#database/frame/tenant.ts'
import { dropState, findState, saveState } from '#database/people/identity.ts'
import { takeState } from '#database/people/second-factor.ts'

/** Seconds that each step may take. */
const seconds = { SecondStep: 900, NewApp: 900, Challenge: 600, Confirmed: 600 } as const

const Owned = z.object({ accountId: z.string() })
const payloads = {
  /**
   * A sign-in after the right password, by its interaction: the user still proves a factor, or sets one up, or has done so
   * and reads the recovery codes.
   */
  SecondStep: Owned.extend({
    userId: z.string(),
    stage: z.enum(['prove', 'setUp', 'ready']),
    amr: z.array(z.string()),
  }),
  /** The secret of an authenticator app that has shown no code yet. */
  NewApp: Owned.extend({ sealedSecret: z.string() }),
  /** The challenge of a passkey; an empty account until the passkey names its user. */
  Challenge: Owned.extend({ challenge: z.string() }),
  /** A session whose user has just confirmed who they are. */
  Confirmed: Owned,
} as const

type Model = keyof typeof payloads
type Payload<M extends Model> = z.infer<(typeof payloads)[M]>

/**
 * Steps of the provider's pages between two requests. They are stored beside the provider's own state, so that any process may
 * answer, and end with the sessions of their account.
 */
export function openSteps({ withSystem }: Pick<Doors, 'withSystem'>) {
  const read = <M extends Model>(model: M, payload: Record<string, unknown> | undefined) =>
    payload && (payloads[model].parse(payload) as Payload<M>)
  return {
    put: <M extends Model>(model: M, id: string, payload: Payload<M>): Promise<void> =>
      withSystem('identity', (db) =>
        saveState(db, { model, id, payload, expiresAt: new Date(Date.now() + seconds[model] * 1000) }),
      ),

    find: async <M extends Model>(model: M, id: string): Promise<Payload<M> | undefined> => {
      const state = await withSystem('identity', (db) => findState(db, model, { id }, new Date()))
      return read(model, state?.payload)
    },

    /** Reads a step and ends it; of two concurrent uses one gets it. */
    take: async <M extends Model>(model: M, id: string): Promise<Payload<M> | undefined> =>
      read(model, await withSystem('identity', (db) => takeState(db, model, id, new Date()))),

    drop: (model: Model, id: string): Promise<void> => withSystem('identity', (db) => dropState(db, model, id)),
  }
}

export type Steps = ReturnType<typeof openSteps>

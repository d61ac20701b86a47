import { z } from 'zod'
import { endpoint } from '../frame/endpoint.ts'
import { Flag, Text } from '../frame/shapes.ts'
import { Me, MerchantFacts } from '../people/user.ts'
import { allMerchants } from '../vocabulary/merchant.ts'
import { Dashboard } from './dashboard.ts'

export const FirstScreen = z.strictObject({
  me: Me,
  /** The merchants that the user can see, by name. */
  merchants: z.array(MerchantFacts),
  /** The merchant to begin with, or all of them; null for a user without any. */
  merchantId: z.union([z.uuid(), z.literal(allMerchants)]).nullable(),
  /** Its dashboard; null if it was not requested, and where the user sees none. */
  dashboard: Dashboard.nullable(),
})

export const firstScreens = {
  getFirstScreen: endpoint({
    method: 'GET',
    path: '/users/me/first-screen',
    summary: 'Get the signed-in user, their merchants and the dashboard in one call',
    needs: 'profile.read',
    query: z.strictObject({
      /** The merchant to begin with, if the user can see it; an unknown one is ignored. */
      merchant: Text.max(100).optional(),
      dashboard: Flag.optional(),
    }),
    ok: FirstScreen,
    timeOut: 'large',
  }),
}

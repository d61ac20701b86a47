import { z } from 'zod'
import { roleMay } from '../access.ts'
import { always, saying } from '../frame/broken.ts'
import { isOfGroups, type Role } from '../vocabulary/roles.ts'

type Values = Record<string, unknown>
interface Chosen {
  allGroups?: boolean
  groupIds?: readonly string[]
}
const chosenIn = ({ merchants }: Values) => (Array.isArray(merchants) ? (merchants as readonly (Chosen | null)[]) : [])

/** At least one of `merchants`, unless `role` sees all of them. */
export const inAMerchant = z.superRefine<Values>((values, context) => {
  const isInNone = Array.isArray(values.merchants) && values.merchants.length === 0
  if (isInNone && !roleMay(values.role as Role, 'merchant.readAll'))
    context.addIssue({ code: 'custom', ...saying('merchantRequired'), path: ['merchants'] })
}, always)

/** All groups of each of `merchants`, or at least one; a `role` of groups needs at least one. */
export const inGroupsOfMerchants = z.superRefine<Values>((values, context) => {
  const needsOne = isOfGroups(values.role as Role)
  if (chosenIn(values).some((membership) => membership?.groupIds?.length === 0 && (needsOne || !membership.allGroups)))
    context.addIssue({ code: 'custom', ...saying('groupPerMerchant'), path: ['merchants'] })
}, always)

/** A demo needs its last day. */
export const demoExpires = z.superRefine<Values>(({ isDemo, demoExpiresOn }, context) => {
  if (isDemo === true && demoExpiresOn === null)
    context.addIssue({ code: 'custom', ...saying('demoExpiration'), path: ['demoExpiresOn'] })
}, always)

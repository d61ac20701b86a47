import { z } from 'zod'
import { roleMay } from '../access.ts'
import { endpoint } from '../frame/endpoint.ts'
import { Role, roles } from '../vocabulary/roles.ts'

/** Roles of which a merchant may require a second factor: its own users', not the provider's. */
export const secondFactorRoles: readonly Role[] = roles.filter((role) => !roleMay(role, 'merchant.readAll'))

const SecondFactorRole = Role.refine((role) => secondFactorRoles.includes(role))

/** How users of a merchant sign in. */
export const SignInRules = z.strictObject({
  /** Users of these roles need a second factor at their next sign-in. */
  secondFactorRoles: z
    .array(SecondFactorRole)
    .max(roles.length)
    .refine((chosen) => new Set(chosen).size === chosen.length, 'rule.choice'),
})
export type SignInRules = z.infer<typeof SignInRules>

export const signInRules = {
  getSignInRules: endpoint({
    method: 'GET',
    path: '/merchants/{merchantId}/sign-in-rules',
    summary: 'Get which roles of the merchant need a second factor',
    needs: 'settings.read',
    topics: ['merchant'],
    ok: SignInRules,
    fails: ['MerchantNotFoundException'],
  }),
  updateSignInRules: endpoint({
    method: 'PUT',
    path: '/merchants/{merchantId}/sign-in-rules',
    summary: 'Set which roles of the merchant need a second factor from their next sign-in on',
    needs: 'settings.write',
    body: SignInRules,
    ok: SignInRules,
    fails: ['MerchantNotFoundException'],
  }),
}

import { z } from 'zod'
import type { Permission } from '../access.ts'
import { type AnyEndpoint, endpoint } from '../frame/endpoint.ts'
import { Instant, InstantInput, LineText } from '../frame/shapes.ts'
import { wholeBetween } from '../rules/number.ts'
import { TokenScopeName } from './token-scope.ts'

/**
 * Areas of tokens from before there were scopes: reading a merchant's machine data, and provisioning its users by SCIM. They keep what they
 * have; new tokens have scopes.
 */
export const tokenPermissions = [
  'machine.read',
  'alarm.read',
  'transaction.read',
  'audit.read',
  'config.read',
  'remoteCommand.read',
  'note.read',
  'group.read',
  'dashboard.read',
  'client.read',
  'product.read',
  'planogram.read',
  'collection.read',
  'round.read',
  'refund.read',
  'user.provision',
] as const satisfies readonly Permission[]
export const TokenPermission = z.enum(tokenPermissions)
export type TokenPermission = z.infer<typeof TokenPermission>

/** Whether an area opens a row: reading, within one merchant. Never the user's own data or the deployment's. */
export const isOfAreas = ({ method, path, needs }: AnyEndpoint): boolean =>
  method === 'GET' && path.includes('{merchantId}') && (tokenPermissions as readonly string[]).includes(needs)

/** Days before its end on which the admins get a mail. */
export const tokenWarningDays = 14
/** The start of every token. */
export const tokenPrefix = 'gtt_'
/** The most that one merchant has. */
export const mostTokens = 20
/** Maximum hours for which the previous token stays valid after a rotation. */
export const longestGraceHours = 168

/** A token as users see it. `hint` is its first characters; the token itself is shown once, when it is created. */
export const ApiToken = z.strictObject({
  id: z.uuid(),
  name: z.string(),
  hint: z.string(),
  /** Areas of a token without scopes; otherwise none. */
  permissions: z.array(TokenPermission),
  /** Null: a token from before, with areas. */
  scopes: z.array(TokenScopeName).nullable(),
  createdAt: Instant,
  /** Null where the name is kept from the reader. */
  createdBy: z.string().nullable(),
  rotatedAt: Instant.nullable(),
  /** Until when the previous token stays valid. */
  previousUntil: Instant.nullable(),
  expiresAt: Instant.nullable(),
  lastUsedAt: Instant.nullable(),
  lastUsedFrom: z.string().nullable(),
})
export type ApiToken = z.infer<typeof ApiToken>

/** The only answers that hold a token. */
export const TokenOnce = z.strictObject({ token: z.string(), details: ApiToken })
export type TokenOnce = z.infer<typeof TokenOnce>

export const NewApiToken = z.strictObject({
  name: LineText.trim().min(1).max(100),
  /** What it may call, and nothing else. */
  scopes: z
    .array(TokenScopeName)
    .min(1)
    .refine((values) => new Set(values).size === values.length, 'rule.choice'),
  /** Null: it does not expire. */
  expiresAt: InstantInput.nullable(),
})
export type NewApiToken = z.infer<typeof NewApiToken>

const missing = ['MerchantNotFoundException', 'ApiTokenNotFound'] as const

export const apiTokens = {
  listApiTokens: endpoint({
    method: 'GET',
    path: '/merchants/{merchantId}/api-tokens',
    summary: 'List API tokens of the merchant, by name',
    needs: 'settings.read',
    topics: ['merchant'],
    ok: z.array(ApiToken),
    fails: ['MerchantNotFoundException'],
  }),
  createApiToken: endpoint({
    method: 'POST',
    path: '/merchants/{merchantId}/api-tokens',
    summary: 'Create an API token; only this response contains it',
    needs: 'settings.write',
    body: NewApiToken,
    hasSecret: true,
    ok: TokenOnce,
    status: 201,
    // A token sees every group, so only a user who sees every group may create one.
    fails: ['MerchantNotFoundException', 'Forbidden', 'ApiTokenNameTaken', 'TooManyApiTokens'],
  }),
  rotateApiToken: endpoint({
    method: 'POST',
    path: '/merchants/{merchantId}/api-tokens/{tokenId}/rotate',
    summary: 'Rotate an API token; the previous one ends immediately or after some hours',
    needs: 'settings.write',
    body: z.strictObject({ graceHours: wholeBetween(0, longestGraceHours) }),
    hasSecret: true,
    ok: TokenOnce,
    fails: [...missing, 'Forbidden'],
  }),
  revokeApiToken: endpoint({
    method: 'DELETE',
    path: '/merchants/{merchantId}/api-tokens/{tokenId}',
    summary: 'Revoke an API token immediately',
    needs: 'settings.write',
    fails: missing,
  }),
}

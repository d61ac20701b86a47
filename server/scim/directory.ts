import type { FastifyReply, FastifyRequest } from 'fastify'
import { ProductError } from '#contract/errors.ts'
import { tokenPermissions } from '#contract/merchants/api-token.ts'
import {
  type Membership,
  type UpdateUser,
  type UserDetails,
  UpdateUser as UserUpdate,
} from '#contract/people/user-edit.ts'
import { roles } from '#contract/vocabulary/roles.ts'
import { runsMerchants } from '#domain/people/user-edit.ts'
import { userEditHandlers } from '../api/people/user-edit.ts'
import type { CallLimit } from '../http/call-limit.ts'
import type { Services, UserCall } from '../http/handler.ts'
import { bearerOf } from '../http/token-bearer.ts'
import { ScimError } from './messages.ts'

/** The permission of tokens that provision users. */
export const provisioning = tokenPermissions.filter((permission) => permission === 'user.provision')

/** A call of a merchant's directory, with the rights of an admin of that merchant alone. */
export interface DirectoryCall extends UserCall {
  merchantId: string
}

/** The directory behind a token. Throws Unauthorized, Forbidden, TooManyRequests. */
export async function admitDirectory(
  services: Services,
  request: FastifyRequest,
  reply: FastifyReply,
  counted: CallLimit,
): Promise<DirectoryCall> {
  const token = /^Bearer ([\w.~+/=-]+)$/i.exec(request.headers.authorization ?? '')?.[1]
  if (!token) throw new ProductError('Unauthorized')
  const now = new Date()
  const { bearer, caller, user } = await bearerOf(services.doors, token, {
    address: request.ip,
    now,
    count: (tokenId) => counted(reply, 'token', tokenId, now.getTime()),
  })
  const mayProvision = bearer.scopes
    ? bearer.scopes.includes('users.provision')
    : bearer.permissions.some((permission) => provisioning.some((one) => one === permission))
  if (!mayProvision) throw new ProductError('Forbidden')
  if (bearer.isDemoOver) throw new ProductError('DemoExpired')
  const admin = roles.find(runsMerchants) ?? user.role
  const { merchantId } = bearer
  return { ...services, now, request, reply, caller, user: { ...user, role: admin }, merchantId }
}

/** A user of the merchant. Throws UserNotFound for all others. */
export const userOf = (call: DirectoryCall, userId: string): Promise<UserDetails> => {
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(userId)) throw new ProductError('UserNotFound')
  return userEditHandlers.getUser({ ...call, params: { userId }, query: undefined, body: undefined })
}

/** The user's membership of the call's merchant. */
export const membershipOf = ({ merchantId }: DirectoryCall, user: UserDetails): Membership => {
  const there = user.merchants.find((one) => one.merchantId === merchantId)
  return {
    merchantId,
    allGroups: there?.allGroups ?? false,
    groupIds: there?.groups.map(({ id }) => id) ?? [],
  }
}

/** Changes a user by the rules of the portal; fields that are left out stay. */
export async function updateUser(
  call: DirectoryCall,
  user: UserDetails,
  changed: Partial<Omit<UpdateUser, 'merchants'>> & { membership?: Membership },
): Promise<UserDetails> {
  const { membership, ...fields } = changed
  const body = UserUpdate.safeParse({
    version: user.version,
    email: user.email,
    name: user.name,
    language: user.language,
    role: user.role,
    merchants: [membership ?? membershipOf(call, user)],
    receiveNotifications: user.receiveNotifications,
    isSuspended: user.status === 'suspended',
    ...fields,
  })
  if (!body.success)
    throw new ScimError(400, 'invalidValue', body.error.issues.map(({ path }) => path.join('.')).join())
  return userEditHandlers.updateUser({ ...call, params: { userId: user.id }, query: undefined, body: body.data })
}

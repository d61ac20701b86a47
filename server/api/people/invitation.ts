import { type ErrorCode, ProductError } from '#contract/errors.ts'
import type { invitations } from '#contract/people/invitation.ts'
import { type Binding, bindByInvitation } from '#database/people/invitation.ts'
import { logSession } from '#database/people/user.ts'
import type { Handlers } from '#server/http/handler.ts'
import { hashOfLink } from '#server/identity/accounts.ts'

const refusals = {
  unknown: 'InvitationNotFound',
  used: 'InvitationUsed',
  expired: 'InvitationExpired',
  taken: 'IdentityTaken',
} as const satisfies Record<Extract<Binding, { refused: string }>['refused'], ErrorCode>

export const invitationHandlers: Handlers<typeof invitations> = {
  acceptInvitation: async ({ doors, caller, body, now, live }) => {
    // A caller without a role in this deployment does not use the link up.
    if (caller.role === null) throw new ProductError('UnauthorizedUserException')
    const { issuer, subject } = caller
    const binding = await doors.withSystem('identity', (db) =>
      bindByInvitation(db, { hash: hashOfLink(body.token), issuer, subject, now }),
    )
    if ('refused' in binding) throw new ProductError(refusals[binding.refused])
    live.announceUser(binding.userId)
    await logSession(doors, binding.userId, now, 'invitationAccepted', issuer)
    return undefined
  },
}

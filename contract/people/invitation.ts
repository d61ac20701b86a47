import { z } from 'zod'
import { endpoint } from '../frame/endpoint.ts'

/** The token of an invitation's link. */
const InvitationToken = z.string().regex(/^[\w-]{20,100}$/)

export const invitations = {
  acceptInvitation: endpoint({
    method: 'POST',
    path: '/users/me/invitation',
    summary: 'Accept an invitation as the signed-in identity',
    needs: 'newcomer',
    body: z.strictObject({ token: InvitationToken }),
    fails: ['InvitationNotFound', 'InvitationUsed', 'InvitationExpired', 'IdentityTaken'],
  }),
}

import { ProductError } from '#contract/errors.ts'
import type { Language } from '#contract/vocabulary/world/languages.ts'
import type { Doors } from '#database/frame/tenant.ts'
import type { Mail } from '../mail/mail.ts'
import { openAccounts } from './accounts.ts'
import { makeLetters } from './letters.ts'

export interface Invitations {
  /**
   * Mails a new single-use link to a user, in their language; earlier links end. Call it after the commit that created the
   * user. Throws ProductError `NotFound` for a missing user, and `InvitationNotSent` when the mail server refuses. The user
   * is kept in that case, and may be invited again.
   */
  send(userId: string): Promise<void>
}

/** Invitations of this deployment: to choose a password, or to sign in at an external provider. */
export function openInvitations(deps: {
  doors: Pick<Doors, 'withSystem'>
  mail: Pick<Mail, 'send'>
  /** The origin that links lead to. */
  origin: string
  /** For users without a language of their own. */
  defaultLanguage: Language | undefined
  /** Users sign in at an external provider. */
  isExternal: boolean
  log: { error: (facts: object, text: string) => void }
}): Invitations {
  const accounts = openAccounts(deps.doors)
  const letters = makeLetters(deps.origin, deps.mail)
  const write = deps.isExternal ? letters.externalInvitation : letters.invitation
  return {
    async send(userId) {
      const invitation = await accounts.invite(userId, new Date())
      if (!invitation) throw new ProductError('NotFound')
      await write(invitation.account, invitation.merchants, deps.defaultLanguage ?? 'en', invitation.token).catch(
        (error: unknown) => {
          deps.log.error({ err: error }, 'An invitation could not be sent')
          throw new ProductError('InvitationNotSent')
        },
      )
    },
  }
}

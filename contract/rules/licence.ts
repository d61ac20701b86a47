import { z } from 'zod'
import { always, saying } from '../frame/broken.ts'

/** A demo licence needs an expiration date. */
export const demoLicenceExpires = z.superRefine<Record<string, unknown>>(({ type, expiresOn }, context) => {
  if (type === 'cashlogyDemo' && expiresOn === null)
    context.addIssue({ code: 'custom', ...saying('demoExpiration'), path: ['expiresOn'] })
}, always)

import { portals } from '#contract/key-portal/portal.ts'
import { useAnswer } from './api.ts'
import { slug } from './place.ts'

/** The merchant's portal: name, colors, services. */
export const usePortal = () => useAnswer(portals.getPortal, { params: { portalSlug: slug } })

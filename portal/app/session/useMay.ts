import { type Permission, roleMay } from '#contract/access.ts'
import type { AnyEndpoint } from '#contract/frame/endpoint.ts'
import { useSession } from './useSession.ts'

/** Whether the user's role may call a row that needs a permission. */
export function useMay({ needs }: Pick<AnyEndpoint, 'needs'>): boolean {
  const { me } = useSession()
  return me !== null && roleMay(me.role, needs as Permission)
}

import type { Permission } from '#contract/access.ts'
import type { AnyEndpoint } from '#contract/frame/endpoint.ts'
import { userMay } from './may.ts'
import { useSession } from './useSession.ts'

/** Whether the user may call a row that needs a permission. */
export function useMay({ needs }: Pick<AnyEndpoint, 'needs'>): boolean {
  const { me } = useSession()
  return me !== null && userMay(me, needs as Permission)
}

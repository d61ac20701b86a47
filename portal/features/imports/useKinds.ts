import { roleMay } from '#contract/access.ts'
import { type ImportKind, importKindNames, importKindOf } from '#contract/imports/import-kinds.ts'
import { useMerchant } from '#portal/app/merchant.tsx'
import { useSession } from '#portal/app/session/useSession.ts'

/** The kinds that the user may import, at a merchant that has their features. */
export function useKinds(): ImportKind[] {
  const { me } = useSession()
  const { features } = useMerchant()
  return importKindNames.filter((kind) => {
    const { needs, feature } = importKindOf(kind)
    return needs.every((permission) => me && roleMay(me.role, permission)) && (!feature || features.has(feature))
  })
}

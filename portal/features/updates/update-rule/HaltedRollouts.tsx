import { useQuery } from '@tanstack/react-query'
import { haltedRollouts } from '#contract/updates/halted-rollout.ts'
import { queryOf } from '#portal/app/api.ts'
import { useMerchant } from '#portal/app/merchant.tsx'
import { useMay } from '#portal/app/session/useMay.ts'
import { lazyPart, Part } from '#portal/ui/part/lazyPart.tsx'

const row = haltedRollouts.listHaltedRollouts

/** Most screens show none: their words load with the first. */
const HaltedRolloutCard = lazyPart(() => import('./HaltedRolloutCard.tsx'), ['update-rule', 'vocabulary'])

/** Halted rollouts of the merchant, which wait for a decision; nothing without any. */
export function HaltedRollouts() {
  const { id: merchantId } = useMerchant()
  const enabled = useMay(row)
  const { data: rollouts = [] } = useQuery({ ...queryOf(row, { params: { merchantId } }), enabled })
  if (rollouts.length === 0) return null
  return (
    <Part>
      <HaltedRolloutCard rollouts={rollouts} />
    </Part>
  )
}

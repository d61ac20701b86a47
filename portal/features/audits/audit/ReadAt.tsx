import { useMerchantOf } from '#portal/app/merchant.tsx'
import { When } from '#portal/ui/time/When.tsx'

/** When an audit was read, in the zone of its machine's merchant. */
export function ReadAt({ audit }: { audit: { merchantId: string; readAt: string } }) {
  const { timeZone } = useMerchantOf(audit.merchantId)
  return <When at={audit.readAt} as="exact" timeZone={timeZone} />
}

import { useMerchant, useMerchants } from '#portal/app/merchant.tsx'

/** The currencies of the merchants in view, known before any number. */
export function useCurrencies(): readonly string[] {
  const merchant = useMerchant()
  const merchants = useMerchants()
  const visibleMerchants = merchant.isAll ? merchants : merchants.filter(({ id }) => id === merchant.id)
  return [...new Set(visibleMerchants.map(({ currency }) => currency))].sort()
}

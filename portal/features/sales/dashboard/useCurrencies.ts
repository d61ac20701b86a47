import { useMerchant, useMerchants } from '#portal/app/merchant.tsx'

/** The currencies of what is shown, known before any number of it. */
export function useCurrencies(): readonly string[] {
  const merchant = useMerchant()
  const merchants = useMerchants()
  const shown = merchant.isAll ? merchants : merchants.filter(({ id }) => id === merchant.id)
  return [...new Set(shown.map(({ currency }) => currency))].sort()
}

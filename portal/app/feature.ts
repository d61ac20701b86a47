import { useMemo } from 'react'
import type { Feature } from '#contract/vocabulary/feature.ts'
import { isEnabled, type Wants } from './enabled.ts'
import { useMerchant, useMerchants } from './merchant.tsx'

/** Whether the chosen merchant has a feature. */
export const useFeature = (feature: Feature) => useMerchant().features.has(feature)

/** The same for whoever a row belongs to: under "all distributors" one merchant has it and the next has not. */
export function useFeatureOf(feature: Feature): (merchantId: string) => boolean {
  const merchants = useMerchants()
  return useMemo(() => {
    const able = new Set(merchants.filter(({ features }) => features.includes(feature)).map(({ id }) => id))
    return (merchantId) => able.has(merchantId)
  }, [merchants, feature])
}

/** Those of some parts that the chosen merchant may use. */
export function useEnabled<T extends Wants>(parts: readonly T[]): readonly T[] {
  const merchant = useMerchant()
  return useMemo(() => parts.filter((part) => isEnabled(part, merchant)), [parts, merchant])
}

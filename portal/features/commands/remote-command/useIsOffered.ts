import { useCallback } from 'react'
import { commandFamilies, commandFeatures, type RemoteCommandType } from '#contract/vocabulary/remote-command.ts'
import { isEnabled } from '#portal/app/enabled.ts'
import { useMerchant } from '#portal/app/merchant.tsx'

/** Whether the merchant has the features that a command needs. */
export function useIsOffered() {
  const merchant = useMerchant()
  return useCallback(
    (type: RemoteCommandType) => isEnabled({ feature: commandFeatures[type], family: commandFamilies[type] }, merchant),
    [merchant],
  )
}

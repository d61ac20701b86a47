import { webPaymentConfigs } from '#contract/cashless/web-payment-config.ts'
import { useCommand } from '#portal/app/api.ts'
import { useMerchant } from '#portal/app/merchant.tsx'
import { trialLooks, trialStateOf } from './accountLooks.ts'

/** Tests the saved credentials of an account. */
export function useTrial(serviceId: string) {
  const { id: merchantId } = useMerchant()
  const { mutate, data, isPending } = useCommand(webPaymentConfigs.tryWebPaymentConfig)
  return {
    run: () => mutate({ params: { merchantId, serviceId } }),
    isPending,
    result: data && !isPending ? trialStateOf(data) : undefined,
    looks: trialLooks,
  }
}

import { useTranslation } from 'react-i18next'
import type { WebPaymentChoice } from '#contract/cashless/web-payment-config.ts'
import {
  NewPayment,
  NewRecharge,
  type NewWebPaymentOrder,
  type WebPaymentOrder,
  webPaymentOrders,
} from '#contract/cashless/web-payment-order.ts'
import type { WebPaymentKind } from '#contract/vocabulary/web-payment.ts'
import { useCommand } from '#portal/app/api.ts'
import { useMerchant } from '#portal/app/merchant.tsx'
import { SelectField } from '#portal/ui/form/choices/SelectField.tsx'
import { FormScreen } from '#portal/ui/form/FormScreen.tsx'
import { MoneyField } from '#portal/ui/form/fields/MoneyField.tsx'
import { TextField } from '#portal/ui/form/fields/TextField.tsx'
import { useSchemaForm } from '#portal/ui/form/useSchemaForm.ts'

interface Props {
  kind: WebPaymentKind
  services: readonly WebPaymentChoice[]
  done: (order: WebPaymentOrder) => void
  cancel: () => void
}

/** The medium or the reason, the amount, and the service with which it is paid. */
export function NewLinkForm({ kind, services, done, cancel }: Props) {
  const { t } = useTranslation('web-payment-order')
  const { id: merchantId, currency = 'EUR' } = useMerchant()
  const isRecharge = kind === 'recharge'
  // A repeated attempt is the same order.
  const form = useSchemaForm<Record<string, unknown>>(isRecharge ? NewRecharge : NewPayment, {
    kind,
    id: crypto.randomUUID(),
    serviceId: services[0]?.serviceId ?? '',
    ...(isRecharge ? { serial: '' } : { description: '' }),
    amount: null,
  })
  const start = useCommand(webPaymentOrders.startWebPayment, { isQuiet: true })
  const save = async (values: Record<string, unknown>) => {
    done(await start.mutateAsync({ params: { merchantId }, body: values as NewWebPaymentOrder }))
  }
  return (
    <FormScreen
      form={form}
      save={save}
      saveName={t('link.do')}
      codes={{ MediaNotFound: 'serial', WebPaymentMediaBlocked: 'serial', WebPaymentCurrencyNotSupported: 'serviceId' }}
      isSaving={start.isPending}
      error={start.error}
      cancel={cancel}
    >
      {isRecharge ? (
        <TextField form={form} name="serial" label={t('link.serial')} maxLength={60} autoComplete="off" isRequired />
      ) : (
        <TextField form={form} name="description" label={t('column.description')} maxLength={200} isRequired />
      )}
      <MoneyField form={form} name="amount" label={t('column.amount')} currency={currency} isRequired />
      <SelectField
        form={form}
        name="serviceId"
        label={t('column.service')}
        options={services.map(({ serviceId, serviceName }) => ({ value: serviceId, label: serviceName }))}
        isRequired
      />
    </FormScreen>
  )
}

import { Box } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { webPaymentTypes } from '#contract/vocabulary/web-payment.ts'
import { SelectField } from '#portal/ui/form/choices/SelectField.tsx'
import { SwitchField } from '#portal/ui/form/choices/SwitchField.tsx'
import { NumberField } from '#portal/ui/form/fields/NumberField.tsx'
import { TextField } from '#portal/ui/form/fields/TextField.tsx'
import { UrlField } from '#portal/ui/form/fields/UrlField.tsx'
import type { SchemaForm } from '#portal/ui/form/useSchemaForm.ts'
import { Columns } from '#portal/ui/page/Columns.tsx'
import type { MerchantValues } from './merchantValues.ts'
import { useMerchantWords } from './useMerchantWords.ts'

const providers = Object.entries(webPaymentTypes).map(([label, number]) => ({ value: String(number), label }))

/** The services that a merchant has bought, and the addresses of its own systems. */
export function Services({ form }: { form: SchemaForm<MerchantValues> }) {
  const { t } = useTranslation('merchant')
  const { names } = useMerchantWords()
  const { erpApiUrl, screenConfigurationManagement } = form.getValues()
  const hasErp = erpApiUrl !== ''
  return (
    <Columns of="repeat(2, minmax(0, 1fr))" from="xs" gap="far" rowGap="md" align="start" pt="tight">
      <SwitchField form={form} name="webPortal" label={names.webPortal} description={t('text.webPortal')} />
      <SwitchField form={form} name="mobileApp" label={names.mobileApp} description={t('text.mobileApp')} />
      <SwitchField form={form} name="prepaid3Years" label={names.prepaid3Years} description={t('text.prepaid3Years')} />
      <SwitchField
        form={form}
        name="portalRecharge"
        label={names.portalRecharge}
        description={t('text.portalRecharge')}
      />
      <SwitchField form={form} name="creditBackup" label={names.creditBackup} description={t('text.creditBackup')} />
      <SwitchField
        form={form}
        name="screenConfigurationManagement"
        label={names.screenConfigurationManagement}
        description={t('text.screenConfigurationManagement')}
      />
      {screenConfigurationManagement && (
        <NumberField
          form={form}
          name="enrolmentWhitelistDays"
          label={names.enrolmentWhitelistDays}
          description={t('text.enrolmentWhitelistDays')}
          unit={t('days')}
          min={1}
          max={365}
          isRequired
        />
      )}
      <SelectField
        form={form}
        name="externalOcfService"
        label={names.externalOcfService}
        description={t('text.externalOcfService')}
        options={[{ value: '', label: t('none') }, ...providers]}
        keep={(value) => (value === '' ? null : Number(value))}
      />
      <Box className="whole">
        <TextField
          form={form}
          name="webSocketUrl"
          label={names.webSocketUrl}
          description={t('text.webSocketUrl')}
          placeholder="wss://"
          maxLength={2048}
          autoComplete="off"
        />
      </Box>
      <Box className="whole">
        <UrlField
          form={form}
          name="creditCardPaymentUrl"
          label={names.creditCardPaymentUrl}
          description={t('text.creditCardPaymentUrl')}
        />
      </Box>
      <Box className="whole">
        <UrlField form={form} name="erpApiUrl" label={names.erpApiUrl} description={t('text.erpApiUrl')} />
      </Box>
      <SwitchField
        form={form}
        name="erpTemperatureHistory"
        label={names.erpTemperatureHistory}
        description={t('text.erpTemperatureHistory')}
        isDisabled={!hasErp}
      />
      <SwitchField
        form={form}
        name="erpSignalHistory"
        label={names.erpSignalHistory}
        description={t('text.erpSignalHistory')}
        isDisabled={!hasErp}
      />
    </Columns>
  )
}

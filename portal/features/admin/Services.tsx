import { useTranslation } from 'react-i18next'
import { webPaymentTypes } from '#contract/vocabulary/web-payment.ts'
import { NumberField } from '../../ui/form/fields/NumberField.tsx'
import { SwitchField } from '../../ui/form/fields/SwitchField.tsx'
import { TextField } from '../../ui/form/fields/TextField.tsx'
import { UrlField } from '../../ui/form/fields/UrlField.tsx'
import type { SchemaForm } from '../../ui/form/useSchemaForm.ts'
import classes from './MerchantForm.module.css'
import type { MerchantValues } from './merchantValues.ts'
import { SelectField } from './SelectField.tsx'
import { useMerchantWords } from './useMerchantWords.ts'

const providers = Object.entries(webPaymentTypes).map(([value, label]) => ({ value, label }))

/** What a merchant has bought, and where its own systems are. */
export function Services({ form }: { form: SchemaForm<MerchantValues> }) {
  const { t } = useTranslation('merchant')
  const { names } = useMerchantWords()
  const { erpApiUrl, screenConfigurationManagement } = form.getValues()
  const hasErp = erpApiUrl !== ''
  return (
    <div className={classes.fields}>
      <SwitchField form={form} name="webPortal" label={names.webPortal} description={t('text.webPortal')} />
      <SwitchField form={form} name="mobileApp" label={names.mobileApp} />
      <SwitchField form={form} name="prepaid3Years" label={names.prepaid3Years} />
      <SwitchField form={form} name="portalRecharge" label={names.portalRecharge} />
      <SwitchField form={form} name="creditBackup" label={names.creditBackup} />
      <SwitchField form={form} name="screenConfigurationManagement" label={names.screenConfigurationManagement} />
      {screenConfigurationManagement && (
        <NumberField
          form={form}
          name="enrolmentWhitelistDays"
          label={names.enrolmentWhitelistDays}
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
        options={[{ value: '', label: t('none') }, ...providers]}
        keep={(value) => (value === '' ? null : Number(value))}
      />
      <div className={classes.whole}>
        <TextField
          form={form}
          name="webSocketUrl"
          label={names.webSocketUrl}
          placeholder="wss://"
          maxLength={2048}
          autoComplete="off"
        />
      </div>
      <div className={classes.whole}>
        <UrlField form={form} name="creditCardPaymentUrl" label={names.creditCardPaymentUrl} />
      </div>
      <div className={classes.whole}>
        <UrlField form={form} name="erpApiUrl" label={names.erpApiUrl} />
      </div>
      <SwitchField form={form} name="erpTemperatureHistory" label={names.erpTemperatureHistory} isDisabled={!hasErp} />
      <SwitchField form={form} name="erpSignalHistory" label={names.erpSignalHistory} isDisabled={!hasErp} />
    </div>
  )
}

import { useTranslation } from 'react-i18next'
import {
  type WebPaymentConfig,
  WebPaymentConfigForm,
  webPaymentConfigs,
} from '#contract/cashless/web-payment-config.ts'
import { type CredentialField, credentialFieldsOf } from '#contract/vocabulary/web-payment.ts'
import { useCommand } from '#portal/app/api.ts'
import { useMerchant } from '#portal/app/merchant.tsx'
import { toast } from '#portal/app/toast/toast.tsx'
import { SwitchField } from '#portal/ui/form/choices/SwitchField.tsx'
import { FormScreen } from '#portal/ui/form/FormScreen.tsx'
import { TextField } from '#portal/ui/form/fields/TextField.tsx'
import { useSchemaForm } from '#portal/ui/form/useSchemaForm.ts'
import { SecretField } from './SecretField.tsx'

const emptyOf = (fields: readonly CredentialField[]) => Object.fromEntries(fields.map(({ name }) => [name, '']))

const valuesOf = ({ isActive, credentials, serviceType, version }: WebPaymentConfig): WebPaymentConfigForm => {
  const fields = credentialFieldsOf(serviceType)
  return {
    // A new account is meant to be used.
    isActive: version === 0 || isActive,
    credentials: { ...emptyOf(fields.filter((field) => !field.isSecret)), ...credentials },
    secrets: emptyOf(fields.filter((field) => field.isSecret)),
  }
}

/** The credentials of an account. Secrets are only written: an empty one stays. */
export function AccountForm({
  account,
  done,
  cancel,
}: {
  account: WebPaymentConfig
  done: () => void
  cancel: () => void
}) {
  const { t } = useTranslation('web-payment-config')
  const { id: merchantId } = useMerchant()
  const form = useSchemaForm<WebPaymentConfigForm>(WebPaymentConfigForm, valuesOf(account))
  const update = useCommand(webPaymentConfigs.updateWebPaymentConfig, { isQuiet: true })
  const save = async ({ secrets, ...values }: WebPaymentConfigForm) => {
    const typed = Object.fromEntries(Object.entries(secrets).filter(([, text]) => text.trim() !== ''))
    await update.mutateAsync({
      params: { merchantId, serviceId: account.serviceId },
      body: { ...values, secrets: typed, version: account.version },
    })
    toast.success('web-payment-config:saved', { name: account.serviceName })
    done()
  }
  return (
    <FormScreen
      form={form}
      of={account.serviceId}
      save={save}
      isSaving={update.isPending}
      error={update.error}
      cancel={cancel}
    >
      {credentialFieldsOf(account.serviceType).map(({ name, isSecret, isLong }) =>
        isSecret ? (
          <SecretField
            key={name}
            form={form}
            name={`secrets.${name}`}
            label={t(`credential.${name}`)}
            description={account.secrets.includes(name) ? t('keep') : undefined}
            isRequired={!account.secrets.includes(name)}
            isLong={isLong ?? false}
          />
        ) : (
          <TextField
            key={name}
            form={form}
            name={`credentials.${name}`}
            label={t(`credential.${name}`)}
            maxLength={500}
            autoComplete="off"
            isRequired
          />
        ),
      )}
      <SwitchField form={form} name="isActive" label={t('isActive')} description={t('isActiveText')} />
    </FormScreen>
  )
}

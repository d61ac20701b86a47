import { Checkbox, SimpleGrid } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { type ApiToken, apiTokens, NewApiToken, tokenPermissions } from '#contract/merchants/api-token.ts'
import { useCommand } from '#portal/app/api.ts'
import { useMerchant } from '#portal/app/merchant.tsx'
import { InstantField } from '#portal/ui/form/choices/InstantField.tsx'
import { FormScreen } from '#portal/ui/form/FormScreen.tsx'
import { TextField } from '#portal/ui/form/fields/TextField.tsx'
import { useSchemaForm } from '#portal/ui/form/useSchemaForm.ts'

/** The name of a new token, its permissions, and its expiry. */
export function NewTokenForm({
  done,
  cancel,
}: {
  done: (token: string, details: ApiToken) => void
  cancel: () => void
}) {
  const { t } = useTranslation('settings')
  const { id: merchantId } = useMerchant()
  const form = useSchemaForm<NewApiToken>(NewApiToken, { name: '', permissions: [], expiresAt: null })
  const create = useCommand(apiTokens.createApiToken, { isQuiet: true })
  const save = async (body: NewApiToken) => {
    const { token, details } = await create.mutateAsync({ params: { merchantId }, body })
    done(token, details)
  }
  return (
    <FormScreen
      form={form}
      save={save}
      saveName={t('token.make')}
      codes={{ ApiTokenNameTaken: 'name' }}
      isSaving={create.isPending}
      cancel={cancel}
      error={create.error}
    >
      <TextField
        form={form}
        name="name"
        label={t('token.name')}
        description={t('token.nameText')}
        maxLength={100}
        isRequired
      />
      <Checkbox.Group
        label={t('token.permissions')}
        description={t('token.permissionsText')}
        withAsterisk
        {...form.getInputProps('permissions')}
      >
        <SimpleGrid minColWidth={200} spacing="md" verticalSpacing="near" mt="near">
          {tokenPermissions.map((permission) => (
            <Checkbox key={permission} value={permission} label={t(`permission.${permission}`)} />
          ))}
        </SimpleGrid>
      </Checkbox.Group>
      <InstantField form={form} name="expiresAt" label={t('token.expiry')} description={t('token.expiryText')} />
    </FormScreen>
  )
}

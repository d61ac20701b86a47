import { Checkbox, SimpleGrid, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { toWire } from '#contract/frame/instant.ts'
import { type ApiToken, apiTokens, NewApiToken } from '#contract/merchants/api-token.ts'
import { isReading, subjectOf, tokenScopeNames } from '#contract/merchants/token-scope.ts'
import { useCommand } from '#portal/app/api.ts'
import { useMerchant } from '#portal/app/merchant.tsx'
import { InstantField } from '#portal/ui/form/choices/InstantField.tsx'
import { FormScreen } from '#portal/ui/form/FormScreen.tsx'
import { TextField } from '#portal/ui/form/fields/TextField.tsx'
import { useSchemaForm } from '#portal/ui/form/useSchemaForm.ts'
import { useScopeName } from './useScopeName.ts'

/** A new token ends after this time, unless its maker chooses otherwise. */
const yearMs = 365 * 86_400_000

const kinds = {
  reading: tokenScopeNames.filter(isReading),
  changing: tokenScopeNames.filter((scope) => !isReading(scope)),
}

/** The name of a new token, what it may call (nothing until it is chosen), and its end. */
export function NewTokenForm({
  done,
  cancel,
}: {
  done: (token: string, details: ApiToken) => void
  cancel: () => void
}) {
  const { t } = useTranslation('settings')
  const { id: merchantId } = useMerchant()
  const scopeName = useScopeName()
  const [expiresAt] = useState(() => toWire(new Date(Date.now() + yearMs)))
  const form = useSchemaForm<NewApiToken>(NewApiToken, { name: '', scopes: [], expiresAt })
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
        label={t('token.scopes')}
        description={t('token.scopesText')}
        withAsterisk
        {...form.getInputProps('scopes')}
      >
        {(['reading', 'changing'] as const).map((kind) => (
          <div key={kind}>
            <Text mt="near" fz="fine" fw={500}>
              {t(`token.kind.${kind}`)}
            </Text>
            <SimpleGrid minColWidth={200} spacing="md" verticalSpacing="near" mt="near">
              {kinds[kind].map((scope) => (
                <Checkbox
                  key={scope}
                  value={scope}
                  label={t(`scope.${subjectOf(scope)}`)}
                  aria-label={scopeName(scope)}
                />
              ))}
            </SimpleGrid>
          </div>
        ))}
      </Checkbox.Group>
      <InstantField form={form} name="expiresAt" label={t('token.expiry')} description={t('token.expiryText')} />
    </FormScreen>
  )
}

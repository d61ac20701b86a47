import { Alert, Button, PasswordInput, Stack, Text } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { z } from 'zod'
import { type ScreenStorage, StorageAddress, screenStorage } from '#contract/configurations/screen-storage.ts'
import { queryOf, useCommand } from '#portal/app/api.ts'
import { AddressMerchant, useMerchant } from '#portal/app/merchant.tsx'
import { toast } from '#portal/app/toast/toast.tsx'
import { useConfirm } from '#portal/ui/dialog/ConfirmDialog.tsx'
import { FormScreen } from '#portal/ui/form/FormScreen.tsx'
import { TextField } from '#portal/ui/form/fields/TextField.tsx'
import { useField } from '#portal/ui/form/fields/useField.tsx'
import { type SchemaForm, useSchemaForm } from '#portal/ui/form/useSchemaForm.ts'
import { Card } from '#portal/ui/page/Card.tsx'
import { OneMerchantPage } from '#portal/ui/page/OneMerchantPage.tsx'
import { When } from '#portal/ui/time/When.tsx'

const Fields = z.object({
  url: StorageAddress,
  username: z.string().trim().min(1).max(200),
  password: z.string().max(500),
})
type Fields = z.infer<typeof Fields>

/** The storage of a merchant's screen content. The server signs in to it before it is saved. */
export default function StorageScreen() {
  return (
    <AddressMerchant>
      <Storage />
    </AddressMerchant>
  )
}

function Storage() {
  const { t } = useTranslation('screen-storage')
  const { isAll, name, id: merchantId } = useMerchant()
  const query = useQuery({
    ...queryOf(screenStorage.getScreenStorage, { params: { merchantId } }),
    enabled: !isAll,
  })
  return (
    <OneMerchantPage
      words="screen-storage"
      title={t('title')}
      subtitle={t('subtitle', { merchant: name })}
      query={query}
    >
      {(storage) => <StorageForm key={`${merchantId} ${storage.version === 0}`} storage={storage} />}
    </OneMerchantPage>
  )
}

const valuesOf = ({ url, username }: ScreenStorage): Fields => ({ url, username, password: '' })

function StorageForm({ storage }: { storage: ScreenStorage }) {
  const { t } = useTranslation('screen-storage')
  const { merchantId, hasPassword, protocol, testedAt, version } = storage
  const form = useSchemaForm<Fields>(Fields, valuesOf(storage))
  const update = useCommand(screenStorage.updateScreenStorage, { isQuiet: true })
  const remove = useCommand(screenStorage.deleteScreenStorage, { says: 'screen-storage:removed' })
  const { ask, dialog } = useConfirm()
  const save = async ({ password, ...values }: Fields, version: number) => {
    const body = { ...values, version, ...(password !== '' && { password }) }
    const saved = await update.mutateAsync({ params: { merchantId }, body })
    toast.success('screen-storage:saved')
    return saved
  }
  const record = {
    version,
    values: valuesOf(storage),
    read: (saved: unknown) => ({
      version: (saved as ScreenStorage).version,
      values: valuesOf(saved as ScreenStorage),
    }),
    names: { url: t('field.url'), username: t('field.username'), password: t('field.password') },
  }
  return (
    <>
      <FormScreen
        form={form}
        record={record}
        save={save}
        codes={{
          RepositoryAuthenticationFailed: 'password',
          RepositoryNotReachable: 'url',
          RepositoryAddressRefused: 'url',
          RepositoryRedirects: 'url',
          RepositoryNoStorage: 'url',
        }}
        saveName={t('save')}
        isSaving={update.isPending}
        error={update.error}
      >
        <Card title={t('card')}>
          <Stack gap="md">
            <TextField form={form} name="url" label={t('field.url')} description={t('hint.url')} isRequired />
            <TextField form={form} name="username" label={t('field.username')} isRequired />
            <Password form={form} hasPassword={hasPassword} />
            {testedAt && protocol && (
              <Text c="dimmed" fz="fine">
                {t(`tested.${protocol}`)} <When at={testedAt} />
              </Text>
            )}
            {version > 0 && <Copies copies={storage.copies} />}
            {version > 0 && (
              <div>
                <Button
                  variant="subtle"
                  leftSection={<IconTrash size={15} aria-hidden />}
                  onClick={() =>
                    ask({
                      title: t('remove.title'),
                      consequence: t('remove.consequence'),
                      confirm: t('remove.do'),
                      dismiss: { how: 'leave' },
                      isDanger: true,
                      act: () => remove.mutateAsync({ params: { merchantId } }),
                    })
                  }
                >
                  {t('remove.do')}
                </Button>
              </div>
            )}
          </Stack>
        </Card>
      </FormScreen>
      {dialog}
    </>
  )
}

/** What the storage has of the content that machines were sent, and why it lacks the rest. */
function Copies({ copies: { copied, waiting, fault, failedAt } }: Pick<ScreenStorage, 'copies'>) {
  const { t } = useTranslation('screen-storage')
  return (
    <div role="status">
      <Text c="dimmed" fz="fine">
        {waiting === 0 ? t('copies.all', { count: copied }) : t('copies.waiting', { copied, count: waiting })}
      </Text>
      {fault && failedAt && (
        <Alert color="warn" title={t('copies.failed')} mt="xs">
          {t(`copies.fault.${fault}`)} {t('copies.retry')} <When at={failedAt} />
        </Alert>
      )}
    </div>
  )
}

function Password({ form, hasPassword }: { form: SchemaForm<Fields>; hasPassword: boolean }) {
  const { t } = useTranslation(['screen-storage', 'form'])
  const { value, set, leave, input } = useField<string, Fields>({
    form,
    name: 'password',
    label: t('screen-storage:field.password'),
    description: hasPassword ? t('screen-storage:hint.kept') : t('screen-storage:hint.password'),
    isRequired: !hasPassword,
    isSecret: true,
  })
  return (
    <PasswordInput
      {...input}
      autoComplete="new-password"
      maxLength={500}
      visibilityToggleButtonProps={{ 'aria-label': t('form:field.password.show'), tabIndex: 0 }}
      value={value}
      onChange={({ currentTarget }) => set(currentTarget.value)}
      onBlur={leave}
    />
  )
}

import { Checkbox, Skeleton, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { SignInRules, secondFactorRoles, signInRules } from '#contract/merchants/sign-in-rules.ts'
import { queryOf, useCommand } from '#portal/app/api.ts'
import { useMerchant } from '#portal/app/merchant.tsx'
import { FormScreen } from '#portal/ui/form/FormScreen.tsx'
import { useSchemaForm } from '#portal/ui/form/useSchemaForm.ts'
import { Card } from '#portal/ui/page/Card.tsx'
import { ErrorState } from '#portal/ui/part/ErrorState.tsx'

/** Which roles of the merchant need a second factor. */
export function SignInCard() {
  const { t } = useTranslation('settings')
  const { id: merchantId } = useMerchant()
  const { data, error, refetch } = useQuery(queryOf(signInRules.getSignInRules, { params: { merchantId } }))
  return (
    <Card title={t('signIn.title')} note={t('signIn.note')}>
      {error && !data && <ErrorState isSmall error={error} retry={refetch} />}
      {!data && !error && <Skeleton height={60} my={10} />}
      {data && <SignInForm key={`${merchantId} ${data.secondFactorRoles.join()}`} rules={data} />}
    </Card>
  )
}

function SignInForm({ rules }: { rules: SignInRules }) {
  const { t } = useTranslation(['settings', 'shell'])
  const { id: merchantId } = useMerchant()
  const form = useSchemaForm<SignInRules>(SignInRules, rules)
  const update = useCommand(signInRules.updateSignInRules, { says: 'settings:signIn.saved' })
  return (
    <FormScreen
      form={form}
      save={async (body) => {
        await update.mutateAsync({ params: { merchantId }, body })
      }}
      saveName={t('settings:signIn.save')}
      isSaving={update.isPending}
      error={update.error}
    >
      <Checkbox.Group
        label={t('settings:signIn.label')}
        description={t('settings:signIn.text')}
        {...form.getInputProps('secondFactorRoles')}
      >
        <Stack gap="near" mt="near">
          {secondFactorRoles.map((role) => (
            <Checkbox key={role} value={role} label={t(`shell:roles.${role}`)} />
          ))}
        </Stack>
      </Checkbox.Group>
    </FormScreen>
  )
}

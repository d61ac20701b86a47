import { NativeSelect, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { roleMay } from '#contract/access.ts'
import type { UserDetails, UserForm } from '#contract/people/user-edit.ts'
import { type Role, roles } from '#contract/vocabulary/roles.ts'
import { type Language, languageNames, languages } from '#contract/vocabulary/world/languages.ts'
import { isProviders, mayLicense } from '#domain/people/user-edit.ts'
import { useSession } from '#portal/app/session/useSession.ts'
import { SwitchField } from '#portal/ui/form/choices/SwitchField.tsx'
import { TextField } from '#portal/ui/form/fields/TextField.tsx'
import type { SchemaForm } from '#portal/ui/form/useSchemaForm.ts'
import { Card } from '#portal/ui/page/Card.tsx'
import { Columns } from '#portal/ui/page/Columns.tsx'
import { Note } from '#portal/ui/page/Note.tsx'
import { MembershipsField } from './MembershipsField.tsx'
import { begun } from './userForm.ts'

interface Props {
  form: SchemaForm<UserForm>
  hidesGroups: boolean
  savedUser?: UserDetails
}

/** The fields of a user: details, memberships and options. */
export function UserFields({ form, hidesGroups, savedUser }: Props) {
  const { t } = useTranslation('user')
  const { me } = useSession()
  if (!me) return null
  const isProvider = roleMay(me.role, 'user.readAll')
  const isReadOnly = savedUser !== undefined && !isProvider && isProviders(savedUser.role)
  // A user with other merchants is shared with their admins, except for the memberships.
  const isPersonal = isReadOnly || (savedUser?.belongsElsewhere === true && !isProvider)
  const { role } = form.getValues()
  const note = isReadOnly ? t('user:form.readOnly') : isPersonal ? t('user:form.elsewhere') : undefined
  return (
    <>
      {note && (
        <Note tone="info" py="xs" px="part" c="bright" fz="inherit">
          {note}
        </Note>
      )}
      <PersonCard form={form} savedUser={savedUser} isPersonal={isPersonal} isProvider={isProvider} />
      <Card title={t('user:form.rights')}>
        {isProviders(role) ? (
          <Text c="dimmed">{t('user:form.everything')}</Text>
        ) : (
          <MembershipsField form={form} hidesGroups={hidesGroups} isFixed={isReadOnly} savedUser={savedUser} />
        )}
      </Card>
      <OptionsCard form={form} isPersonal={isPersonal} isProvider={isProvider} />
    </>
  )
}

interface CardProps {
  form: SchemaForm<UserForm>
  /** The user's own data are fixed. */
  isPersonal: boolean
  /** The reader is of the provider. */
  isProvider: boolean
}

function PersonCard({ form, savedUser, isPersonal, isProvider }: CardProps & { savedUser: UserDetails | undefined }) {
  const { t } = useTranslation(['user', 'shell'])
  const { me } = useSession()
  const { role, language } = form.getValues()
  const offered = roles.filter((one) => isProvider || !isProviders(one) || one === role)
  const isSelf = savedUser !== undefined && savedUser.id === me?.id
  return (
    <Card title={t('user:form.person')}>
      <Columns of="repeat(auto-fit, minmax(260px, 1fr))" from="xs" gap="far" rowGap="part" align="start">
        <TextField
          form={form}
          name="email"
          label={t('user:column.email')}
          description={
            savedUser && t(savedUser.status === 'invited' ? 'user:form.emailInvited' : 'user:form.emailFixed')
          }
          isRequired
          isReadOnly={isPersonal || (savedUser !== undefined && savedUser.status !== 'invited')}
          inputMode="email"
          autoComplete="off"
          maxLength={254}
        />
        <TextField
          form={form}
          name="name"
          label={t('user:column.name')}
          isRequired
          isReadOnly={isPersonal}
          autoComplete="off"
          maxLength={200}
        />
        <NativeSelect
          label={t('user:column.role')}
          description={isSelf ? t('user:form.ownRole') : undefined}
          disabled={isPersonal || isSelf}
          data={offered.map((value) => ({ value, label: t(`shell:roles.${value}`) }))}
          value={role}
          onChange={(event) => {
            const next = event.currentTarget.value as Role
            form.setFieldValue('role', next)
            form.setFieldValue(
              'merchants',
              form.getValues().merchants.map((one) => begun(one, next)),
            )
            form.clearFieldError('merchants')
          }}
        />
        <NativeSelect
          label={t('user:column.language')}
          disabled={isPersonal}
          data={[
            { value: '', label: t('user:form.languageAuto') },
            ...languages.map((value) => ({ value, label: languageNames[value] })),
          ]}
          value={language ?? ''}
          onChange={(event) => form.setFieldValue('language', (event.currentTarget.value || null) as Language | null)}
        />
      </Columns>
    </Card>
  )
}

function OptionsCard({ form, isPersonal, isProvider }: CardProps) {
  const { t } = useTranslation('user')
  const { role } = form.getValues()
  return (
    <Card title={t('user:form.options')}>
      <Stack gap="md" maw={520}>
        <SwitchField
          form={form}
          name="receiveNotifications"
          label={t('user:option.receiveNotifications')}
          description={t('user:optionText.receiveNotifications')}
          isDisabled={isPersonal}
        />
        {isProvider && (
          <>
            <SwitchField
              form={form}
              name="allowLicensing"
              label={t('user:option.allowLicensing')}
              description={t('user:optionText.allowLicensing')}
              isDisabled={mayLicense(role, true) === mayLicense(role, false)}
            />
            <SwitchField
              form={form}
              name="invisibleToMerchants"
              label={t('user:option.invisibleToMerchants')}
              description={t('user:optionText.invisibleToMerchants')}
            />
          </>
        )}
      </Stack>
    </Card>
  )
}

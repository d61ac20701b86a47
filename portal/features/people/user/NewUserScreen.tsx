import { Box } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { UserForm, userEdits } from '#contract/people/user-edit.ts'
import { Role, roles } from '#contract/vocabulary/roles.ts'
import { useCommand } from '#portal/app/api.ts'
import { useAddressQuery, useGo, useLeave } from '#portal/app/go.ts'
import { useMerchant, useMerchants } from '#portal/app/merchant.tsx'
import { oneOf } from '#portal/app/search.ts'
import { toast } from '#portal/app/toast/toast.tsx'
import { FormScreen } from '#portal/ui/form/FormScreen.tsx'
import { useSchemaForm } from '#portal/ui/form/useSchemaForm.ts'
import { ScreenHeader } from '#portal/ui/page/ScreenHeader.tsx'
import { UserFields } from './UserFields.tsx'
import { nobodyYet, sentOf } from './userForm.ts'
import { useUserPlaces } from './useUserPlaces.ts'

const narrowestRole = roles[roles.length - 1] as UserForm['role']

/** Creates a user and has the invitation mailed. */
export default function NewUserScreen() {
  const { t } = useTranslation('user')
  const go = useGo()
  const leave = useLeave()
  const merchant = useMerchant()
  const address = useAddressQuery()
  const invitedTo = oneOf(address, 'of')
  const invitedAs = Role.safeParse(oneOf(address, 'role')).data
  const named = useMerchants().find(({ id }) => id === invitedTo)
  const { isAdmin, list, of } = useUserPlaces()
  const first = named ?? (merchant.isAll ? undefined : merchant)
  const form = useSchemaForm<UserForm>(UserForm, nobodyYet(first, invitedAs ?? narrowestRole))
  const create = useCommand(userEdits.createUser, { isQuiet: true })
  const save = async (values: UserForm) => {
    const { isSuspended: _, ...body } = sentOf(values)
    const made = await create.mutateAsync({ body })
    if (made.invitation === 'failed') toast.warning('user:unsent')
    else toast.success('user:created', { name: made.name })
    await leave(of(made.id))
  }
  return (
    <>
      <ScreenHeader title={t('new')} subtitle={t('newText')} />
      <Box maw={860}>
        <FormScreen
          form={form}
          save={save}
          saveName={t('form.invite')}
          isSaving={create.isPending}
          error={create.error}
          codes={{ UserAlreadyExists: 'email', GroupAdminMerchantsValidationException: 'merchants' }}
          cancel={() => void go(list)}
        >
          <UserFields form={form} hidesGroups={isAdmin} />
        </FormScreen>
      </Box>
    </>
  )
}

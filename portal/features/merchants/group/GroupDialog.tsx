import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type GroupDetails, groups, NewGroup } from '#contract/merchants/group.ts'
import { useCommand } from '#portal/app/api.ts'
import { useMerchant } from '#portal/app/merchant.tsx'
import { toast } from '#portal/app/toast/toast.tsx'
import { Dialog } from '#portal/ui/dialog/Dialog.tsx'
import { FormScreen } from '#portal/ui/form/FormScreen.tsx'
import { TextField } from '#portal/ui/form/fields/TextField.tsx'
import { MerchantChoice } from '#portal/ui/form/MerchantChoice.tsx'
import { useSchemaForm } from '#portal/ui/form/useSchemaForm.ts'

interface Values extends Record<string, unknown> {
  name: string
}
interface Props {
  /** The group to rename; without it a new group is created. */
  group?: GroupDetails
  close: () => void
  made?: (group: GroupDetails) => void
}

const fieldsOf = ({ version, name }: GroupDetails) => ({ version, values: { name } })

/** Asks for the name of a group. */
export default function GroupDialog({ group, close, made }: Props) {
  const { t } = useTranslation(['group', 'ui'])
  return (
    <Dialog
      onClose={close}
      title={t(group ? 'group:rename.title' : 'group:create.title')}
      size="sm"
      closeButtonProps={{ 'aria-label': t('ui:close') }}
    >
      {group ? <Rename group={group} close={close} /> : <Create close={close} made={made} />}
    </Dialog>
  )
}

function Rename({ group, close }: { group: GroupDetails; close: () => void }) {
  const { t } = useTranslation('group')
  const form = useSchemaForm<Values>(NewGroup, { name: group.name })
  const update = useCommand(groups.updateGroup, { isQuiet: true })
  const params = { merchantId: group.merchantId, groupId: group.id }
  const record = {
    ...fieldsOf(group),
    read: (answer: unknown) => fieldsOf(answer as GroupDetails),
    names: { name: t('name') },
  }
  const save = async ({ name }: Values, version: number) => {
    const saved = await update.mutateAsync({ params, body: { version, name } })
    toast.success('group:rename.done', { name: saved.name })
    close()
    return saved
  }
  return (
    <FormScreen
      form={form}
      record={record}
      of={group.id}
      save={save}
      isSaving={update.isPending}
      error={update.error}
      codes={{ GroupNameTaken: 'name' }}
      cancel={close}
    >
      <TextField form={form} name="name" label={t('name')} isRequired maxLength={200} />
    </FormScreen>
  )
}

function Create({ close, made }: Pick<Props, 'close' | 'made'>) {
  const { t } = useTranslation('group')
  const merchant = useMerchant()
  const [merchantChoice, choose] = useState('')
  const form = useSchemaForm<Values>(NewGroup, { name: '' })
  const create = useCommand(groups.createGroup, { isQuiet: true })
  const save = async ({ name }: Values) => {
    // Without a merchant the placeholder for all merchants is sent, and the error says that one must be selected.
    const merchantId = merchant.isAll && merchantChoice ? merchantChoice : merchant.id
    const group = await create.mutateAsync({ params: { merchantId }, body: { name }, isWhole: true })
    toast.success('group:create.done', { name: group.name })
    form.resetDirty()
    close()
    made?.(group)
  }
  return (
    <FormScreen
      form={form}
      save={save}
      isSaving={create.isPending}
      error={create.error}
      saveName={t('create.confirm')}
      codes={{ GroupNameTaken: 'name' }}
      cancel={close}
    >
      <MerchantChoice value={merchantChoice} choose={choose} />
      <TextField form={form} name="name" label={t('name')} isRequired maxLength={200} />
    </FormScreen>
  )
}

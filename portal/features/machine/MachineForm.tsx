import { NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { z } from 'zod'
import { groups } from '#contract/group.ts'
import { type Machine, MachineFields, type MachineRow, machines } from '#contract/machine.ts'
import { queryOf, useCommand } from '../../app/api.ts'
import { Card } from '../../ui/Card.tsx'
import { FormScreen } from '../../ui/form/FormScreen.tsx'
import { TextField } from '../../ui/form/fields/TextField.tsx'
import { useSchemaForm } from '../../ui/form/useSchemaForm.ts'
import { toast } from '../../ui/toast.tsx'

const schema = z.strictObject(MachineFields)
type Fields = z.infer<typeof schema>

const fieldsOf = ({ version, name, address, groupId }: MachineRow) => ({ version, values: { name, address, groupId } })

/** What people say of a machine: its name, its address and its group. */
export function MachineForm({ machine }: { machine: Machine }) {
  const { t } = useTranslation(['machine', 'editing'])
  const { id: posId, merchantId } = machine
  const { data } = useQuery(queryOf(groups.listGroups, { params: { merchantId } }))
  const own = data ?? []
  // A group that the list does not hold any more is still the machine's.
  const known = own.some(({ id }) => id === machine.groupId) || !machine.groupId
  const options = known ? own : [{ id: machine.groupId as string, name: machine.groupName ?? '' }, ...own]
  const nameOfGroup = (id: unknown) => options.find((group) => group.id === id)?.name ?? t('editing:machine.noGroup')
  const record = {
    ...fieldsOf(machine),
    read: (answer: unknown) => fieldsOf(answer as MachineRow),
    names: { name: t('machine:fact.name'), address: t('machine:fact.address'), groupId: t('machine:fact.group') },
    say: (field: string, value: unknown) => (field === 'groupId' ? nameOfGroup(value) : (value as string | null)),
  }
  const form = useSchemaForm<Fields>(schema, record.values)
  const update = useCommand(machines.updateMachine, { isQuiet: true })
  const save = async (values: Fields, version: number) => {
    const saved = await update.mutateAsync({ params: { merchantId, posId }, body: { version, ...values } })
    toast.success('editing:machine.saved')
    return saved
  }
  const { groupId } = form.getValues()
  return (
    <Card title={t('editing:machine.title')}>
      <FormScreen
        form={form}
        record={record}
        save={save}
        isSaving={update.isPending}
        error={update.error}
        codes={{ PosNameTaken: 'name', GroupRequired: 'groupId', GroupNotFound: 'groupId' }}
      >
        <TextField form={form} name="name" label={t('machine:fact.name')} isRequired maxLength={200} />
        <TextField form={form} name="address" label={t('machine:fact.address')} isNullable maxLength={300} />
        <NativeSelect
          label={t('machine:fact.group')}
          data={[
            { value: '', label: t('editing:machine.noGroup') },
            ...options.map(({ id, name }) => ({ value: id, label: name })),
          ]}
          {...form.getInputProps('groupId')}
          value={groupId ?? ''}
          onChange={(event) => form.setFieldValue('groupId', event.currentTarget.value || null)}
        />
      </FormScreen>
    </Card>
  )
}

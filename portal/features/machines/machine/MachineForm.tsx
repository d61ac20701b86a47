import { useTranslation } from 'react-i18next'
import { z } from 'zod'
import { type Machine, MachineFields, type MachineRow, machines } from '#contract/machines/machine.ts'
import { type Client, clients } from '#contract/merchants/client.ts'
import { useCommand } from '#portal/app/api.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { toast } from '#portal/app/toast/toast.tsx'
import { GroupSelect } from '#portal/features/merchants/group/GroupSelect.tsx'
import { useGroupOptions } from '#portal/features/merchants/group/useGroupOptions.ts'
import { DateField } from '#portal/ui/form/choices/DateField.tsx'
import { EndpointSelect } from '#portal/ui/form/choices/EndpointSelect.tsx'
import { SectorField } from '#portal/ui/form/choices/SectorField.tsx'
import { FormScreen } from '#portal/ui/form/FormScreen.tsx'
import { TextField } from '#portal/ui/form/fields/TextField.tsx'
import { useSchemaForm } from '#portal/ui/form/useSchemaForm.ts'
import { Card } from '#portal/ui/page/Card.tsx'

const schema = z.strictObject(MachineFields)
type Fields = z.infer<typeof schema>

const fieldsOf = ({ version, name, address, groupId, clientId, sector, warrantyUntil }: MachineRow) => ({
  version,
  values: { name, address, groupId, clientId, sector, warrantyUntil },
})
const optionOf = ({ id, name }: Client) => ({ value: id, label: name })

/** The edited fields of a machine: name, address, group, client, sector and warranty. */
export function MachineForm({ machine }: { machine: Machine }) {
  const { t } = useTranslation(['machine', 'machine-act', 'editing', 'vocabulary'])
  const format = useFormat()
  const { id: posId, merchantId, clientId, clientName } = machine
  const listed = useGroupOptions(merchantId)
  const ownGroup = machine.groupId ? { value: machine.groupId, label: machine.groupName ?? '' } : undefined
  const nameOfGroup = (id: unknown) =>
    [ownGroup, ...listed].find((group) => group?.value === id)?.label ?? t('editing:machine.noGroup')
  const record = {
    ...fieldsOf(machine),
    read: (answer: unknown) => fieldsOf(answer as MachineRow),
    names: {
      name: t('machine:fact.name'),
      address: t('machine:fact.address'),
      groupId: t('machine:fact.group'),
      clientId: t('machine-act:fact.client'),
      sector: t('machine:fact.sector'),
      warrantyUntil: t('machine:fact.warranty'),
    },
    say: (field: string, value: unknown) => {
      if (field === 'groupId') return nameOfGroup(value)
      if (field === 'warrantyUntil') return value ? format.day(value as string) : null
      if (field === 'sector') return value ? t(`vocabulary:posSector.${value}`) : null
      // The name of a newly chosen client is known on this screen; another user's choice has its name in the record.
      if (field === 'clientId') return value === clientId ? clientName : (value as string | null)
      return value as string | null
    },
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
        codes={{
          PosNameTaken: 'name',
          GroupRequired: 'groupId',
          GroupNotFound: 'groupId',
          ClientNotFound: 'clientId',
        }}
      >
        <TextField form={form} name="name" label={t('machine:fact.name')} isRequired maxLength={200} />
        <TextField form={form} name="address" label={t('machine:fact.address')} isNullable maxLength={300} />
        <GroupSelect
          label={t('machine:fact.group')}
          merchantId={merchantId}
          none={t('editing:machine.noGroup')}
          current={ownGroup}
          {...form.getInputProps('groupId')}
          value={groupId}
          choose={(id) => form.setFieldValue('groupId', id)}
        />
        <EndpointSelect<Fields, Client>
          // A client chosen by another user is shown by its name as well.
          key={clientId}
          form={form}
          name="clientId"
          label={t('machine-act:fact.client')}
          row={clients.listClients}
          input={{ params: { merchantId } }}
          optionOf={optionOf}
          {...(clientId && { initialOption: { value: clientId, label: clientName ?? clientId } })}
        />
        <SectorField form={form} name="sector" label={t('machine:fact.sector')} />
        <DateField form={form} name="warrantyUntil" label={t('machine:fact.warranty')} />
      </FormScreen>
    </Card>
  )
}

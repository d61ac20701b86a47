import { useTranslation } from 'react-i18next'
import { type Kiosk, kiosks, kioskViews, mostKioskDays, NewKiosk } from '#contract/sales/kiosk.ts'
import { addDays } from '#domain/time/period.ts'
import { useCommand } from '#portal/app/api.ts'
import { useMerchant } from '#portal/app/merchant.tsx'
import { GroupSelect } from '#portal/features/merchants/group/GroupSelect.tsx'
import { DateField } from '#portal/ui/form/choices/DateField.tsx'
import { SelectField } from '#portal/ui/form/choices/SelectField.tsx'
import { FormScreen } from '#portal/ui/form/FormScreen.tsx'
import { TextField } from '#portal/ui/form/fields/TextField.tsx'
import { useSchemaForm } from '#portal/ui/form/useSchemaForm.ts'
import { useToday } from '#portal/ui/time/When.tsx'

/** The last day that a new display is offered, in days from today. */
const offeredDays = 90

/** The name of a new display, what it shows of which machines, and its last day. */
export function NewKioskForm({ done, cancel }: { done: (link: string, details: Kiosk) => void; cancel: () => void }) {
  const { t } = useTranslation('kiosk')
  const { id: merchantId, timeZone } = useMerchant()
  const today = useToday(timeZone)
  const form = useSchemaForm<NewKiosk>(NewKiosk, {
    name: '',
    shows: 'both',
    groupId: null,
    lastDay: addDays(today, offeredDays),
  })
  const create = useCommand(kiosks.createKiosk, { isQuiet: true })
  const save = async (body: NewKiosk) => {
    const { link, details } = await create.mutateAsync({ params: { merchantId }, body })
    done(link, details)
  }
  return (
    <FormScreen
      form={form}
      save={save}
      saveName={t('make')}
      codes={{ KioskNameTaken: 'name' }}
      isSaving={create.isPending}
      cancel={cancel}
      error={create.error}
    >
      <TextField
        form={form}
        name="name"
        label={t('field.name')}
        description={t('hint.name')}
        maxLength={100}
        isRequired
      />
      <SelectField
        form={form}
        name="shows"
        label={t('field.shows')}
        options={kioskViews.map((value) => ({ value, label: t(`shows.${value}`) }))}
        isRequired
      />
      <GroupSelect
        label={t('field.groupId')}
        merchantId={merchantId}
        none={t('allGroups')}
        {...form.getInputProps('groupId')}
        value={form.getValues().groupId}
        choose={(id) => form.setFieldValue('groupId', id)}
      />
      <DateField
        form={form}
        name="lastDay"
        label={t('field.lastDay')}
        description={t('hint.lastDay')}
        min={today}
        max={addDays(today, mostKioskDays)}
        isRequired
      />
    </FormScreen>
  )
}

import { useTranslation } from 'react-i18next'
import { merchantEdits } from '#contract/merchants/merchant-edit.ts'
import { useCommand } from '#portal/app/api.ts'
import { useLeave } from '#portal/app/go.ts'
import { toast } from '#portal/app/toast/toast.tsx'
import { ScreenHeader } from '#portal/ui/page/ScreenHeader.tsx'
import { MerchantForm } from './MerchantForm.tsx'
import { type MerchantValues, newMerchant, sentOf } from './merchantValues.ts'

/** Creates a merchant and opens it; its first admin is invited there. */
export default function MerchantCreateScreen() {
  const { t } = useTranslation('merchant')
  const leave = useLeave()
  const create = useCommand(merchantEdits.createMerchant, { isQuiet: true })
  const save = async (values: MerchantValues) => {
    const made = await create.mutateAsync({ body: sentOf(values) })
    toast.success('merchant:created')
    await leave({ to: '/admin/merchants/$merchantId', params: { merchantId: made.id } })
    return made
  }
  return (
    <>
      <ScreenHeader title={t('new.title')} subtitle={t('new.text')} />
      <MerchantForm initial={newMerchant} save={save} isSaving={create.isPending} error={create.error} />
    </>
  )
}
